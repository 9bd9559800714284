import type { Transfer } from './payment.pure.js';
import { isLive } from './transfer-state.pure.js';

/**
 * What becomes of a merchant's wish to accept a transfer that nobody asked for
 * (specification/payment-states.md#unmatched-funds).
 */
export type AcceptanceVerdict =
  | 'accept'
  /** It counts by itself or was accepted before: nothing to do, and no error. */
  | 'counts_already'
  /** No live transfer any more: its block or its transaction is gone. It can be accepted when it comes back. */
  | 'transfer_gone'
  /** Not a transfer of this payment; whether it is one of another payment is not told. */
  | 'unknown_transfer';

/**
 * Judges an acceptance. The payment's status has no say: one that nothing leads out of stays as it is, and the funds
 * get the value without which no refund record can give them back (specification/refunds.md#refundable-payments), as
 * later funds in the right coin have it by themselves.
 * @param transfer of the payment; null: the payment has no such transfer
 */
export function judgeAcceptance(transfer: Pick<Transfer, 'isMatched' | 'state'> | null): AcceptanceVerdict {
  if (!transfer) return 'unknown_transfer';
  // First, so that repeating an acceptance answers the same whatever has happened since.
  if (transfer.isMatched) return 'counts_already';
  return isLive(transfer) ? 'accept' : 'transfer_gone';
}

/**
 * A transfer that is there, but which nobody asked for and nobody has accepted
 * (specification/payment-states.md#unmatched-funds).
 */
export function isUnmatched(transfer: Pick<Transfer, 'isMatched' | 'state'>): boolean {
  return !transfer.isMatched && isLive(transfer);
}
