import { CHAIN_CATALOG } from './chain-catalog.pure.js';
import type { Chain, Requirement } from './chain.pure.js';
import {
  confirmationBounds,
  defaultTiers,
  isMet,
  readTiers,
  requirementFor,
  strictest,
  type TierEntry,
  usualWait,
} from './required-confirmations.pure.js';

const CHAIN = {
  confirmationsRequired: 2,
  reorgWindow: 144,
  confirmationTiers: new Map([
    [
      'native',
      [
        { from: 100n, confirmations: 3, finality: null },
        { from: 1_000n, confirmations: 6, finality: null },
        { from: 10n ** 70n, confirmations: 6, finality: 'safe' },
        { from: 10n ** 71n, confirmations: 6, finality: 'finalized' },
      ],
    ],
  ]),
} satisfies Partial<Chain>;

describe('requirementFor', () => {
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
    ['an explicit finality of depth uses tiers', { finality: 'depth' }, 'native', 1_000n, null, 6],
  ])('%s', (_what, changes, asset, amount, wanted, required) => {
    expect(requirementFor({ ...CHAIN, ...changes }, asset, amount, wanted)).toEqual({
      confirmations: required,
      finality: null,
    });
  });

  it.each<[string, Partial<Chain>, bigint, number | null, Requirement]>([
    ['an amount in a safe tier', {}, 10n ** 70n, null, { confirmations: 6, finality: 'safe' }],
    ['an amount in a finalized tier', {}, 10n ** 71n, null, { confirmations: 6, finality: 'finalized' }],
    ['an override adds blocks to a tag', {}, 10n ** 70n, 60, { confirmations: 60, finality: 'safe' }],
    [
      'an override cannot replace a tag',
      { confirmationsMin: 1 },
      10n ** 71n,
      1,
      { confirmations: 6, finality: 'finalized' },
    ],
    [
      'a chain settled by finality waits for it alone, whatever the tiers and overrides',
      { finality: 'finalized' },
      1n,
      60,
      { confirmations: 1, finality: 'finalized' },
    ],
  ])('%s', (_what, changes, amount, wanted, required) => {
    expect(requirementFor({ ...CHAIN, ...changes }, 'native', amount, wanted)).toEqual(required);
  });

  it('never falls when the amount or the override grows', () => {
    const amounts = Array.from({ length: 1_200 }, (_, i) => BigInt(i));
    for (const wanted of [null, 1, 2, 3, 4, 6, 7]) {
      const all = amounts.map((amount) => requirementFor(CHAIN, 'native', amount, wanted).confirmations);
      expect(all).toEqual(all.toSorted((a, b) => a - b));
      const ordinary = amounts.map((amount) => requirementFor(CHAIN, 'native', amount, null).confirmations);
      expect(all.every((each, i) => each >= (ordinary[i] ?? Infinity))).toBe(true);
    }
  });
});

const by = (confirmations: number, finality: Requirement['finality'] = null): Requirement => ({
  confirmations,
  finality,
});

describe('strictest', () => {
  it.each<[string, [Requirement, ...Requirement[]], Requirement]>([
    ['one alone', [by(2)], by(2)],
    ['the most blocks', [by(2), by(9), by(3)], by(9)],
    ['a tag over none', [by(2), by(1, 'safe')], by(2, 'safe')],
    ['finalized over safe, in any order', [by(1, 'finalized'), by(1, 'safe')], by(1, 'finalized')],
    ['blocks of one and the tag of another', [by(64), by(1, 'finalized')], by(64, 'finalized')],
  ])('is %s', (_what, all, most) => {
    expect(strictest(all)).toEqual(most);
    expect(all.every((one) => isMet(one, most))).toBe(true);
  });
});

describe('isMet', () => {
  it.each<[Requirement, Requirement, boolean]>([
    [by(2), by(2), true],
    [by(2), by(1), false],
    [by(2), by(1, 'finalized'), false],
    [by(2, 'safe'), by(2), false],
    [by(2, 'safe'), by(2, 'finalized'), true],
    [by(2, 'finalized'), by(9, 'safe'), false],
  ])('%j by %j: %j', (required, found, met) => {
    expect(isMet(required, found)).toBe(met);
  });
});

