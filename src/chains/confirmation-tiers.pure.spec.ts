import { CHAIN_CATALOG } from './chain-catalog.pure.js';
import { defaultTiers, readTiers, type TierEntry } from './confirmation-tiers.pure.js';

const ASSETS = [
  { asset: 'native', currencyCode: 'ETH', decimals: 18 },
  { asset: '0xusdt', currencyCode: 'USDT', decimals: 6 },
];
const tier = (text: string): TierEntry => {
  const [code = '', amount = '', confirmations] = text.split(':');
  return { code, amount, confirmations: Number(confirmations) };
};

describe('readTiers', () => {
  it('counts in the smallest unit of each asset, sorted', () => {
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

  it('has nothing to say of nothing', () => {
    expect(readTiers([], ASSETS, 12)).toEqual({ tiers: undefined, problems: [] });
  });

  it.each<[string, string[], string]>([
    ['a coin that the chain has not', ['BTC:1:20'], 'the chain has no BTC'],
    ['parts of a smallest unit', ['USDT:0.0000001:20'], 'USDT has 6 decimals here'],
    ['the same amount twice', ['ETH:1:20', 'ETH:1.0:30'], 'ETH needs amounts that are above 0 and differ'],
    ['an amount of nothing', ['ETH:0:20'], 'ETH needs amounts that are above 0 and differ'],
    ['less for more', ['ETH:1:30', 'ETH:2:20'], 'a larger amount of ETH must need more confirmations'],
    ['the same for more', ['ETH:1:30', 'ETH:2:30'], 'a larger amount of ETH must need more confirmations'],
    ['no more than all amounts need', ['ETH:1:12'], 'a larger amount of ETH must need more confirmations'],
  ])('refuses %s', (_what, entries, problem) => {
    expect(readTiers(entries.map(tier), ASSETS, 12).problems).toEqual([expect.stringContaining(problem)]);
  });
});

describe('the default tiers', () => {
  it.each([
    ['bitcoin', 'BTC', [1n, 10n], [3, 6]],
    ['litecoin', 'LTC', [40n, 400n], [12, 24]],
    ['ethereum', 'ETH', [10n, 100n], [32, 64]],
    ['ethereum', 'USDT', [25_000n, 250_000n], [32, 64]],
    ['ethereum', 'USDC', [25_000n, 250_000n], [32, 64]],
  ] as const)('of %s, in %s: from %s on %s blocks', (slug, code, coins, blocks) => {
    const chain = CHAIN_CATALOG.find((known) => known.slug === slug);
    const asset = chain?.assets.find(({ currencyCode }) => currencyCode === code);
    const tiers = chain?.confirmationTiers?.get(asset?.asset ?? '');
    expect(tiers?.map(({ from }) => from)).toEqual(coins.map((n) => n * 10n ** BigInt(asset?.decimals ?? 0)));
    expect(tiers?.map(({ confirmations }) => confirmations)).toEqual(blocks);
  });

  it.each(CHAIN_CATALOG.map((chain) => [chain.slug, chain] as const))(
    'of %s ask for more than ordinary amounts need, and for no more than can be looked at twice',
    (_slug, { confirmationTiers, confirmationsRequired, reorgWindow }) => {
      for (const tiers of (confirmationTiers ?? new Map()).values()) {
        const blocks = tiers.map((each: { confirmations: number }) => each.confirmations);
        expect(Math.min(...blocks)).toBeGreaterThan(confirmationsRequired);
        expect(reorgWindow).toBeGreaterThanOrEqual(2 * Math.max(...blocks));
      }
    },
  );

  it('leave out what the chain has not, and follow its decimals', () => {
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
