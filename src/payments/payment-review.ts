import { type Decisions, isHeldAsOverpaid, isStillPaid } from './payment-status.js';
import { hasFundsAfterEnd } from './funds-after-end.js';
import type { PaymentState, ReviewReason } from './payment.js';
import type { Settlement } from './settlement.js';

/**
 * What a person should look at now (api.md C2, H6, H8, H11); null: nothing. RECEIVED and CONFIRMED tell it from the
 * facts alone, so it ends there as soon as the funds are back. A payment that fell back keeps it until then.
 * @param state its payment with the reason that it had until now
 */
export function reviewReason(
  state: Pick<PaymentState, 'payment' | 'transfers'>,
  funds: Settlement,
  decisions: Decisions,
): ReviewReason | null {
  const { status, reviewReason: before } = state.payment;
  const lasting = before === 'overpaid' ? null : before;
  switch (status) {
    case 'RECEIVED':
      return isHeldAsOverpaid(funds, decisions) ? 'overpaid' : null;
    case 'CONFIRMED':
      return isStillPaid(funds, decisions) ? null : 'reorg';
    case 'CANCELLED':
    case 'ERROR':
    case 'REFUND':
      return hasFundsAfterEnd(state, funds) ? 'funds_after_cancel' : lasting;
    case 'OPEN':
    case 'FOUND':
    case 'UNDERPAID':
      return lasting;
  }
}
