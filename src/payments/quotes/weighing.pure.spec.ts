import fc from 'fast-check';
import { partOf, weigh, type WeighedTransfer } from './weighing.pure.js';

// 25.00 of a currency. USDC has 6 decimals and a floor of 0.10, ether a price of 2,000 and a floor of about 0.06.
const DUE = 2_500n;
const USDC = { chain: 'ethereum', asset: '0xa0' };
const ETH = { chain: 'ethereum', asset: 'native' };
const QUOTES = [
  { ...USDC, id: 'usdc', assetAmount: 25_000_000n },
  { ...ETH, id: 'eth', assetAmount: 12_500_000_000_000_000n },
];
const usdc = (amount: bigint, floor = 100_000n): WeighedTransfer => ({
  ...USDC,
  amount,
  floor,
  quoteId: 'usdc',
});
const eth = (amount: bigint): WeighedTransfer => ({
  ...ETH,
  amount,
  floor: 30_000_000_000_000n,
  quoteId: 'eth',
});

interface Expected {
  matters: boolean;
  paid: bigint;
  isFull?: boolean;
}

describe('weigh', () => {
  it.each<[string, WeighedTransfer[], Expected]>([
    ['nothing', [], { matters: false, paid: 0n }],
    ['a unit', [usdc(1n)], { matters: false, paid: 0n }],
    ['a unit below the floor', [usdc(99_999n)], { matters: false, paid: 0n }],
    ['the floor', [usdc(100_000n)], { matters: true, paid: 10n }],
    [
      'many that reach the floor',
      Array.from({ length: 100 }, () => usdc(1_000n)),
      { matters: true, paid: 10n },
    ],
    ['one less', Array.from({ length: 99 }, () => usdc(1_000n)), { matters: false, paid: 0n }],
    ['dust of each of two coins', [usdc(99_999n), eth(29_999_999_999_999n)], { matters: false, paid: 0n }],
    ['a part, and dust of another coin', [usdc(1_000_000n), eth(1n)], { matters: true, paid: 100n }],
    ['a part, and dust of the same', [usdc(1_000_000n), usdc(9_999n)], { matters: true, paid: 100n }],
    ['what is less than a unit of the price', [usdc(9_999n, 1n)], { matters: false, paid: 0n }],
    ['a unit of the price', [usdc(10_000n, 1n)], { matters: true, paid: 1n }],
    ['late funds without a rate', [{ ...usdc(5_000_000n), quoteId: null }], { matters: true, paid: 0n }],
    ['late dust', [{ ...usdc(99_999n), quoteId: null }], { matters: false, paid: 0n }],
    ['the price', [usdc(25_000_000n)], { matters: true, paid: 2_500n, isFull: true }],
    [
      'the price, of which another coin has the last unit',
      [usdc(24_999_999n), eth(500_000_000n)],
      { matters: true, paid: 2_500n, isFull: true },
    ],
    [
      'the price, and dust of another coin',
      [usdc(25_000_000n), eth(29_999_999_999_999n)],
      { matters: true, paid: 2_500n, isFull: true },
    ],
  ])('%s', (_what, transfers, { matters, paid, isFull = false }) => {
    const weight = weigh(DUE, transfers, QUOTES, 0n);
    expect([weight.matters, partOf(DUE, weight.paid), weight.isFull]).toEqual([matters, paid, isFull]);
  });

  it.each([
    // ¥1, of which 97 % were sent: a tolerance of 5 % does not make it paid.
    [1n, 97n, false],
    [100n, 97n, true],
    [100n, 94n, false],
  ])('of %d units %d percent are full with a tolerance of 5 percent: %s', (due, percent, isFull) => {
    const quotes = [{ ...USDC, id: 'usdc', assetAmount: 1_000_000n }];
    expect(weigh(due, [usdc(percent * 10_000n, 1n)], quotes, 500n).isFull).toBe(isFull);
  });

  it('never takes more for paid than was sent, and forgets nothing that reaches the floor', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 24n });
    fc.assert(
      fc.property(
        amount,
        amount,
        amount,
        fc.array(amount, { maxLength: 5 }),
        (due, price, floor, amounts) => {
          const quotes = [{ ...USDC, id: 'usdc', assetAmount: price }];
          const sum = amounts.reduce((total, one) => total + one, 0n);
          const weight = weigh(
            due,
            amounts.map((one) => usdc(one, floor)),
            quotes,
            0n,
          );
          const value = (due * sum) / price;
          expect(weight.matters).toBe((sum >= floor && value > 0n) || (sum >= price && sum > 0n));
          expect(partOf(due, weight.paid)).toBe(weight.matters ? value : 0n);
          expect(weight.dust.size).toBe(weight.matters || sum === 0n ? 0 : 1);
        },
      ),
    );
  });
});
