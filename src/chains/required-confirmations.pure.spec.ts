import { CHAIN_CATALOG } from './chain-catalog.pure.js';
import type { Chain } from './chain.pure.js';
import {
  confirmationBounds,
  defaultTiers,
  readTiers,
  requiredConfirmations,
  type TierEntry,
} from './required-confirmations.pure.js';

const CHAIN = {
  confirmationsRequired: 2,
  reorgWindow: 144,
  confirmationTiers: new Map([
    [
      'native',
      [
        { from: 100n, confirmations: 3 },
        { from: 1_000n, confirmations: 6 },
      ],
    ],
  ]),
} satisfies Partial<Chain>;

describe('requiredConfirmations', () => {
  it.each<[string, Partial<Chain>, string, bigint, number | null, number]>([
    ['an ordinary amount needs the number of the chain', {}, 'native', 99n, null, 2],
    ['an amount of zero needs the number of the chain', {}, 'native', 0n, null, 2],
    ['an amount at the start of a tier needs that tier', {}, 'native', 100n, null, 3],
    ['an amount just below the next tier needs the lower one', {}, 'native', 999n, null, 3],
    ['an amount in the highest tier needs that tier', {}, 'native', 1_000n, null, 6],
    ['an amount beyond 2^53 needs the highest tier', {}, 'native', 10n ** 60n, null, 6],
    ['an asset without tiers needs the number of the chain', {}, '0xtoken', 10n ** 60n, null, 2],
    [
      'a chain without tiers needs its own number for any amount',
      { confirmationTiers: new Map() },
      'native',
      10n ** 60n,
      null,
      2,
    ],
    ['an override above the number of the chain is used', {}, 'native', 99n, 5, 5],
    ['an override above the tier is used', {}, 'native', 100n, 5, 5],
    ['an override below the tier does not lower it', {}, 'native', 1_000n, 5, 6],
    ['an override below the bounds counts as the minimum', {}, 'native', 99n, 1, 2],
    [
      'an override lowers the number where the operator allows it',
      { confirmationsMin: 1 },
      'native',
      99n,
      1,
      1,
    ],
    ['an allowed lower override leaves the tier alone', { confirmationsMin: 1 }, 'native', 1_000n, 1, 6],
    ['an override above the maximum counts as the maximum', { confirmationsMax: 10 }, 'native', 99n, 60, 10],
    ['an override beyond the kept history counts as the kept history', {}, 'native', 99n, 1_000, 144],
    [
      'a chain settled by finality ignores tiers and overrides',
      { finality: 'finalized' },
      'native',
      1_000n,
      60,
      2,
    ],
    ['an explicit finality of depth uses tiers', { finality: 'depth' }, 'native', 1_000n, null, 6],
  ])('%s', (_what, changes, asset, amount, wanted, required) => {
    expect(requiredConfirmations({ ...CHAIN, ...changes }, asset, amount, wanted)).toBe(required);
  });

  it('never falls when the amount or the override grows', () => {
    const amounts = Array.from({ length: 1_200 }, (_, i) => BigInt(i));
    for (const wanted of [null, 1, 2, 3, 4, 6, 7]) {
      const all = amounts.map((amount) => requiredConfirmations(CHAIN, 'native', amount, wanted));
      expect(all).toEqual(all.toSorted((a, b) => a - b));
      expect(all.every((each, i) => each >= requiredConfirmations(CHAIN, 'native', BigInt(i), null))).toBe(
        true,
      );
    }
  });
});

describe('confirmationBounds', () => {
  it.each<[string, Partial<Chain>, { min: number; max: number } | null]>([
    ['allows more up to the kept history by default', {}, { min: 2, max: 144 }],
    ['uses the bounds of the operator', { confirmationsMin: 1, confirmationsMax: 6 }, { min: 1, max: 6 }],
    [
      'allows the number of the chain even beyond the kept history',
      { confirmationsRequired: 500 },
      { min: 500, max: 500 },
    ],
    ['allows nothing when finality decides', { finality: 'finalized', confirmationsMin: 1 }, null],
  ])('%s', (_what, changes, bounds) => {
    expect(confirmationBounds({ ...CHAIN, ...changes })).toEqual(bounds);
  });
});

const ASSETS = [
  { asset: 'native', currencyCode: 'ETH', decimals: 18 },
  { asset: '0xusdt', currencyCode: 'USDT', decimals: 6 },
];
const tier = (text: string): TierEntry => {
  const [code = '', amount = '', confirmations] = text.split(':');
  return { code, amount, confirmations: Number(confirmations) };
};

