import type { Transfer } from '../payment.pure.js';
import { isLive } from './transfer-state.pure.js';

/** The outcome of accepting an unmatched transfer (specification/payment-states.md#unmatched-funds). */
export type AcceptanceDecision =
  | 'accept'
  /** It was requested, or accepted before: nothing to do, and no error. */
  | 'counts_already'
  /** No live transfer any more: its block or its transaction is gone. It can be accepted when it comes back. */
  | 'transfer_gone'
  /** Not a transfer of this payment; whether it belongs to another payment is not revealed. */
  | 'unknown_transfer';

/**
 * Decides whether a transfer can be accepted. The payment's status does not matter: a final status stays, and the
 * acceptance gives the funds the value that a refund needs (specification/refunds.md#refundable-payments).
 * @param transfer of the payment; null: the payment has no such transfer
 */
export function decideAcceptance(transfer: Pick<Transfer, 'isMatched' | 'state'> | null): AcceptanceDecision {
  if (!transfer) return 'unknown_transfer';
  // First, so that repeating an acceptance returns the same, whatever has happened since.
  if (transfer.isMatched) return 'counts_already';
  return isLive(transfer) ? 'accept' : 'transfer_gone';
}

/** A live transfer that matters and is neither matched nor accepted (specification/payment-states.md#unmatched-funds). */
export function isUnmatched(transfer: Pick<Transfer, 'isMatched' | 'isDust' | 'state'>): boolean {
  return !transfer.isMatched && !transfer.isDust && isLive(transfer);
}
