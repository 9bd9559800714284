import type { Payment } from '../api/operations.js';
import { inCoin, refundAmounts, unmatchedOf } from './refund-amounts.pure.js';

const usd = (cents: number) => ({ atomic: String(cents), decimals: 2, currency: { code: 'USD' } });
const usdc = (units: string, changes: object = {}) => ({
  status: 'CONFIRMED',
  matched: true,
  currencyCode: 'USDC',
  blockchain: 'base',
  amount: { atomic: units, decimals: 6, currency: { code: 'USDC' } },
  ...changes,
});
const paymentOf = (
  received: number,
  over: number | null,
  refunded: number | null,
  transactions: object[] = [],
) =>
  ({
    receivedAmount: usd(received),
    overpaidAmount: over === null ? null : usd(over),
    refundedAmount: refunded === null ? null : usd(refunded),
    transactions,
  }) as unknown as Payment;

it.each<[what: string, payment: Payment, amounts: string[]]>([
  ['paid exactly', paymentOf(2_605, null, null), ['all 2605']],
  ['paid twice', paymentOf(5_210, 2_605, null), ['excess 2605', 'price 2605', 'all 5210']],
  ['paid too much', paymentOf(3_000, 395, null), ['excess 395', 'price 2605', 'all 3000']],
  [
    'too much, of which a part went back',
    paymentOf(3_000, 395, 100),
    ['excess 395', 'price 2505', 'all 2900'],
  ],
  ['less left than the excess', paymentOf(3_000, 395, 2_900), ['excess 100', 'all 100']],
  ['nothing left', paymentOf(2_605, null, 2_605), []],
])('offers of a payment %s: %j', (_what, payment, amounts) => {
  expect(refundAmounts(payment).map(({ choice, atomic }) => `${choice} ${atomic}`)).toEqual(amounts);
});

it.each<[what: string, transactions: object[], units: string | null]>([
  ['of one coin', [usdc('52110424')], '26055212'],
  ['of two transfers, rounded down', [usdc('17370141'), usdc('34740282')], '26055211'],
  ['of one that does not count', [usdc('52110424'), usdc('7', { matched: false })], '26055212'],
  ['of two networks', [usdc('26055212'), usdc('26055212', { blockchain: 'ethereum' })], null],
  ['of none', [], null],
])('a half in the coin, %s, is %s', (_what, transactions, units) => {
  expect(inCoin(paymentOf(5_210, 2_605, null, transactions), '2605')?.atomic ?? null).toBe(units);
});

it('gives back as it came what came in another coin, once it is final', () => {
  const stray = usdc('7', { matched: false });
  const transactions = [usdc('52110424'), stray, usdc('8', { matched: false, status: 'PENDING' })];
  expect(unmatchedOf(paymentOf(5_210, null, null, transactions))).toEqual([stray]);
});
