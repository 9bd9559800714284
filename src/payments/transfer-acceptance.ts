import type { Transfer } from './payment.js';
import type { PaymentStatus } from './payment-status.js';

/** What becomes of a merchant's wish to accept a transfer that nobody asked for (api.md C5, H10). */
export type AcceptanceVerdict =
  | 'accept'
  /** It counts by itself or was accepted before: nothing to do, and no error. */
  | 'counts_already'
  /** No live transfer any more: its block or its transaction is gone. It can be accepted when it comes back. */
  | 'transfer_gone'
  /** Nothing leads out of the payment's status. */
  | 'payment_closed'
  /** Not a transfer of this payment; whether it is one of another payment is not told. */
  | 'unknown_transfer';

/** Statuses that nothing leads out of; what came to them can only be sent back. */
const CLOSED: readonly PaymentStatus[] = ['CANCELLED', 'ERROR', 'REFUND'];

/**
 * Judges an acceptance. A CONFIRMED payment takes one as well: its status stays, and the funds become an
 * overpayment that can be refunded, as later funds in the right coin do.
 * @param transfer of the payment; null: the payment has no such transfer
 */
export function judgeAcceptance(
  status: PaymentStatus,
  transfer: Pick<Transfer, 'isMatched' | 'state'> | null,
): AcceptanceVerdict {
  if (!transfer) return 'unknown_transfer';
  // First, so that repeating an acceptance answers the same whatever has happened since.
  if (transfer.isMatched) return 'counts_already';
  if (CLOSED.includes(status)) return 'payment_closed';
  return isLive(transfer) ? 'accept' : 'transfer_gone';
}

/** A transfer that is there, but which nobody asked for and nobody has accepted (api.md H10). */
export function isUnmatched(transfer: Pick<Transfer, 'isMatched' | 'state'>): boolean {
  return !transfer.isMatched && isLive(transfer);
}

function isLive({ state }: Pick<Transfer, 'state'>): boolean {
  return state === 'pending' || state === 'confirmed';
}
