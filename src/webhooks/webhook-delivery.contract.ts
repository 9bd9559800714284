import { EVENT_TYPES, type EventType } from '../applications/event-types.pure.js';
import { EXAMPLE_PAYMENT_ID } from '../payments/payment.contract.js';
import { Contract } from '../platform/web/contract/contract.js';
import {
  Choice,
  Count,
  FieldOf,
  Flag,
  HttpUrl,
  Instant,
  QueryFlag,
  Text,
  Uuid,
} from '../platform/web/contract/fields.js';
import { only, type Schema } from '../platform/web/contract/json-schema.js';
import { uuidParameter } from '../platform/web/contract/operation.js';
import { PageQuery } from '../platform/web/http/pagination.js';

const EXAMPLE_DELIVERY_ID = 'e2a1c3b4-5d6f-4a7b-8c9d-0e1f2a3b4c5d';
const EXAMPLE_EVENT_ID = '0b0e1f6c-5a3d-4a53-9d5c-0c8b1f0a7e11';
const EXAMPLE_URL = 'https://mystore.example/webhooks/payments';
const EXAMPLE_BODY = `{"id":"${EXAMPLE_EVENT_ID}","event":"payment.received"}`;

/** `:deliveryId` of every path of a delivery. */
export const DELIVERY_ID = uuidParameter('The delivery.', EXAMPLE_DELIVERY_ID);

/** Outcomes of attempts, and three states without an attempt (specification/webhooks.md#delivery-log). */
export const DELIVERY_STATUSES = [
  'PENDING',
  'SUCCEEDED',
  'FAILED',
  'EXHAUSTED',
  'BLOCKED',
  'SKIPPED',
  'SUPERSEDED',
] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Statuses that a replay selects from. */
const REPLAYABLE = ['FAILED', 'EXHAUSTED'] as const;
export type ReplayableStatus = (typeof REPLAYABLE)[number];

/** Query of GET /api/payment-applications/{id}/webhook-deliveries (specification/webhooks.md#delivery-log). */
export class ListDeliveriesQuery extends PageQuery {
  @Uuid({ optional: true, about: 'Only deliveries about this payment.', example: EXAMPLE_PAYMENT_ID })
  paymentId?: string;

  @Choice(EVENT_TYPES, { optional: true, about: 'Only deliveries of this event.' })
  event?: EventType;

  @Choice(DELIVERY_STATUSES, { optional: true, about: 'Only deliveries in this status.' })
  status?: DeliveryStatus;

  @QueryFlag({ optional: true, default: false, about: 'Test events instead of real ones.' })
  test = false;
}

/** Body of POST /api/payment-applications/{id}/webhook-deliveries/replay. */
@Contract('ReplayWebhooks', 'What to deliver again.')
export class ReplayWebhooksContract {
  @Instant({ about: 'Only deliveries created at this time or later.', example: '2026-01-15T00:00:00Z' })
  since: Date;

  @Instant({
    optional: true,
    about: 'Only deliveries created at this time or earlier; without it, until now.',
  })
  until?: Date;

  @Choice(REPLAYABLE, {
    optional: true,
    about:
      'FAILED: only those that wait for another attempt. EXHAUSTED: only those given up. Without it, both.',
  })
  status?: ReplayableStatus;

  @Uuid({ optional: true, about: '`lastDeliveryId` of the previous response, to continue after it.' })
  after?: string;
}

/** Result of one replay. */
@Contract('WebhookReplay', 'What a replay did.')
export class WebhookReplayContract {
  @Count({ about: 'The number of deliveries that are due now.', example: 17 })
  count: number;

  @Uuid({
    nullable: true,
    about: 'The last of them: `after` of the next request. Null: none.',
    example: EXAMPLE_DELIVERY_ID,
  })
  lastDeliveryId: string | null;

  @Flag({ about: 'There may be more.' })
  hasMore: boolean;
}

/** What every list of deliveries shows. */
class DeliveryFields {
  @Uuid({ about: 'The delivery; `deliveryId` in paths.', example: EXAMPLE_DELIVERY_ID })
  id: string;

  @Uuid({ about: 'The event: `id` in its body.', example: EXAMPLE_EVENT_ID })
  eventId: string;

  @Choice(EVENT_TYPES, { about: 'The name of the event.', example: 'payment.received' })
  event: EventType;

  @Uuid({ about: 'The payment that it is about.', example: EXAMPLE_PAYMENT_ID })
  paymentId: string;

  @Count({ about: 'The number of attempts so far.', example: 2 })
  attempt: number;

  @Choice(DELIVERY_STATUSES, {
    about:
      'PENDING: no attempt yet. SUCCEEDED: your server returned 2xx. FAILED: the last attempt failed, another one ' +
      'follows. EXHAUSTED: no more attempts. BLOCKED: no readable secret to sign with. SKIPPED: no callback URL. ' +
      'SUPERSEDED: what it says is no longer true, or a later event of the payment made it obsolete.',
    example: 'SUCCEEDED',
  })
  status: DeliveryStatus;

  @Count({ nullable: true, about: 'The status that your server returned; null: no response.', example: 200 })
  httpStatus: number | null;

