import type { Amount, Payment, Transaction } from '../api/operations.js';

/** How much of a payment is given back. */
export interface RefundAmount {
  choice: 'excess' | 'price' | 'all';
  /** Smallest unit of the currency of the payment, in digits. */
  atomic: string;
}

/** Smallest units of the currency of the payment that can be given back. */
export function refundableOf({ receivedAmount, refundedAmount }: Payment): bigint {
  return BigInt(receivedAmount.atomic) - BigInt(refundedAmount?.atomic ?? '0');
}

/** What came on another network or in another coin, and is final. */
export function unmatchedOf({ transactions }: Payment): Transaction[] {
  return transactions.filter(({ status, matched }) => status === 'CONFIRMED' && !matched);
}

/**
 * What can be given back, the likely one first: what was paid too much, if anything was, then what the order cost, and
 * all that is left. Choices of the same amount are listed once.
 */
export function refundAmounts(payment: Payment): RefundAmount[] {
  const { overpaidAmount } = payment;
  const left = refundableOf(payment);
  const over = BigInt(overpaidAmount?.atomic ?? '0');
  const excess = over < left ? over : left;
  const choices = [
    ['excess', excess],
    ['price', excess > 0n ? left - excess : 0n],
    ['all', left],
  ] as const;
  return choices.flatMap(([choice, units]) => (units > 0n ? { choice, atomic: String(units) } : []));
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