describe('readTiers', () => {
  it('converts tiers to the smallest unit of each asset and sorts them', () => {
    const { tiers, problems } = readTiers(
      ['ETH:100:64', 'USDT:25000.000001:32', 'ETH:0.000000000000000001:13'].map(tier),
      ASSETS,
      12,
    );
    expect(problems).toEqual([]);
    expect([...(tiers ?? [])]).toEqual([
      [
        'native',
        [
          { from: 1n, confirmations: 13 },
          { from: 100n * 10n ** 18n, confirmations: 64 },
        ],
      ],
      ['0xusdt', [{ from: 25_000_000_001n, confirmations: 32 }]],
    ]);
  });

  it('returns no tiers for no entries', () => {
    expect(readTiers([], ASSETS, 12)).toEqual({ tiers: undefined, problems: [] });
  });

  it.each<[string, string[], string]>([
    ['a coin that the chain does not have', ['BTC:1:20'], 'the chain has no BTC'],
    ['fractions of the smallest unit', ['USDT:0.0000001:20'], 'USDT has 6 decimals here'],
    ['the same amount twice', ['ETH:1:20', 'ETH:1.0:30'], 'ETH needs amounts that are above 0 and differ'],
    ['an amount of zero', ['ETH:0:20'], 'ETH needs amounts that are above 0 and differ'],
    [
      'fewer confirmations for a larger amount',
      ['ETH:1:30', 'ETH:2:20'],
      'a larger amount of ETH must need more confirmations',
    ],
    [
      'equal confirmations for a larger amount',
      ['ETH:1:30', 'ETH:2:30'],
      'a larger amount of ETH must need more confirmations',
    ],
    [
      'no more confirmations than ordinary amounts need',
      ['ETH:1:12'],
      'a larger amount of ETH must need more confirmations',
    ],
  ])('rejects %s', (_what, entries, problem) => {
    expect(readTiers(entries.map(tier), ASSETS, 12).problems).toEqual([expect.stringContaining(problem)]);
  });
});

describe('defaultTiers', () => {
  it.each([
    ['bitcoin', 'BTC', [1n, 10n], [3, 6]],
    ['litecoin', 'LTC', [40n, 400n], [12, 24]],
    ['ethereum', 'ETH', [10n, 100n], [32, 64]],
    ['ethereum', 'USDT', [25_000n, 250_000n], [32, 64]],
    ['ethereum', 'USDC', [25_000n, 250_000n], [32, 64]],
  ] as const)('on %s, %s amounts from %s need %s confirmations', (slug, code, coins, blocks) => {
    const chain = CHAIN_CATALOG.find((known) => known.slug === slug);
    const asset = chain?.assets.find(({ currencyCode }) => currencyCode === code);
    const tiers = chain?.confirmationTiers?.get(asset?.asset ?? '');
    expect(tiers?.map(({ from }) => from)).toEqual(coins.map((n) => n * 10n ** BigInt(asset?.decimals ?? 0)));
    expect(tiers?.map(({ confirmations }) => confirmations)).toEqual(blocks);
  });

  it.each(CHAIN_CATALOG.map((chain) => [chain.slug, chain] as const))(
    'on %s, tiers need more than ordinary amounts, and at most half of the kept history',
    (_slug, { confirmationTiers, confirmationsRequired, reorgWindow }) => {
      for (const tiers of (confirmationTiers ?? new Map()).values()) {
        const blocks = tiers.map((each: { confirmations: number }) => each.confirmations);
        expect(Math.min(...blocks)).toBeGreaterThan(confirmationsRequired);
        expect(reorgWindow).toBeGreaterThanOrEqual(2 * Math.max(...blocks));
      }
    },
  );

  it('skips assets that the chain does not have and uses its decimals', () => {
    expect([...(defaultTiers('ethereum', ASSETS) ?? [])].map(([asset]) => asset)).toEqual([
      'native',
      '0xusdt',
    ]);
    const [native] = ASSETS;
    expect(defaultTiers('ethereum', native ? [native] : [])?.has('0xusdt')).toBe(false);
    const other = [{ asset: '0xusdt', currencyCode: 'USDT', decimals: 18 }];
    expect(defaultTiers('ethereum', other)?.get('0xusdt')?.[0]?.from).toBe(25_000n * 10n ** 18n);
    expect(defaultTiers('polygon', ASSETS)).toBeUndefined();
    expect(defaultTiers('constructor', ASSETS)).toBeUndefined();
  });
});