  @Text({ nullable: true, about: 'Why the attempt failed.' })
  errorMessage: string | null;

  @Count({ nullable: true, about: 'How long the attempt took, in milliseconds.', example: 84 })
  durationMs: number | null;

  @Instant({ nullable: true, about: 'When the next attempt is due; null: there is none.' })
  nextAttemptAt: string | null;

  @Instant({ about: 'When the event happened.', example: '2026-01-15T10:20:00Z' })
  createdAt: string;
}

/** A delivery with its newest attempt, or a test event with its only one (specification/webhooks.md#delivery-log). */
@Contract('WebhookDelivery', 'One webhook, with its newest attempt.')
export class WebhookDeliveryContract extends DeliveryFields {
  @HttpUrl({
    nullable: true,
    about: 'Where the newest attempt was sent, or the next one will be.',
    example: EXAMPLE_URL,
  })
  url: string | null;

  @Text({
    about:
      'The exact text that is signed and sent; for a viewer of the account, without the signatures of its links.',
    example: EXAMPLE_BODY,
  })
  requestBody: string;

  @Text({ nullable: true, about: 'The beginning of the response body of your server.', example: 'ok' })
  responseBody: string | null;

  @Flag({ about: 'A test event: nothing happened, and `paymentId` is the id of no payment.' })
  test: boolean;
}

/** One row of GET /api/webhook-deliveries (specification/overview.md#deliveries). */
@Contract('WebhookDeliverySummary', 'One webhook, without what was sent and returned.')
export class DeliverySummaryContract extends DeliveryFields {
  @Uuid({
    about: 'Its application; `id` in the paths of a delivery.',
    example: '7d7f3f0a-4d5e-4f7a-8f0e-2f1d3c4b5a69',
  })
  paymentApplicationId: string;

  @Text({ about: 'The reference of its payment.', example: 'ORDER-1042' })
  reference: string;
}

/** Differences of the example of a delivery that waits for its next attempt. */
export const DUE = { status: 'PENDING', nextAttemptAt: '2026-01-15T11:00:00Z' };

/** The stored part of the headers of an attempt. */
interface SentHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'X-PaymentService-Event': EventType;
  'X-PaymentService-Timestamp': string;
  'X-PaymentService-Test'?: string;
}

const SENT_HEADERS: Schema = {
  type: 'object',
  properties: {
    'webhook-id': { type: 'string', format: 'uuid', description: 'The event.' },
    'webhook-timestamp': { type: 'string', description: 'When this attempt started, in Unix seconds.' },
    'X-PaymentService-Event': { type: 'string', description: 'The name of the event.', enum: EVENT_TYPES },
    'X-PaymentService-Timestamp': { type: 'string', description: 'The same as `webhook-timestamp`.' },
    'X-PaymentService-Test': { ...only('true'), description: 'Only with a test event.' },
  },
  required: ['webhook-id', 'webhook-timestamp', 'X-PaymentService-Event', 'X-PaymentService-Timestamp'],
};

@Contract('WebhookAttempt', 'One HTTP request to your endpoint.')
export class WebhookAttemptContract {
  @Count({ about: 'Its number, from 1.', example: 2 })
  attempt: number;

  @HttpUrl({ about: 'Where it was sent.', example: EXAMPLE_URL })
  url: string;

  @Count({ nullable: true, about: 'The status that your server returned; null: no response.', example: 200 })
  httpStatus: number | null;

  @Text({ nullable: true, about: 'Why there was no response.' })
  errorMessage: string | null;

  @FieldOf(
    { schema: () => SENT_HEADERS },
    {
      about: 'The headers that were sent, without the signatures, which are not stored.',
      example: {
        'webhook-id': EXAMPLE_EVENT_ID,
        'webhook-timestamp': '1768472405',
        'X-PaymentService-Event': 'payment.received',
        'X-PaymentService-Timestamp': '1768472405',
      },
    },
  )
  requestHeaders: SentHeaders;

  @Text({
    about:
      'The exact text that was signed and sent; for a viewer of the account, without the signatures of its links.',
    example: EXAMPLE_BODY,
  })
  requestBody: string;

  @Text({ nullable: true, about: 'The first 4 KiB of the response body of your server.', example: 'ok' })
  responseBody: string | null;

  @Text({
    format: 'date-time',
    about: 'When it started, to the millisecond.',
    example: '2026-01-15T10:20:05.120Z',
  })
  startedAt: string;

  @Count({
    nullable: true,
    about:
      'Until there was a connection (host name, TCP, TLS), in milliseconds; close to 0 on a connection that was kept ' +
      'open. Null: there was no connection, or the attempt is older than this field.',
    example: 31,
  })
  connectMs: number | null;

  @Count({
    nullable: true,
    about:
      'From the start to the response headers, in milliseconds. Null: none arrived, or the attempt is older than this ' +
      'field.',
    example: 82,
  })
  firstByteMs: number | null;

  @Count({
    about: 'From looking up your host name to the end of the response, in milliseconds.',
    example: 84,
  })
  durationMs: number;
}
