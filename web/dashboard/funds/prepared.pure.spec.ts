import type { Collection } from '../api/operations.js';
import { feeOf, joined, sumsOf, verdictOf } from './prepared.pure.js';

const money = (atomic: string, decimals: number, code: string) => ({ atomic, decimals, currency: { code } });
const ether = (atomic: string) => money(atomic, 18, 'ETH');
const usdc = (atomic: string) => money(atomic, 6, 'USDC');
const EMPTY: Collection = {
  psbts: [],
  transactions: [],
  safeBatches: [],
  plans: [],
  deployment: null,
  expected: [],
  unpriced: [],
  leftOut: [],
  next: null,
};
const A = { contractAddress: '0xa' };

describe('joined', () => {
  it('has everything of every part, each unpriced coin once, and goes on where the last one ends', () => {
    const deployment = { to: '0x1', data: '0x', value: '0x0' as const };
    const parts = [
      { ...EMPTY, safeBatches: [{ treasury: 'T', deposits: 1, file: '{}' }], unpriced: ['ETH'], next: 'a' },
      { ...EMPTY, deployment, unpriced: ['ETH', 'USDC'], next: 'b' },
    ];
    expect(joined(parts)).toEqual({
      ...EMPTY,
      deployment,
      safeBatches: parts[0]?.safeBatches,
      unpriced: ['ETH', 'USDC'],
      next: 'b',
    });
  });

  it('of nothing is nothing', () => {
    expect(joined([])).toEqual(EMPTY);
  });
});

it('sumsOf keeps coins apart, also two of one name', () => {
  const some = [
    { amount: usdc('1'), token: A },
    { amount: ether('5'), token: null },
    { amount: usdc('2'), token: { contractAddress: '0xb' } },
    { amount: usdc('3'), token: A },
  ];
  expect(sumsOf(some)).toEqual([usdc('4'), ether('5'), usdc('2')]);
});

it.each([
  ['no transaction', [], null],
  ['known ones', [ether('1'), ether('2')], ether('3')],
  ['one that is not known', [ether('1'), null], null],
])('feeOf %s', (_what, fees, sum) => {
  const transactions = fees.map((fee) => ({ fee })) as Collection['transactions'];
  expect(feeOf({ psbts: [], transactions })).toEqual(sum);
});

describe('verdictOf', () => {
  const PRICES = new Map([
    ['ETH', '2000.5'],
    ['USDC', '1'],
    ['ODD', 'much'],
  ]);
  it.each([
    ['more than the fee', [usdc('2000501')], ether('1000000000000000'), 'pays'],
    ['exactly the fee', [usdc('2000500')], ether('1000000000000000'), 'costs-more'],
    ['two coins together', [usdc('1000500'), ether('500000000000001')], ether('1000000000000000'), 'pays'],
    ['an unknown fee', [usdc('1')], null, 'unknown'],
    ['a coin without a price', [money('1', 0, 'NONE')], ether('1'), 'unknown'],
    ['a price that is no number', [money('1', 0, 'ODD')], ether('1'), 'unknown'],
    ['a fee without a price', [usdc('1')], money('1', 8, 'NONE'), 'unknown'],
    ['the coin of the fee, without prices', [money('3', 8, 'LTC')], money('2', 8, 'LTC'), 'pays'],
    ['less than the fee in its own coin', [money('1', 8, 'LTC')], money('2', 8, 'LTC'), 'costs-more'],
    ['nothing', [], ether('1'), 'costs-more'],
  ])('of %s', (_what, arrives, fee, verdict) => {
    expect(verdictOf(arrives, fee, PRICES)).toBe(verdict);
  });
});
