import { CHAIN_CATALOG } from './chain-catalog.pure.js';
import { minTransferAmount } from './dust-limit.pure.js';
import { floorOf, readFloors } from './floors.pure.js';

const chainOf = (slug: string) => {
  const chain = CHAIN_CATALOG.find((one) => one.slug === slug);
  if (!chain) throw new Error(`no chain ${slug}`);
  return chain;
};

describe('the floors of the catalog', () => {
  it.each(CHAIN_CATALOG.map((chain) => [chain.slug, chain] as const))(
    '%s has one of each asset',
    (_slug, chain) => {
      for (const asset of chain.assets) {
        expect(chain.floors?.get(asset.asset)).toBeDefined();
        expect(floorOf(chain, asset)).toBeGreaterThanOrEqual(minTransferAmount(chain, asset));
      }
    },
  );

  it.each([
    ['ethereum', 'USDC', 100_000n],
    ['ethereum', 'ETH', 30_000_000_000_000n],
    ['bsc', 'USDT', 10_000_000_000_000_000n],
    ['tron', 'USDT', 1_000_000n],
    ['bitcoin', 'BTC', 1_000n],
  ])('%s has one of %s, in its smallest unit', (slug, code, floor) => {
    const chain = chainOf(slug);
    const asset = chain.assets.find(({ currencyCode }) => currencyCode === code);
    expect(asset && floorOf(chain, asset)).toBe(floor);
  });
});

it("puts the operator's floor in the place of the usual one, and leaves the others", () => {
  const ethereum = chainOf('ethereum');
  const { read, problems } = readFloors(ethereum, [{ code: 'ETH', amount: '0.001' }]);
  expect(problems).toEqual([]);
  expect(read?.get('native')).toBe(10n ** 15n);
  expect([...(read ?? [])].filter(([asset]) => asset !== 'native').map(([, floor]) => floor)).toEqual([
    100_000n,
    100_000n,
  ]);
});

it('has one unit of a token that it does not know', () => {
  expect(floorOf({}, { asset: '0x1' })).toBe(1n);
});

it.each([
  ['ethereum', 'BTC', '1', 'the chain has no BTC'],
  ['ethereum', 'USDC', '0.0000001', 'USDC has 6 decimals here'],
  ['ethereum', 'ETH', '0', 'ETH must be at least 0.000000000000000001, the least that wallets send'],
  ['litecoin', 'LTC', '0.00005', 'LTC must be at least 0.00005460, the least that wallets send'],
  ['ethereum', 'USDC', '100.000001', 'USDC must be at most 100.000000'],
])('on %s, %s:%s is refused by name', (slug, code, amount, problem) => {
  expect(readFloors(chainOf(slug), [{ code, amount }]).problems).toEqual([problem]);
});