describe('usualWait', () => {
  const chain = { confirmationsRequired: 12, blocksToFinality: { safe: 5, finalized: 96 } };
  it.each<[string, Parameters<typeof usualWait>[0], Requirement, number]>([
    ['the number of blocks without a tag', chain, by(32), 32],
    ['the usual time to the tag', chain, by(32, 'finalized'), 96],
    ['the number of blocks, if that is more', chain, by(32, 'safe'), 32],
    [
      'the number of blocks where nothing is known of the tag',
      { confirmationsRequired: 1 },
      by(3, 'safe'),
      3,
    ],
    [
      "the operator's estimate on a chain settled by finality",
      { ...chain, finality: 'finalized' },
      by(1, 'finalized'),
      12,
    ],
  ])('is %s', (_what, of, required, blocks) => {
    expect(usualWait(of, required)).toBe(blocks);
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
  const [code = '', amount = '', required = ''] = text.split(':');
  return {
    code,
    amount,
    required: required === 'safe' || required === 'finalized' ? required : Number(required),
  };
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
          { from: 1n, confirmations: 13, finality: null },
          { from: 100n * 10n ** 18n, confirmations: 64, finality: null },
        ],
      ],
      ['0xusdt', [{ from: 25_000_000_001n, confirmations: 32, finality: null }]],
    ]);
  });

  it('keeps the blocks of a smaller tier in one with a tag, and the tag in one with blocks', () => {
    const { tiers, problems } = readTiers(
      ['ETH:4:finalized', 'ETH:1:32', 'ETH:2:safe', 'ETH:3:64'].map(tier),
      ASSETS,
      12,
    );
    expect(problems).toEqual([]);
    expect(tiers?.get('native')?.map(({ confirmations, finality }) => [confirmations, finality])).toEqual([
      [32, null],
      [32, 'safe'],
      [64, 'safe'],
      [64, 'finalized'],
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
      'a larger amount of ETH must need more',
    ],
    [
      'equal confirmations for a larger amount',
      ['ETH:1:30', 'ETH:2:30'],
      'a larger amount of ETH must need more',
    ],
    [
      'no more confirmations than ordinary amounts need',
      ['ETH:1:12'],
      'a larger amount of ETH must need more',
    ],
    ['a tag twice', ['ETH:1:safe', 'ETH:2:safe'], 'a larger amount of ETH must need more'],
    ['a weaker tag', ['ETH:1:finalized', 'ETH:2:safe'], 'a larger amount of ETH must need more'],
    [
      'fewer blocks after a tag',
      ['ETH:1:32', 'ETH:2:safe', 'ETH:3:20'],
      'a larger amount of ETH must need more',
    ],
  ])('rejects %s', (_what, entries, problem) => {
    expect(readTiers(entries.map(tier), ASSETS, 12).problems).toEqual([expect.stringContaining(problem)]);
  });
});

describe('defaultTiers', () => {
  it.each([
    ['bitcoin', 'BTC', [1n, 10n], [3, 6]],
    ['litecoin', 'LTC', [40n, 400n], [12, 24]],
    ['ethereum', 'ETH', [10n, 100n], [32, 'finalized']],
    ['ethereum', 'USDT', [25_000n, 250_000n], [32, 'finalized']],
    ['ethereum', 'USDC', [25_000n, 250_000n], [32, 'finalized']],
    ['arbitrum', 'ETH', [10n, 100n], ['safe', 'finalized']],
    ['base', 'USDC', [25_000n, 250_000n], ['safe', 'finalized']],
    ['optimism', 'ETH', [10n, 100n], ['safe', 'finalized']],
    ['polygon', 'POL', [100_000n], ['finalized']],
    ['polygon', 'USDC', [25_000n], ['finalized']],
    ['bsc', 'BNB', [30n], ['finalized']],
    ['avalanche', 'AVAX', [1_000n], ['finalized']],
  ] as const)('on %s, %s amounts from %s need %s', (slug, code, coins, blocks) => {
    const chain = CHAIN_CATALOG.find((known) => known.slug === slug);
    const asset = chain?.assets.find(({ currencyCode }) => currencyCode === code);
    const tiers = chain?.confirmationTiers?.get(asset?.asset ?? '');
    expect(tiers?.map(({ from }) => from)).toEqual(coins.map((n) => n * 10n ** BigInt(asset?.decimals ?? 0)));
    expect(tiers?.map(({ confirmations, finality }) => finality ?? confirmations)).toEqual(blocks);
  });

  it.each(CHAIN_CATALOG.map((chain) => [chain.slug, chain] as const))(
    'on %s, tiers need more blocks than ordinary amounts, at most half of the kept history, or a tag of the chain',
    (_slug, { confirmationTiers, confirmationsRequired, reorgWindow, blocksToFinality }) => {
      for (const { confirmations, finality } of [...(confirmationTiers?.values() ?? [])].flat()) {
        if (finality === null) expect(confirmations).toBeGreaterThan(confirmationsRequired);
        else expect(blocksToFinality).toHaveProperty(finality);
        expect(reorgWindow).toBeGreaterThanOrEqual(2 * confirmations);
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
    expect(defaultTiers('dogecoin', ASSETS)).toBeUndefined();
    expect(defaultTiers('constructor', ASSETS)).toBeUndefined();
  });
});
