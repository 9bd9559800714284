import type { Type } from '@nestjs/common';
import type { ApplicationEventType, EventType } from '../../applications/event-types.pure.js';
import {
  PaymentCancelledEvent,
  PaymentCompletedEvent,
  PaymentExpiredEvent,
  PaymentFoundEvent,
  PaymentReceivedEvent,
  PaymentUnderpaidEvent,
  PaymentUpdatedEvent,
} from '../../payments/payment-event.contract.js';
import { OneOf } from '../../platform/web/contract/contract.js';
import { QueryInteger } from '../../platform/web/contract/fields.js';
import { IgnoresUnknownParameters } from '../../platform/web/contract/read-contract.js';
import { CursorField } from '../../platform/web/http/cursor-query.js';
import { PaymentRefundEvent } from '../../refunds/refund-event.contract.js';
import { PaymentRefundRequestedEvent } from '../../refunds/refund-requested-event.contract.js';
import { WalletChangedEvent } from '../wallet-changed-event.contract.js';
import { FEED_START, parseFeedPlace } from './event-cursor.js';

const MAX_LIMIT = 100;

/** The body of every event of a payment. The document's `webhooks` section and its schema `Event` are made from it. */
export const EVENT_BODIES: Readonly<Record<EventType, Type<object>>> = {
  'payment.received': PaymentReceivedEvent,
  'payment.completed': PaymentCompletedEvent,
  'payment.underpaid': PaymentUnderpaidEvent,
  'payment.found': PaymentFoundEvent,
  'payment.expired': PaymentExpiredEvent,
  'payment.cancelled': PaymentCancelledEvent,
  'payment.refund': PaymentRefundEvent,
  'payment.updated': PaymentUpdatedEvent,
};

/** The same of events that go to the application by webhook only. */
export const APPLICATION_EVENT_BODIES: Readonly<Record<ApplicationEventType, Type<object>>> = {
  'wallet.changed': WalletChangedEvent,
  'payment.refund_requested': PaymentRefundRequestedEvent,
};

/** All of them, so that clients can read any webhook by one type; code generators also drop what only webhooks name. */
@OneOf(
  'Event',
  'What webhooks carry, and the feed, which has those of payments except `payment.refund_requested`.',
  () => [...Object.values(EVENT_BODIES), ...Object.values(APPLICATION_EVENT_BODIES)],
)
export class EventContract {}

/**
 * Query of GET /api/events/stream (specification/events.md#stream). Libraries that replace EventSource add parameters
 * when they reconnect, e.g. `lastEventId`; if these were refused, every stream would end at its first break.
 */
@IgnoresUnknownParameters()
export class StreamEventsQuery {
  /** The header Last-Event-ID takes precedence. */
  @CursorField(parseFeedPlace, {
    optional: true,
    about:
      'A cursor of `GET /api/events` or an `id` of this stream. One that is ahead of every event gets a 422, as there.',
  })
  after = FEED_START;
}

/** Query of GET /api/events (specification/events.md#feed). */
export class ListEventsQuery {
  @CursorField(parseFeedPlace, {
    optional: true,
    about:
      'The cursor of the previous response; without it, from the first event on. A cursor ahead of every event gets a ' +
      '422: the gateway was restored from an older backup. Then read from the beginning and drop known ids.',
  })
  after = FEED_START;

  @QueryInteger({
    optional: true,
    min: 1,
    max: MAX_LIMIT,
    default: MAX_LIMIT,
    about: 'How many events at most.',
  })
  limit = MAX_LIMIT;
}
