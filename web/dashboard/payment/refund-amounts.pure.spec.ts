import type { Payment, Refund } from '../api/operations.js';
import { inCoin, refundableOf } from './refund-amounts.pure.js';

const usd = (cents: number) => ({ atomic: String(cents), decimals: 2, currency: { code: 'USD' } });
const usdc = (units: string, changes: object = {}) => ({
  status: 'CONFIRMED',
  matched: true,
  currencyCode: 'USDC',
  blockchain: 'base',
  amount: { atomic: units, decimals: 6, currency: { code: 'USDC' } },
  ...changes,
});
const paymentOf = (received: number, over: number | null, transactions: object[] = []) =>
  ({
    receivedAmount: usd(received),
    overpaidAmount: over === null ? null : usd(over),
    transactions,
  }) as unknown as Payment;
const refund = (cents: number, status: Refund['status'], transferId: string | null = null) =>
  ({ amount: usd(cents), status, transferId }) as unknown as Refund;

it.each<[what: string, payment: Payment, refunds: Refund[], amounts: string[]]>([
  ['paid exactly', paymentOf(2_605, null), [], ['all 2605']],
  ['paid twice', paymentOf(5_210, 2_605), [], ['excess 2605', 'price 2605', 'all 5210']],
  ['paid too much', paymentOf(3_000, 395), [], ['excess 395', 'price 2605', 'all 3000']],
  [
    'too much, of which a part went back',
    paymentOf(3_000, 395),
    [refund(100, 'COMPLETED')],
    ['excess 295', 'price 2605', 'all 2900'],
  ],
  // Each way in which a refund can stand: the customer has the link, or the money.
  ...(['AWAITING_ADDRESS', 'AWAITING_PAYMENT', 'PROCESSING', 'FAILED', 'COMPLETED'] as const).map(
    (status): [string, Payment, Refund[], string[]] => [
      `paid twice, whose excess is ${status}`,
      paymentOf(5_210, 2_605),
      [refund(2_605, status)],
      ['all 2605'],
    ],
  ),
  ...(['CANCELLED', 'EXPIRED'] as const).map((status): [string, Payment, Refund[], string[]] => [
    `paid twice, whose refund is ${status}`,
    paymentOf(5_210, 2_605),
    [refund(2_605, status)],
    ['excess 2605', 'price 2605', 'all 5210'],
  ]),
  [
    'paid too much, of which more went back',
    paymentOf(3_000, 395),
    [refund(2_900, 'COMPLETED')],
    ['all 100'],
  ],
  ['all in a refund', paymentOf(2_605, null), [refund(2_605, 'AWAITING_ADDRESS')], []],
  ['of which a reorganization took what is promised', paymentOf(0, null), [refund(2_605, 'FAILED')], []],
])('offers of a payment %s', (_what, payment, refunds, amounts) => {
  const { amounts: offered, left } = refundableOf(payment, refunds);
  expect(offered.map(({ choice, atomic }) => `${choice} ${atomic}`)).toEqual(amounts);
  expect(String(left)).toBe(amounts.at(-1)?.split(' ')[1] ?? '0');
});

it.each<[what: string, transactions: object[], units: string | null]>([
  ['of one coin', [usdc('52110424')], '26055212'],
  ['of two transfers, rounded down', [usdc('17370141'), usdc('34740282')], '26055211'],
  ['of one that does not count', [usdc('52110424'), usdc('7', { matched: false })], '26055212'],
  ['of two networks', [usdc('26055212'), usdc('26055212', { blockchain: 'ethereum' })], null],
  ['of none', [], null],
])('a half in the coin, %s, is %s', (_what, transactions, units) => {
  expect(inCoin(paymentOf(5_210, 2_605, transactions), '2605')?.atomic ?? null).toBe(units);
});

it('gives back as it came what came in another coin, once it is final, and once only', () => {
  const stray = usdc('7', { id: 'stray', matched: false });
  const transactions = [usdc('52110424'), stray, usdc('8', { matched: false, status: 'PENDING' })];
  const unmatchedWith = (...refunds: Refund[]) =>
    refundableOf(paymentOf(5_210, null, transactions), refunds).unmatched;
  expect(unmatchedWith()).toEqual([stray]);
  expect(unmatchedWith(refund(0, 'CANCELLED', 'stray'))).toEqual([stray]);
  expect(unmatchedWith(refund(0, 'AWAITING_ADDRESS', 'stray'))).toEqual([]);
});
