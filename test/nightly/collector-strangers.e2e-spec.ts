import { letStrangersCall } from '../support/collecting-strangers.js';
import { startAnvil } from '../support/anvil.js';
import { seedOf } from '../support/seeded-random.js';

/** As test/collector-strangers.e2e-spec.ts, at length. */
it('whatever strangers call, money goes to the treasury of its address or stays', async () => {
  const chain = await startAnvil();
  try {
    const { before, after, strangers, succeeded } = await letStrangersCall(
      chain,
      seedOf('STRANGERS_SEED'),
      10_000,
    );
    expect(succeeded).toBeGreaterThan(1_000);
    expect(after.map(({ sums }) => sums)).toEqual(before.map(({ sums }) => sums));
    expect(strangers.filter((amount) => amount !== 0n)).toEqual([]);
    // They did pay for something.
    expect(after.flatMap(({ arrived }) => arrived).every((amount) => amount > 0n)).toBe(true);
  } finally {
    await chain.stop();
  }
}, 3_600_000);
