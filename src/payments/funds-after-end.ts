import type { PaymentState } from './payment.js';
import type { Settlement } from './settlement.js';
import { isUnmatched } from './transfer-acceptance.js';

/**
 * Whether a payment that nothing leads out of holds funds that somebody must look at: nothing moves, what came is
 * recorded, and `reviewReason` says so (api.md H, H11). Funds that nobody asked for are funds too: no status shows
 * them, so on a closed payment nobody would look for them.
 */
export function hasFundsAfterEnd(
  { payment, transfers }: Pick<PaymentState, 'payment' | 'transfers'>,
  funds: Pick<Settlement, 'isSeen' | 'receivedAmount'>,
): boolean {
  switch (payment.status) {
    case 'CANCELLED':
    case 'ERROR':
      return funds.isSeen || transfers.some(isUnmatched);
    case 'REFUND':
      // More than what was given back.
      return funds.receivedAmount > payment.refundedAmount || transfers.some(isUnmatched);
    default:
      return false;
  }
}
