import type { Amount, Payment, Refund, Transaction } from '../api/operations.js';

/** How much of a payment is given back. */
export interface RefundAmount {
  choice: 'excess' | 'price' | 'all';
  /** Smallest unit of the currency of the payment, in digits. */
  atomic: string;
}

/** What is in no refund yet. A refund counts from the moment that it is made: the customer may have its link. */
export interface Refundable {
  /** Smallest units of the currency of the payment. */
  left: bigint;
  /** The likely one first: what was paid too much, if anything was, then what the order cost, and all that is left. */
  amounts: RefundAmount[];
  /** What came on another network or in another coin, and is final. */
  unmatched: Transaction[];
  /** What of it can be made to count, final or not. What is given back cannot pay the order as well. */
  acceptable: Transaction[];
}

export function refundableOf(payment: Payment, refunds: readonly Refund[]): Refundable {
  const standing = refunds.filter(({ status }) => status !== 'CANCELLED' && status !== 'EXPIRED');
  const promised = standing.reduce((sum, { amount }) => sum + BigInt(amount.atomic), 0n);
  const notBelow = (units: bigint) => (units > 0n ? units : 0n);
  const left = notBelow(BigInt(payment.receivedAmount.atomic) - promised);
  // Whatever went back was the excess first, as the gateway counts it.
  const excess = notBelow(BigInt(payment.overpaidAmount?.atomic ?? '0') - promised);
  const strays = payment.transactions.filter(
    ({ id, matched }) => !matched && standing.every(({ transferId }) => transferId !== id),
  );
  const choices = [
    ['excess', excess],
    ['price', excess > 0n ? left - excess : 0n],
    ['all', left],
  ] as const;
  return {
    left,
    amounts: choices.flatMap(([choice, units]) => (units > 0n ? { choice, atomic: String(units) } : [])),
    unmatched: strays.filter(({ status }) => status === 'CONFIRMED'),
    acceptable: strays.filter(({ acceptable }) => acceptable),
  };
}

/**
 * The same in the coin, as the gateway pays it out: the confirmed units times the share, rounded down. Null: more than
 * one coin came, so that the gateway says it when the refund is made.
 */
export function inCoin({ receivedAmount, transactions }: Payment, atomic: string): Amount | null {
  const counted = transactions.filter(({ status, matched }) => status === 'CONFIRMED' && matched);
  const [first] = counted;
  const worth = BigInt(receivedAmount.atomic);
  const isOfOne = counted.every(
    (one) => one.currencyCode === first?.currencyCode && one.blockchain === first.blockchain,
  );
  if (!first || !isOfOne || worth === 0n) return null;
  const units = counted.reduce((sum, { amount }) => sum + BigInt(amount.atomic), 0n);
  return { ...first.amount, atomic: String((BigInt(atomic) * units) / worth) };
}
