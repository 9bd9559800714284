import { EVENT_TYPES, type EventType } from '../../applications/event-types.pure.js';
import { EXAMPLE_PAYMENT_ID } from '../../payments/payment.contract.js';
import { Contract } from '../../platform/web/contract/contract.js';
import { Choice, HttpUrl, Instant, Text, Uuid } from '../../platform/web/contract/fields.js';
import { SpanExportQuery } from '../../platform/web/http/export-query.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../webhook-delivery.contract.js';

const EXAMPLE_APPLICATION_ID = '7d7f3f0a-4d5e-4f7a-8f0e-2f1d3c4b5a69';
const COUNT = '^\\d+$';

/** Query of GET /api/webhook-deliveries/export (specification/exports.md#deliveries). */
export class ExportDeliveriesQuery extends SpanExportQuery {
  @Uuid({ optional: true, about: 'Only deliveries to this application.', example: EXAMPLE_APPLICATION_ID })
  paymentApplicationId?: string;

  @Uuid({ optional: true, about: 'Only deliveries about this payment.', example: EXAMPLE_PAYMENT_ID })
  paymentId?: string;

  @Text({ min: 1, max: 255, optional: true, about: 'Only deliveries about payments of this reference.' })
  reference?: string;

  @Choice(EVENT_TYPES, { optional: true, about: 'Only deliveries of this event.' })
  event?: EventType;

  @Choice(DELIVERY_STATUSES, { optional: true, about: 'Only deliveries in this status.' })
  status?: DeliveryStatus;
}

/** A row of the export of deliveries: without bodies, which the delivery itself has. */
@Contract('DeliveryExportRow', 'A webhook in an export, with its newest attempt.')
export class DeliveryExportRow {
  @Uuid({ about: 'The delivery.', example: 'e2a1c3b4-5d6f-4a7b-8c9d-0e1f2a3b4c5d' })
  id: string;

  @Instant({ about: 'When the event happened.', example: '2026-01-15T10:20:00Z' })
  createdAt: string;

  @Uuid({ about: 'The event.', example: '0b0e1f6c-5a3d-4a53-9d5c-0c8b1f0a7e11' })
  eventId: string;

  @Choice(EVENT_TYPES, { about: 'Its name.', example: 'payment.received' })
  event: EventType;

  @Uuid({ about: 'The payment that it is about.', example: EXAMPLE_PAYMENT_ID })
  paymentId: string;

  @Uuid({ about: 'Its application.', example: EXAMPLE_APPLICATION_ID })
  paymentApplicationId: string;

  @Choice(DELIVERY_STATUSES, { about: 'As in the delivery.', example: 'SUCCEEDED' })
  status: DeliveryStatus;

  @Text({ pattern: COUNT, about: 'The number of attempts so far.', example: '2' })
  attempt: string;

  @HttpUrl({ nullable: true, about: 'Where the newest attempt was sent; null: none was.' })
  url: string | null;

  @Text({ pattern: COUNT, nullable: true, about: 'The status that your server returned.', example: '200' })
  httpStatus: string | null;

  @Text({ nullable: true, about: 'Why the attempt failed.' })
  errorMessage: string | null;

  @Text({ pattern: COUNT, nullable: true, about: 'Milliseconds that the attempt took.', example: '84' })
  durationMs: string | null;

  @Instant({ nullable: true, about: 'When an attempt first succeeded.' })
  succeededAt: string | null;

  @Instant({ nullable: true, about: 'When the next attempt is due.' })
  nextAttemptAt: string | null;
}
