import { PaymentApplicationIds } from '../payments/payment-overview.contract.js';
import { choiceList } from '../platform/web/contract/choice-list.js';
import { FieldOf } from '../platform/web/contract/fields.js';
import { CursorQuery } from '../platform/web/http/cursor-query.js';
import { REFUND_STATUSES, type RefundStatus } from './refund-status.pure.js';

/** Query of GET /api/refunds (specification/overview.md#refunds). */
export class ListRefundsQuery extends CursorQuery {
  @FieldOf(
    {
      schema: () => ({ type: 'array', items: { type: 'string', enum: REFUND_STATUSES }, minItems: 1 }),
      ...choiceList(REFUND_STATUSES),
    },
    {
      optional: true,
      about: 'With one of these statuses, separated by commas.',
      example: ['AWAITING_PAYMENT', 'FAILED'],
    },
  )
  status?: RefundStatus[];

  @PaymentApplicationIds()
  paymentApplicationId?: string[];
}
