import { EVENT_TYPES } from '../../applications/event-types.pure.js';
import { EXAMPLE_PAYMENT_ID } from '../parameters.js';
import {
  choice,
  count,
  flag,
  httpUrl,
  instant,
  list,
  nullable,
  object,
  type Schema,
  type Schemas,
  text,
  uuid,
} from '../../platform/contract/json-schema.js';

export const EXAMPLE_DELIVERY = {
  id: 'e2a1c3b4-5d6f-4a7b-8c9d-0e1f2a3b4c5d',
  eventId: '0b0e1f6c-5a3d-4a53-9d5c-0c8b1f0a7e11',
  event: 'payment.received',
  paymentId: EXAMPLE_PAYMENT_ID,
  attempt: 2,
  url: 'https://mystore.example/webhooks/payments',
  status: 'SUCCEEDED',
  httpStatus: 200,
  errorMessage: null,
  requestBody: '{"id":"0b0e1f6c-5a3d-4a53-9d5c-0c8b1f0a7e11","event":"payment.received"}',
  responseBody: 'ok',
  durationMs: 84,
  nextAttemptAt: null,
  createdAt: '2026-01-15T10:20:00Z',
  test: false,
};

/** As it waits for its one attempt. */
export const EXAMPLE_TEST_DELIVERY = {
  ...EXAMPLE_DELIVERY,
  attempt: 0,
  url: null,
  status: 'PENDING',
  httpStatus: null,
  requestBody: '{"id":"0b0e1f6c-5a3d-4a53-9d5c-0c8b1f0a7e11","event":"payment.received","test":true}',
  responseBody: null,
  durationMs: null,
  nextAttemptAt: '2026-01-15T10:20:00Z',
  test: true,
};

export const WEBHOOK_EVENTS = EVENT_TYPES;

/**
 * The outcomes of attempts, and three states that are no attempt's outcome (specification/webhooks.md#delivery-log).
 */
export const DELIVERY_STATUSES = [
  'PENDING',
  'SUCCEEDED',
  'FAILED',
  'EXHAUSTED',
  'BLOCKED',
  'SKIPPED',
  'SUPERSEDED',
];

const deliveryFields: Record<string, Schema> = {
  id: uuid('The delivery; `deliveryId` in paths.'),
  eventId: uuid('The event: `id` in its body.'),
  event: choice('What happened.', WEBHOOK_EVENTS),
  paymentId: uuid('The payment that it is about.'),
  attempt: count('Attempts so far.'),
  url: nullable(httpUrl('Where the newest attempt went, or the next one goes.')),
  status: choice(
    'PENDING: not tried yet. SUCCEEDED: answered 2xx. FAILED: the last attempt failed, another one comes. EXHAUSTED: ' +
      'no more attempts. BLOCKED: no readable secret to sign with. SKIPPED: no callback URL. SUPERSEDED: what it says is ' +
      'no longer true, or a later event of the payment made it pointless.',
    DELIVERY_STATUSES,
  ),
  httpStatus: { type: ['integer', 'null'], description: 'What your server answered; null: nothing.' },
  errorMessage: nullable(text('Why the attempt failed.')),
  requestBody: text('The exact text that is signed and sent.'),
  responseBody: nullable(text('The beginning of what your server answered.')),
  durationMs: nullable(count('How long the attempt took, in milliseconds.')),
  nextAttemptAt: nullable(instant('When it is tried next; null: not any more.')),
  createdAt: instant('When it happened.'),
  test: flag('A test event: it never happened, and `paymentId` names no payment.'),
};

export const settingsSchemas: Schemas = {
  WebhookDelivery: object('WebhookDelivery', 'One webhook, with its newest attempt.', deliveryFields),
  WebhookTest: object(
    'WebhookTest',
    'A test event that is on its way, and what is known to be wrong already.',
    {
      ...deliveryFields,
      warnings: list(
        'Why your server will refuse it, e.g. a `secret` that published verifiers cannot decode; in English. Mostly empty.',
        { type: 'string' },
      ),
    },
  ),
};
