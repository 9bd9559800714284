import { Engine, type Asked } from './support/engine.js';
import type { EngineHarness } from './support/engine-harness.js';
import { seededRandom } from './support/seeded-random.js';

/** Blocks; less than any chain's reorg window (ethereum 128, bitcoin 144). */
const DEEPEST = 100;
/** In `npm test`; `REORG_DEPTHS=all` is every depth from 1 to 100. */
const SOME = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, DEEPEST];
const ALL = Array.from({ length: DEEPEST }, (_, i) => i + 1);
const DEPTHS = process.env['REORG_DEPTHS'] === 'all' ? ALL : SOME;
/** Customers whom the payments of all depths go to. */
const TARGETS = 8;

/** What becomes of a payment in the fork. */
const OUTCOMES = ['mined again', 'spent otherwise', 'mined again', 'left out'] as const;

/** Forks of every depth under payments at random places; after each, every balance is what the chain alone says. */
export function describeReorgDepths(name: string, open: () => Promise<EngineHarness>): void {
  describe(`a fork on ${name}`, () => {
    let harness: EngineHarness;
    let engine: Engine;
    const targets: Asked[] = [];
    const pick = seededRandom(DEEPEST);
    const counts: Record<string, number> = {};

    const output = () => {
      const target = targets[pick(TARGETS)];
      if (!target) throw new Error('no target');
      return { key: target.key, amount: BigInt(1_000 + pick(1_000_000)) };
    };

    beforeAll(async () => {
      harness = await open();
      engine = new Engine(harness);
      // No fork takes away what the tests were given to begin with.
      await harness.driver.mine(DEEPEST + 1);
      for (let i = 0; i < TARGETS; i++) targets.push(await engine.asked());
      await engine.watcher.drain(harness.slug);
    });
    afterAll(async () => {
      const outcomes = Object.entries(counts).map(([outcome, times]) => `${times} ${outcome}`);
      process.stdout.write(`${name}: ${DEPTHS.length} forks; payments: ${outcomes.join(', ')}\n`);
      await harness?.close();
    });

    /** A branch of that many blocks with the payments in it; answers what the fork is to hold instead. */
    async function branch(depth: number): Promise<string[]> {
      const { driver } = harness;
      const instead: string[] = [];
      const places = OUTCOMES.map((outcome) => ({ outcome, height: pick(depth) }));
      const heights = places.map(({ height }) => height).toSorted((a, b) => a - b);
      let mined = 0;
      for (const [i, outcome] of OUTCOMES.entries()) {
        const height = heights[i] ?? 0;
        // The block of the last payment is mined with all that wait for it.
        if (height > mined) await driver.mine(height - mined);
        mined = Math.max(mined, height);
        counts[outcome] = (counts[outcome] ?? 0) + 1;
        if (outcome === 'mined again') {
          instead.push(await driver.signed(await driver.pay([output()])));
        } else {
          const [ours, theirs] = await driver.rivals(output(), output());
          await driver.submit(ours);
          if (outcome === 'spent otherwise') instead.push(theirs);
        }
      }
      await driver.mine(depth - mined);
      return instead;
    }

    async function reorgs(): Promise<{ count: number; last: number | null }> {
      const [row] = await harness.shop.gateway.sql.query<{ reorgs: string; last_reorg_depth: number | null }>(
        'select reorgs, last_reorg_depth from chain_conditions where chain = $1',
        [harness.slug],
      );
      return { count: Number(row?.reorgs ?? 0), last: row?.last_reorg_depth ?? null };
    }

    it.each(DEPTHS)('of %i blocks is handled once, and nothing is lost or counted twice', async (depth) => {
      const before = await reorgs();
      const instead = await branch(depth);
      await engine.watcher.drain(harness.slug);
      await engine.expectTruth();
      await harness.driver.fork(depth, instead);
      await engine.watcher.drain(harness.slug);
      await engine.expectTruth();
      expect(await reorgs()).toEqual({ count: before.count + 1, last: depth });
    });
  });
}
