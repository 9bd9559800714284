import { parseRate } from '../money/money.js';
import {
  type AddressCost,
  addressCosts,
  collectingOf,
  type NetworkFee,
  type WalletSum,
  worthIn,
} from './collecting-cost.pure.js';
import { worthOf } from './deposit-worth.pure.js';

const ether = (rate: string | null) => ({
  asset: 'native',
  decimals: 18,
  rate: rate === null ? null : parseRate(rate),
});
const token = (rate: string | null, decimals = 6) => ({ ...ether(rate), asset: '0xtoken', decimals });
const GAS: NetworkFee = { kind: 'gas', price: 1_000_000_000n };

describe('addressCosts', () => {
  it.each([
    // 500 wei are a trillionth of a dollar, below which nothing is compared.
    ['the coin', ether('2000'), ether('2000'), 36_000n, 36_000n * 10n ** 9n + 500n],
    ['the coin without a rate', ether(null), ether(null), 36_000n, 36_000n * 10n ** 9n + 1n],
    // 61,000 gas at 1 gwei and 2,000 dollars are 0.122 dollars: that much is not more than it costs.
    ['a token', token('1'), ether('2000'), 61_000n, 122_001n],
    ['a token with 18 decimals', token('1', 18), ether('2000'), 61_000n, 122_000_000_001_000_000n],
    ['a token with a long rate', token('0.9999'), ether('2000'), 61_000n, 122_013n],
    ['a dear token', token('60000', 8), ether('2000'), 61_000n, 204n],
    ['a token without a rate', token(null), ether('2000'), 61_000n, null],
    ['a token on a network whose coin has no rate', token('1'), ether(null), 61_000n, null],
  ])('of %s', (_name, coin, native, gas, least) => {
    expect(addressCosts(GAS, coin, native)).toEqual([{ keyLength: 20, cost: gas * 10n ** 9n, least }]);
  });

  it('agrees with what a collection takes and leaves', () => {
    for (const rate of ['1', '0.9999', '3.21', '60000']) {
      const [{ least } = { least: null }] = addressCosts(GAS, token(rate), ether('2345.67'));
      const valueOf = (amount: bigint) => worthIn(amount, { decimals: 6, rate: parseRate(rate) }, 12, 'down');
      const gasValue = (gas: bigint) =>
        worthIn(gas * GAS.price, { decimals: 18, rate: parseRate('2345.67') }, 12, 'down') ?? 0n;
      const isTaken = (amount: bigint) =>
        worthOf([{ asset: '0xtoken', amount, value: valueOf(amount), isRefused: false }], {
          gasValue,
          minimum: 0n,
        }).collected.length > 0;
      expect([rate, isTaken(least ?? 0n), isTaken((least ?? 0n) - 1n)]).toEqual([rate, true, false]);
    }
  });

  it('of outputs follow the type of their script', () => {
    const fee: NetworkFee = { kind: 'byte', price: 10n };
    expect(addressCosts(fee, ether(null), ether(null))).toEqual([
      { keyLength: 22, cost: 680n, least: 681n },
      { keyLength: 23, cost: 910n, least: 911n },
      { keyLength: 25, cost: 1_480n, least: 1_481n },
      { keyLength: 34, cost: 580n, least: 581n },
    ]);
  });
});

describe('collectingOf', () => {
  const cheap: AddressCost = { keyLength: 22, cost: 10n, least: 11n };
  const dear: AddressCost = { keyLength: 25, cost: 20n, least: 21n };
  const sum = (keyLength: number, addresses: number, collectable: number): WalletSum => ({
    keyLength,
    addresses,
    collectable,
    collectableAmount: BigInt(collectable) * 100n,
  });

  it.each([
    ['nothing', [], [cheap], null],
    ['no price', [sum(22, 3, 2)], [], null],
    ['a kind of address without a price', [sum(32, 3, 2)], [cheap, dear], null],
    ['no address', [sum(22, 0, 0)], [cheap], null],
    ['one kind', [sum(22, 3, 2)], [cheap, dear], [10n, 11n, [2, 200n, 20n]]],
    ['none that pays', [sum(22, 3, 0)], [cheap], [10n, 11n, [0, 0n, 0n]]],
    ['two kinds', [sum(22, 3, 2), sum(25, 1, 1)], [cheap, dear], [20n, 21n, [3, 300n, 40n]]],
    ['two wallets', [sum(22, 3, 2), sum(22, 1, 1)], [cheap], [10n, 11n, [3, 300n, 30n]]],
    ['an unknown least', [sum(22, 3, 0)], [{ ...cheap, least: null }], [10n, null, null]],
  ] as const)('of %s', (_name, sums, costs, expected) => {
    const found = collectingOf(sums, costs);
    expect(
      found && [
        found.cost,
        found.least,
        found.sum && [found.sum.addresses, found.sum.amount, found.sum.cost],
      ],
    ).toEqual(expected);
  });
});

describe('worthIn', () => {
  it.each([
    [1_000_000n, '1', 'down', 100n],
    [9_999n, '1', 'down', 0n],
    [9_999n, '1', 'up', 1n],
    [0n, '1', 'up', 0n],
    [1_000_000n, null, 'up', null],
  ] as const)('of %s at %s rounded %s', (amount, rate, rounding, worth) => {
    expect(worthIn(amount, token(rate), 2, rounding)).toBe(worth);
  });
});
