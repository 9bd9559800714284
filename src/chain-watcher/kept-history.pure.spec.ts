import { CHAIN_CATALOG } from '../chains/chain-catalog.pure.js';
import { isKept, keptHistory } from './kept-history.pure.js';

const NEWEST = 1_000_000;

describe('the kept history', () => {
  it.each([
    [NEWEST, true, true],
    [NEWEST - 512, true, true],
    [NEWEST - 513, false, false],
    // 3,900 * 256
    [998_400, true, false],
    [998_399, false, false],
    // Marks up to 256 times 256 blocks below the lowest.
    [934_144, true, false],
    [933_888, false, false],
  ])('holds block %i: %j on a chain with marks, and %j on another', (height, withMarks, without) => {
    const of = (resumesFromSafe: boolean) =>
      isKept(height, keptHistory({ reorgWindow: 256, ...(resumesFromSafe && { resumesFromSafe }) }, NEWEST));
    expect([of(true), of(false)]).toEqual([withMarks, without]);
  });

  it('has marks on the chains whose unsafe head may be replaced', () => {
    const chains = CHAIN_CATALOG.filter(({ resumesFromSafe }) => resumesFromSafe);
    expect(chains.map(({ slug }) => slug)).toEqual(['arbitrum', 'base', 'optimism']);
    for (const { blocksToFinality } of chains) expect(blocksToFinality?.safe).toBeGreaterThan(0);
  });
});
