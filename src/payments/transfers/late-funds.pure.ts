import type { PaymentAggregate } from '../payment.pure.js';
import type { Settlement } from '../quotes/settlement.pure.js';
import { isUnmatched } from './transfer-acceptance.pure.js';

/**
 * Whether a payment in a final status has funds that need review: the status stays, the funds are recorded, and
 * `reviewReason` is set (specification/payment-states.md#funds-after-the-end). Unmatched funds count too, because no
 * status shows them and they would go unnoticed on a closed payment.
 */
export function hasLateFunds(
  { payment, transfers }: Pick<PaymentAggregate, 'payment' | 'transfers'>,
  funds: Pick<Settlement, 'isSeen' | 'countedAmount' | 'leastAmount'>,
): boolean {
  switch (payment.status) {
    case 'CANCELLED':
    case 'ERROR':
      return funds.isSeen || transfers.some(isUnmatched);
    case 'REFUND':
      // More than was refunded.
      return funds.countedAmount - payment.refundedAmount >= funds.leastAmount || transfers.some(isUnmatched);
    default:
      return false;
  }
}
