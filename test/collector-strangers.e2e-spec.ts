import { letStrangersCall } from './support/collecting-strangers.js';
import { startAnvil } from './support/anvil.js';
import { seedOf } from './support/seeded-random.js';

/** A few hundred here; ten thousand in test/nightly/collector-strangers.e2e-spec.ts. */
it('whatever strangers call, money goes to the treasury of its address or stays', async () => {
  const chain = await startAnvil();
  try {
    const { before, after, strangers, succeeded } = await letStrangersCall(
      chain,
      seedOf('STRANGERS_SEED'),
      300,
    );
    expect(succeeded).toBeGreaterThan(50);
    expect(after.map(({ sums }) => sums)).toEqual(before.map(({ sums }) => sums));
    expect(strangers.filter((amount) => amount !== 0n)).toEqual([]);
    // They did pay for something: the coin of each treasury, and a token, which chance may have made refuse all along.
    const paid = after.map(({ arrived: [coin = 0n, ...tokens] }) => [
      coin > 0n,
      tokens.some((one) => one > 0n),
    ]);
    expect(paid).toEqual(after.map(() => [true, true]));
  } finally {
    await chain.stop();
  }
});
