import type { PaymentStatus } from '../../payments/payment-status.pure.js';

/** What decides what is open of a payment, in the smallest unit of its currency. */
export interface OwedFacts {
  status: PaymentStatus;
  overpaidAmount: bigint | null;
  underpaidAmount: bigint | null;
  /** The sum of completed refunds, and of those that are neither completed nor given up. */
  refundedAmount: bigint;
  promised: bigint;
  /** Of the excess, what the merchant keeps. */
  keptAmount: bigint | null;
  /** It was held, and accepted; with `keptAmount` unless that was before there was one. */
  overpayAcceptedAt: Date | null;
}

export interface Owed {
  /** To the customer, without what a refund promises already; or by the customer. */
  kind: 'overpaid' | 'missing';
  amount: bigint;
}

/** What is open of a payment besides its refunds. Whatever goes back is the excess first. */
export function owedOf(payment: OwedFacts): Owed[] {
  const { status, overpaidAmount, underpaidAmount, refundedAmount, promised, keptAmount } = payment;
  const excess = (overpaidAmount ?? 0n) - refundedAmount - promised - (keptAmount ?? 0n);
  const isDecided = payment.overpayAcceptedAt !== null && keptAmount === null;
  if (excess > 0n && !isDecided) return [{ kind: 'overpaid', amount: excess }];
  const missing = underpaidAmount ?? 0n;
  return status === 'UNDERPAID' && missing > 0n ? [{ kind: 'missing', amount: missing }] : [];
}
