import { PaymentApplicationIds } from '../payments/payment-overview.contract.js';
import { refuse, type Rule } from '../platform/contract/field.js';
import { FieldOf } from '../platform/contract/fields.js';
import { selectionMessage } from '../platform/contract/selection-message.pure.js';
import { CursorQuery } from '../platform/http/cursor-query.js';
import { REFUND_STATUSES, type RefundStatus } from './refund-status.pure.js';

const readStatuses: Rule = (value) => {
  const statuses = typeof value === 'string' ? value.split(',') : [];
  const wrong = statuses.find((status) => !(REFUND_STATUSES as readonly string[]).includes(status));
  if (statuses.length > 0 && wrong === undefined) return { value: statuses };
  return refuse(
    (field) =>
      `${selectionMessage(field, wrong, { allowed: REFUND_STATUSES })} Several are separated by commas, without spaces.`,
  );
};

/** Query of GET /api/refunds (specification/overview.md#refunds). */
export class ListRefundsQuery extends CursorQuery {
  @FieldOf(
    {
      schema: () => ({ type: 'array', items: { type: 'string', enum: REFUND_STATUSES }, minItems: 1 }),
      read: readStatuses,
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
