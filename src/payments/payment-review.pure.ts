import { type Decisions, isHeldAsOverpaid, isStillPaid } from './payment-status.pure.js';
import { hasLateFunds } from './transfers/late-funds.pure.js';
import type { PaymentAggregate, ReviewReason } from './payment.pure.js';
import type { Settlement } from './quotes/settlement.pure.js';

/**
 * Why the payment needs manual review (specification/payment-states.md#review-reasons); null if it does not. In
 * RECEIVED and CONFIRMED the reason follows from the facts alone and ends when the funds are back; a payment that left
 * these statuses keeps it until then.
 * @param state with the payment's previous reason
 */
export function reviewReason(
  state: Pick<PaymentAggregate, 'payment' | 'transfers'>,
  funds: Settlement,
  decisions: Decisions,
): ReviewReason | null {
  const { status, reviewReason: marked, reasonBefore } = state.payment;
  // An authentic payment alone is judged: if it was stopped, it goes on from where it was.
  const before = marked === 'integrity' ? reasonBefore : marked;
  const lasting = before === 'overpaid' ? null : before;
  switch (status) {
    case 'RECEIVED':
      return isHeldAsOverpaid(funds, decisions) ? 'overpaid' : null;
    case 'CONFIRMED':
      return isStillPaid(funds, decisions) ? null : 'reorg';
    case 'CANCELLED':
    case 'ERROR':
    case 'REFUND':
      return hasLateFunds(state, funds) ? 'funds_after_cancel' : lasting;
    case 'OPEN':
    case 'FOUND':
    case 'UNDERPAID':
      return lasting;
  }
}
