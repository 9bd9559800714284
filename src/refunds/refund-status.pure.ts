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

/** Who created a refund: the merchant by the API, or the customer on the page of the payment. */
export const REFUND_CREATORS = ['merchant', 'customer'] as const;
export type RefundCreator = (typeof REFUND_CREATORS)[number];

/** Every legal move. The database enforces the same table (migrations/0001-baseline/refunds.sql). */
export const REFUND_TRANSITIONS = {
  AWAITING_ADDRESS: ['AWAITING_PAYMENT', 'CANCELLED', 'EXPIRED'],
  AWAITING_PAYMENT: ['PROCESSING', 'CANCELLED'],
  PROCESSING: ['COMPLETED', 'FAILED'],
  // Another transaction may be recorded, or the refund cancelled.
  FAILED: ['PROCESSING', 'CANCELLED'],
  COMPLETED: [],
  CANCELLED: [],
  EXPIRED: [],
} as const satisfies Record<RefundStatus, readonly RefundStatus[]>;

/** Whether a refund may move from one status to another; staying is not a move. */
export function canMoveRefund(from: RefundStatus, to: RefundStatus): boolean {
  return (REFUND_TRANSITIONS[from] as readonly RefundStatus[]).includes(to);
}

/** The merchant may set or correct the address before a transaction is recorded, and after it failed. */
export function takesAddress(status: RefundStatus): boolean {
  return status === 'AWAITING_ADDRESS' || status === 'AWAITING_PAYMENT' || status === 'FAILED';
}

/** A sped-up transaction has another hash, so one that is being verified may be replaced; the new one is verified as well. */
export function takesTransaction(status: RefundStatus): boolean {
  return status === 'AWAITING_PAYMENT' || status === 'PROCESSING' || status === 'FAILED';
}

/** Whether the transaction is the one that is recorded, and not refused. */
export function isReportedAs(
  { status, txHash }: { status: RefundStatus; txHash: string | null },
  reported: string,
): boolean {
  return (status === 'PROCESSING' || status === 'COMPLETED') && txHash === reported;
}

/** Why a transaction cannot be recorded for a refund. The values are part of the API. */
export const REPORT_REFUSALS = [
  'unknown',
  'stopped',
  'no_address',
  'closed',
  'completed',
  'not_a_hash',
  'taken',
] as const;
export type ReportRefusal = (typeof REPORT_REFUSALS)[number];

/** Null: it can. */
export function reportRefusal(
  refund: { status: RefundStatus; txHash: string | null },
  txHash: string | null,
): ReportRefusal | null {
  if (txHash === null) return 'not_a_hash';
  if (isReportedAs(refund, txHash) || takesTransaction(refund.status)) return null;
  if (refund.status === 'COMPLETED') return 'completed';
  return refund.status === 'AWAITING_ADDRESS' ? 'no_address' : 'closed';
}

/** The facts of a payment that decide about a refund; amounts are in the smallest unit of its currency. */
export interface RefundBasis {
  status: PaymentStatus;
  received: bigint;
  overpaid: bigint | null;
  /** Sum of the refunds that are neither cancelled nor expired. */
  promised: bigint;
}

/** The type that is shown with a refund; nothing else depends on it. */
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

/** Why a payout does not count. Stored and shown, so the values never change. */
export type FailureReason =
  'transaction_not_found' | 'transaction_failed' | 'address_not_paid' | 'wrong_asset' | 'amount_too_low';

/** Result of {@link assessPayout}. */
export type PayoutAssessment =
  | { kind: 'wait'; confirmations: number; isSeen: boolean }
  | { kind: 'completed'; confirmations: number; credited: bigint }
  | { kind: 'failed'; confirmations: number; reason: FailureReason };

/** A refund that a transaction pays, beside others. */
export interface SharedPayout {
  id: string;
  /** Smallest unit of the asset on its chain. */
  payoutAmount: bigint;
}

/** What the transaction must have paid. */
export interface Payout extends SharedPayout {
  asset: string;
  addressKey: Buffer;
  confirmationsRequired: number;
}

/** Seconds without a node that knows the transaction, after which it counts as never sent. */
export const GIVE_UP_AFTER_SECONDS = 24 * 3_600;

/** The other refunds that name the transaction, with the same asset and address. */
export interface Sharing {
  completed: readonly SharedPayout[];
  /** Not decided yet. */
  pending: readonly SharedPayout[];
}

/**
 * What is left for a refund of what its transaction has paid to its address: no unit counts for two refunds. Those that
 * are completed have had theirs; of the others the larger come first, so that a payout of one of two goes to the one
 * that it was made for. If all were paid, there is enough for each, whatever the order.
 */
export function leftFor(payout: SharedPayout, paid: bigint, { completed, pending }: Sharing): bigint {
  let left = completed.reduce((rest, { payoutAmount }) => rest - payoutAmount, paid);
  const before = pending.filter((other) => compareShares(other, payout) < 0).toSorted(compareShares);
  for (const { payoutAmount } of before) if (payoutAmount <= left) left -= payoutAmount;
  return left;
}

function compareShares(a: SharedPayout, b: SharedPayout): number {
  if (a.payoutAmount !== b.payoutAmount) return a.payoutAmount > b.payoutAmount ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/**
 * Compares a transaction with the payout that it is reported to be. Success and failure are final only at the required
 * depth, because a reorganization can still change either. Outputs of the transaction to the same address are added.
 * Other refunds that name the same transaction take their parts of them ({@link leftFor}).
 * @param unseenSeconds since a node last knew the transaction, or since it was recorded
 */
export function assessPayout(
  payout: Payout,
  observed: ObservedTransaction,
  unseenSeconds: number,
  sharing: Sharing,
): PayoutAssessment {
  if (observed.fate !== 'mined') {
    const isSeen = observed.fate === 'mempool';
    return !isSeen && unseenSeconds >= GIVE_UP_AFTER_SECONDS
      ? { kind: 'failed', confirmations: 0, reason: 'transaction_not_found' }
      : { kind: 'wait', confirmations: 0, isSeen };
  }
  const { confirmations } = observed;
  if (confirmations < payout.confirmationsRequired) return { kind: 'wait', confirmations, isSeen: true };
  if (!observed.succeeded) return { kind: 'failed', confirmations, reason: 'transaction_failed' };
  const toAddress = observed.credits.filter(({ key }) => key.equals(payout.addressKey));
  const paid = toAddress
    .filter(({ asset }) => asset === payout.asset)
    .reduce((sum, { amount }) => sum + amount, 0n);
  if (leftFor(payout, paid, sharing) >= payout.payoutAmount)
    return { kind: 'completed', confirmations, credited: paid };
  if (paid > 0n) return { kind: 'failed', confirmations, reason: 'amount_too_low' };
  return { kind: 'failed', confirmations, reason: toAddress.length > 0 ? 'wrong_asset' : 'address_not_paid' };
}
