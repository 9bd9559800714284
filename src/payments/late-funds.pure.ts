import type { PaymentAggregate } from './payment.pure.js';
import type { Settlement } from './settlement.pure.js';
import { isUnmatched } from './transfer-acceptance.pure.js';

/**
 * Whether a payment that nothing leads out of holds funds that somebody must look at: nothing moves, what came is
 * recorded, and `reviewReason` says so (specification/payment-states.md#funds-after-the-end). Funds that nobody asked
 * for are funds too: no status shows them, so on a closed payment nobody would look for them.
 */
export function hasLateFunds(
  { payment, transfers }: Pick<PaymentAggregate, 'payment' | 'transfers'>,
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
