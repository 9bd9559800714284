import {
  choice,
  count,
  flag,
  httpUrl,
  instant,
  nullable,
  object,
  ref,
  type Schema,
  type Schemas,
  sentInstant,
  text,
  uuid,
} from '../../platform/contract/json-schema.js';
import { exampleOf } from '../../platform/contract/contract.js';
import { PaymentListItemContract } from '../../payments/payment.contract.js';
import { DELIVERY_STATUSES, EXAMPLE_DELIVERY, WEBHOOK_EVENTS } from './settings.js';

export const EXAMPLE_ATTEMPT = {
  attempt: 2,
  url: EXAMPLE_DELIVERY.url,
  httpStatus: 200,
  errorMessage: null,
  requestHeaders: {
    'webhook-id': EXAMPLE_DELIVERY.eventId,
    'webhook-timestamp': '1768472405',
    'X-PaymentService-Event': 'payment.received',
    'X-PaymentService-Timestamp': '1768472405',
  },
  requestBody: EXAMPLE_DELIVERY.requestBody,
  responseBody: 'ok',
  startedAt: '2026-01-15T10:20:05.120Z',
  connectMs: 31,
  firstByteMs: 82,
  durationMs: 84,
};

export const EXAMPLE_REPLAY = {
  count: 17,
  lastDeliveryId: EXAMPLE_DELIVERY.id,
  hasMore: false,
};

export const EXAMPLE_ENDPOINT = {
  callbackUrl: EXAMPLE_DELIVERY.url,
  paused: false,
  pausedAt: null,
  pausedBy: null,
  pauseReason: null,
  waiting: 3,
  consecutiveFailures: 5,
  lastFailureAt: '2026-01-15T11:59:00Z',
  lastError: 'HTTP 500',
  lastSuccessAt: '2026-01-15T10:20:00Z',
};

export const EXAMPLE_UNACKNOWLEDGED = {
  payment: { ...exampleOf(PaymentListItemContract, 'response'), status: 'RECEIVED' },
  receivedAt: '2026-01-15T10:20:00Z',
  waitingSeconds: 5_940,
  deliveryId: EXAMPLE_DELIVERY.id,
  deliveryStatus: 'FAILED',
  attempt: 6,
  lastAttemptAt: '2026-01-15T11:20:10Z',
  httpStatus: 500,
  errorMessage: 'HTTP 500',
  nextAttemptAt: '2026-01-15T12:20:00Z',
};

const httpStatus: Schema = {
  type: ['integer', 'null'],
  description: 'What your server answered; null: nothing.',
};

export const webhookPortalSchemas: Schemas = {
  WebhookAttempt: object('WebhookAttempt', 'One HTTP request to your endpoint.', {
    attempt: count('Its number, from 1.'),
    url: httpUrl('Where it went.'),
    httpStatus,
    errorMessage: nullable(text('Why there was no answer.')),
    requestHeaders: {
      type: 'object',
      description: 'What was sent beside the body. Signatures are not kept.',
      properties: {
        'webhook-id': uuid('The event.'),
        'webhook-timestamp': text('Unix seconds of this attempt.'),
        'X-PaymentService-Event': choice('The name of the event.', WEBHOOK_EVENTS),
        'X-PaymentService-Timestamp': text('The same as `webhook-timestamp`.'),
        'X-PaymentService-Test': text('Only with a test event.', { const: 'true' }),
      },
      required: ['webhook-id', 'webhook-timestamp', 'X-PaymentService-Event', 'X-PaymentService-Timestamp'],
    },
    requestBody: text('The exact text that was signed and sent.'),
    responseBody: nullable(text('The first 4 KiB of what your server answered.')),
    startedAt: text('When it started, to the millisecond.', { format: 'date-time' }),
    connectMs: nullable(
      count(
        'Until there was a connection (host name, TCP, TLS), in milliseconds; next to nothing on one that was kept open. ' +
          'null: there never was one, or the attempt is older than this field.',
      ),
    ),
    firstByteMs: nullable(
      count(
        'From the start until the head of your answer was there, in milliseconds. null: none came, or the attempt is older ' +
          'than this field.',
      ),
    ),
    durationMs: count('From looking up your host name to the end of your answer, in milliseconds.'),
  }),
  ReplayWebhooks: object(
    'ReplayWebhooks',
    'What to deliver again.',
    {
      since: sentInstant('Of deliveries made at this time or later.'),
      until: sentInstant('And at this time or earlier; without it, until now.'),
      status: choice('Only those that wait for another attempt, or that were given up; without it, both.', [
        'FAILED',
        'EXHAUSTED',
      ]),
      after: uuid('`lastDeliveryId` of the answer before, to go on behind it.'),
    },
    ['until', 'status', 'after'],
  ),
  WebhookReplay: object('WebhookReplay', 'What a replay did.', {
    count: count('Deliveries that are due now.'),
    lastDeliveryId: nullable(uuid('The last of them: `after` of the next request. Null: none.')),
    hasMore: flag('There may be more.'),
  }),
  PauseWebhooks: object(
    'PauseWebhooks',
    'Why.',
    {
      reason: nullable(
        text('Shown with the endpoint, to whoever wonders later.', { minLength: 1, maxLength: 255 }),
      ),
    },
    ['reason'],
  ),
  TestWebhook: object('TestWebhook', 'Which test event.', {
    event: choice('What to pretend.', WEBHOOK_EVENTS),
  }),
  WebhookEndpoint: object('WebhookEndpoint', 'Where the webhooks of an application go, and how that goes.', {
    callbackUrl: nullable(httpUrl('As it is saved now.')),
    paused: flag('Nothing is sent, and everything is kept.'),
    pausedAt: nullable(instant('Since when.')),
    pausedBy: {
      type: ['string', 'null'],
      enum: ['GONE', 'MERCHANT', null],
      description:
        'GONE: it answered 410; resuming, or saving the `callbackUrl`, ends it. MERCHANT: you; resuming ends it.',
    },
    pauseReason: nullable(text('Why it is paused.')),
    waiting: count('Deliveries that are not done, counted up to 10,000.'),
    consecutiveFailures: count(
      'Failed attempts since the last success, counted over the newest 1,000 waiting and 1,000 given-up deliveries.',
    ),
    lastFailureAt: nullable(instant('The newest of these.')),
    lastError: nullable(text('What went wrong then.')),
    lastSuccessAt: nullable(instant('When it answered 2xx last.')),
  }),
  UnacknowledgedPayment: object('UnacknowledgedPayment', 'Paid, and the shop has not said that it knows.', {
    payment: ref('PaymentListItem'),
    receivedAt: instant('When the payment entered RECEIVED.'),
    waitingSeconds: count('How long ago that is.'),
    deliveryId: nullable(uuid('Of `payment.received`; null: not made yet.')),
    deliveryStatus: {
      type: ['string', 'null'],
      enum: [...DELIVERY_STATUSES, null],
      description: 'Its status, as in the log.',
    },
    attempt: count('Attempts so far.'),
    lastAttemptAt: nullable(instant('The newest one.')),
    httpStatus,
    errorMessage: nullable(text('Why it failed.')),
    nextAttemptAt: nullable(instant('When it is tried next; null: not any more.')),
  }),
};
