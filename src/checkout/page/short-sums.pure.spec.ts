import { getCurrency } from '../../money/currencies.js';
import { presentAmount } from '../../money/present-amount.js';
import { shareOf, shortSums } from './short-sums.pure.js';

const usd = (cents: bigint) => presentAmount(cents, getCurrency('USD'));
const usdc = (units: bigint) => presentAmount(units, getCurrency('USDC'));
const status = (received: bigint, remaining: bigint) => ({
  amount: usd(2_500n),
  receivedAmount: usd(received),
  remainingAmount: usd(remaining),
});
const coins = (received: bigint, pending: bigint, remaining: bigint) => ({
  amount: usdc(27_180_000n),
  receivedAmount: usdc(received),
  pendingAmount: usdc(pending),
  remainingAmount: usdc(remaining),
});
const words = (rows: ReturnType<typeof shortSums>) =>
  rows.map(({ name, coin, price }) => `${name} ${coin?.formatted ?? '-'} ${price.formatted}`);

describe('shortSums', () => {
  it('has each sum in the coin and in the price, and no empty ones', () => {
    expect(words(shortSums(status(0n, 1_250n), coins(0n, 13_590_000n, 13_590_000n)))).toEqual([
      'price 27.180000 USDC $25.00',
      'confirming 13.590000 USDC $12.50',
      'rest 13.590000 USDC $12.50',
    ]);
    expect(words(shortSums(status(500n, 1_250n), coins(5_436_000n, 8_154_000n, 13_590_000n)))).toEqual([
      'price 27.180000 USDC $25.00',
      'received 5.436000 USDC $5.00',
      'confirming 8.154000 USDC $7.50',
      'rest 13.590000 USDC $12.50',
    ]);
  });

  it('has the price alone after the end of the link', () => {
    expect(words(shortSums(status(1_250n, 1_250n), null))).toEqual([
      'price - $25.00',
      'received - $12.50',
      'rest - $12.50',
    ]);
  });

  it.each<[string, bigint, boolean]>([
    ['exactly', 13_590_000n, true],
    ['a cent apart, by rounding', 13_579_127n, true],
    ['more than a cent apart: it came in another coin, or at another rate', 13_579_126n, false],
    ['nothing in this coin', 0n, false],
  ])('has a column of the coin where it adds up: %s', (_what, received, isInCoin) => {
    const rows = shortSums(status(1_250n, 1_250n), coins(received, 0n, 13_590_000n));
    expect(rows.every(({ coin }) => (coin !== null) === isInCoin)).toBe(true);
  });

  it('has one column where the price is in the coin', () => {
    const inCoin = { amount: usdc(2n), receivedAmount: usdc(1n), remainingAmount: usdc(1n) };
    const all = { ...inCoin, pendingAmount: usdc(0n) };
    expect(shortSums(inCoin, all).every(({ coin }) => coin === null)).toBe(true);
  });
});

it.each([
  [0n, 0],
  [1n, 0],
  [1_250n, 500],
  [2_500n, 1_000],
])('shareOf %s of 2,500 is %i of 1,000', (part, share) => {
  expect(shareOf(usd(part), usd(2_500n))).toBe(share);
  expect(shareOf(usd(part), usd(0n))).toBe(0);
});
