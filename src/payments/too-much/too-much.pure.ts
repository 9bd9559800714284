import type { PaymentStatus } from '../payment-status.pure.js';
import type { Payment, ReviewReason } from '../payment.pure.js';

/** What is known of a payment that may have received too much. Amounts are in the pricing currency's smallest unit. */
export interface TooMuchFacts {
  status: PaymentStatus;
  reviewReason: ReviewReason | null;
  receivedAmount: bigint;
  /** More than dust, and confirmed. */
  overpaidAmount: bigint | null;
  /** Sum of the refunds that are neither cancelled nor expired. */
  promised: bigint;
  /** Of the excess, what the merchant keeps. */
  keptAmount: bigint | null;
  /** It was held, and accepted; with `keptAmount` unless that was before there was one. */
  isOverpayAccepted: boolean;
  isTwiceKept: boolean;
  /** Another payment of its application that is paid has its reference, and it is the one to give back. */
  hasTwin: boolean;
  /** Matched funds that matter came after the end, and no refund accounts for them, nor has the merchant kept them. */
  hasFundsAfterEnd: boolean;
  /** Its first money came after the end of its link (paid-late.pure.ts). */
  isPaidLate: boolean;
  isLateKept: boolean;
}

/** What is too much, if anything (specification/payment-states.md#too-much). */
export interface TooMuch {
  /** The excess that is neither given back, nor about to be, nor kept; zero: none, or it is held and decided about there. */
  owed: bigint;
  isPaidTwice: boolean;
  isAfterEnd: boolean;
  isPaidLate: boolean;
}

/** What rows beside the payment say of it. */
export type BesidePayment = Pick<TooMuchFacts, 'promised' | 'hasTwin' | 'hasFundsAfterEnd'>;

/** What the payment itself says of it. */
export type OfPayment = Pick<
  Payment,
  | 'status'
  | 'reviewReason'
  | 'receivedAmount'
  | 'overpaidAmount'
  | 'keptAmount'
  | 'overpayAcceptedAt'
  | 'twiceKeptAt'
  | 'paidLateAt'
  | 'lateKeptAt'
>;

export function tooMuchFacts(payment: OfPayment, beside: BesidePayment): TooMuchFacts {
  const { promised, hasTwin, hasFundsAfterEnd } = beside;
  const { status, reviewReason, receivedAmount, overpaidAmount, keptAmount } = payment;
  return {
    status,
    reviewReason,
    receivedAmount,
    overpaidAmount,
    keptAmount,
    promised,
    hasTwin,
    hasFundsAfterEnd,
    isOverpayAccepted: payment.overpayAcceptedAt !== null,
    isTwiceKept: payment.twiceKeptAt !== null,
    isPaidLate: payment.paidLateAt !== null,
    isLateKept: payment.lateKeptAt !== null,
  };
}

/** Whether the merchant may keep what is too much: a held payment is accepted instead. */
export function isKeepable({ owed, isPaidTwice, isAfterEnd, isPaidLate }: TooMuch): boolean {
  return owed > 0n || isPaidTwice || isAfterEnd || isPaidLate;
}

/** The one decision; the queue finds the same by too-much-sql.repository.ts. */
export function tooMuchOf(facts: TooMuchFacts): TooMuch {
  const { status, reviewReason, overpaidAmount, promised, keptAmount } = facts;
  const isPaid = status === 'RECEIVED' || status === 'CONFIRMED';
  const isDecided = facts.isOverpayAccepted && keptAmount === null;
  const excess = (overpaidAmount ?? 0n) - promised - (keptAmount ?? 0n);
  const isThere = reviewReason !== 'reorg' && facts.receivedAmount > promised;
  return {
    owed: isPaid && reviewReason !== 'overpaid' && !isDecided && excess > 0n ? excess : 0n,
    isPaidTwice: (isPaid || status === 'UNDERPAID') && isThere && !facts.isTwiceKept && facts.hasTwin,
    isAfterEnd: reviewReason === 'funds_after_cancel' && facts.hasFundsAfterEnd,
    isPaidLate: isPaid && isThere && facts.isPaidLate && !facts.isLateKept,
  };
}
