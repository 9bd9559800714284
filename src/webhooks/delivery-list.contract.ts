import { EVENT_TYPES, type EventType } from '../applications/event-types.pure.js';
import { EXAMPLE_PAYMENT_ID } from '../payments/payment.contract.js';
import { PaymentApplicationIds } from '../payments/payment-overview.contract.js';
import { Choice, Instant, Text, Uuid } from '../platform/web/contract/fields.js';
import { CursorQuery } from '../platform/web/http/cursor-query.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from './webhook-delivery.contract.js';

/** Query of GET /api/webhook-deliveries (specification/overview.md#deliveries). */
export class ListAllDeliveriesQuery extends CursorQuery {
  @PaymentApplicationIds()
  paymentApplicationId?: string[];

  @Uuid({ optional: true, about: 'Only deliveries about this payment.', example: EXAMPLE_PAYMENT_ID })
  paymentId?: string;

  @Text({ min: 1, max: 255, optional: true, about: 'Only deliveries about payments of this reference.' })
  reference?: string;

  @Choice(EVENT_TYPES, { optional: true, about: 'Only deliveries of this event.' })
  event?: EventType;

  @Choice(DELIVERY_STATUSES, { optional: true, about: 'Only deliveries in this status.' })
  status?: DeliveryStatus;

  @Instant({ optional: true, about: 'Of events at this time or later; with a time zone.' })
  from?: Date;

  @Instant({ optional: true, about: 'Of events at this time or earlier; with a time zone.' })
  to?: Date;
}
