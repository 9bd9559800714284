import { CHAIN_CATALOG } from './chain-catalog.pure.js';
import { pollIntervalMs } from './poll-interval.pure.js';

const NOTHING_SET = { chains: [], chainPollIntervalMs: null };

describe('the poll interval of a chain', () => {
  it('follows from its block time, and is short where there is a mempool', () => {
    const intervals = CHAIN_CATALOG.map((chain) => [chain.slug, pollIntervalMs(chain, NOTHING_SET)]);
    expect(Object.fromEntries(intervals)).toEqual({
      ethereum: 6_000,
      polygon: 3_000,
      bsc: 3_000,
      arbitrum: 3_000,
      base: 3_000,
      optimism: 3_000,
      avalanche: 3_000,
      bitcoin: 1_000,
      litecoin: 1_000,
      dogecoin: 1_000,
      bitcoincash: 1_000,
      tron: 3_000,
    });
  });

  it.each([
    [1, 3_000],
    [6, 3_000],
    [7, 3_500],
    [12, 6_000],
    [30, 15_000],
    [600, 15_000],
  ])('of blocks every %i s is %i ms', (averageBlockSeconds, expected) => {
    expect(pollIntervalMs({ slug: 'x', family: 'evm', averageBlockSeconds }, NOTHING_SET)).toBe(expected);
  });

  it.each([
    ['the setting for all chains', undefined, 250, 250],
    ['its own setting', 500, null, 500],
    ['its own setting before the one for all', 500, 250, 500],
    ['the default, if only another chain has a setting', null, null, 6_000],
  ])('is %s', (_what, own, chainPollIntervalMs, expected) => {
    const chains = [
      own === null
        ? { slug: 'other', pollIntervalMs: 100 }
        : { slug: 'x', ...(own && { pollIntervalMs: own }) },
    ];
    const chain = { slug: 'x', family: 'evm' as const, averageBlockSeconds: 12 };
    expect(pollIntervalMs(chain, { chains, chainPollIntervalMs })).toBe(expected);
  });
});
