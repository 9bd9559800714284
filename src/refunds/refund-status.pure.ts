import type { ObservedTransaction } from '../chains/chain-adapter.pure.js';
import type { PaymentStatus } from '../payments/payment-status.pure.js';

/** See specification/refunds.md#refund-states. */
export const REFUND_STATUSES = [
  'AWAITING_ADDRESS',
  'AWAITING_PAYMENT',
  'PROCESSING',
  'COMPLETED',
  'CANCELLED',
  'FAILED',
  'EXPIRED',
] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

export const REFUND_TYPES = ['FULL', 'PARTIAL', 'OVERPAYMENT', 'UNDERPAYMENT', 'UNEXPECTED'] as const;
export type RefundType = (typeof REFUND_TYPES)[number];

/** Every legal move. The database enforces the same table (migrations/0001-baseline/refunds.sql). */
export const REFUND_TRANSITIONS = {
  AWAITING_ADDRESS: ['AWAITING_PAYMENT', 'CANCELLED', 'EXPIRED'],
  AWAITING_PAYMENT: ['PROCESSING', 'CANCELLED'],
  PROCESSING: ['COMPLETED', 'FAILED'],
  // No payout counts any more: another transaction may be named, or the refund given up.
  FAILED: ['PROCESSING', 'CANCELLED'],
  COMPLETED: [],
  CANCELLED: [],
  EXPIRED: [],
} as const satisfies Record<RefundStatus, readonly RefundStatus[]>;

/** Whether the table allows a move; staying is no move. */
export function canMoveRefund(from: RefundStatus, to: RefundStatus): boolean {
  return (REFUND_TRANSITIONS[from] as readonly RefundStatus[]).includes(to);
}

/** Before a payout is under way, and after it failed, the merchant may set or correct the address. */
export function takesAddress(status: RefundStatus): boolean {
  return status === 'AWAITING_ADDRESS' || status === 'AWAITING_PAYMENT' || status === 'FAILED';
}

/** A sped-up payout has another hash, so that one under way may be replaced; it is verified like the first. */
export function takesTransaction(status: RefundStatus): boolean {
  return status === 'AWAITING_PAYMENT' || status === 'PROCESSING' || status === 'FAILED';
}

/** What of the payment decides about a refund; amounts in the smallest unit of its currency. */
export interface RefundBasis {
  status: PaymentStatus;
  received: bigint;
  overpaid: bigint | null;
  /** Sum of the refunds that are neither cancelled nor expired. */
  promised: bigint;
}

/**
 * Whether a payment in that status can be refunded (specification/refunds.md#refundable-payments). OPEN and FOUND may
 * still change by themselves.
 */
export function isRefundable({ status, received }: Pick<RefundBasis, 'status' | 'received'>): boolean {
  return status !== 'OPEN' && status !== 'FOUND' && received > 0n;
}

/** What is left to be refunded; never below zero, although a reorg may take back what was promised. */
export function leftToRefund({ received, promised }: RefundBasis): bigint {
  return received > promised ? received - promised : 0n;
}

/** What kind of refund this is, for people and reports; nothing depends on it. */
export function refundTypeOf(basis: RefundBasis, amount: bigint): RefundType {
  switch (basis.status) {
    case 'CANCELLED':
    case 'ERROR':
    case 'REFUND':
      return 'UNEXPECTED';
    case 'UNDERPAID':
      return 'UNDERPAYMENT';
    default:
      if (amount <= (basis.overpaid ?? 0n) - basis.promised) return 'OVERPAYMENT';
      return amount >= basis.received ? 'FULL' : 'PARTIAL';
  }
}

/** Why a payout does not count; stable words. */
export type FailureReason =
  'transaction_not_found' | 'transaction_failed' | 'address_not_paid' | 'wrong_asset' | 'amount_too_low';

export type Verdict =
  | { kind: 'wait'; confirmations: number; isSeen: boolean }
  | { kind: 'completed'; confirmations: number }
  | { kind: 'failed'; confirmations: number; reason: FailureReason };

/** What the transaction has to do. */
export interface Payout {
  asset: string;
  addressKey: Buffer;
  /** Smallest unit of the asset on its chain. */
  payoutAmount: bigint;
  confirmationsRequired: number;
}

/** Seconds for which nobody has seen the transaction before it counts as never made. */
export const GIVE_UP_AFTER_SECONDS = 24 * 3_600;

/**
 * Judges a payout by its transaction. Good or bad is said only at the required depth: a reorg before it may still
 * turn either into the other. Several outputs of one transaction to the address add up.
 * @param unseenSeconds since a node last knew the transaction, or since it was named
 */
export function judgePayout(payout: Payout, seen: ObservedTransaction, unseenSeconds: number): Verdict {
  if (seen.fate !== 'mined') {
    const isSeen = seen.fate === 'mempool';
    return !isSeen && unseenSeconds >= GIVE_UP_AFTER_SECONDS
      ? { kind: 'failed', confirmations: 0, reason: 'transaction_not_found' }
      : { kind: 'wait', confirmations: 0, isSeen };
  }
  const { confirmations } = seen;
  if (confirmations < payout.confirmationsRequired) return { kind: 'wait', confirmations, isSeen: true };
  if (!seen.succeeded) return { kind: 'failed', confirmations, reason: 'transaction_failed' };
  const toAddress = seen.credits.filter(({ key }) => key.equals(payout.addressKey));
  const paid = toAddress
    .filter(({ asset }) => asset === payout.asset)
    .reduce((sum, { amount }) => sum + amount, 0n);
  if (paid >= payout.payoutAmount) return { kind: 'completed', confirmations };
  if (paid > 0n) return { kind: 'failed', confirmations, reason: 'amount_too_low' };
  return { kind: 'failed', confirmations, reason: toAddress.length > 0 ? 'wrong_asset' : 'address_not_paid' };
}
