import type { Paths } from '../openapi-types.js';
import { data, operation, page, PAGE, parameter } from '../operation.js';
import { DELIVERY_ID } from './settings.js';
import { EXAMPLE_TEST_DELIVERY } from '../schemas/settings.js';
import {
  EXAMPLE_ATTEMPT,
  EXAMPLE_ENDPOINT,
  EXAMPLE_REPLAY,
  EXAMPLE_UNACKNOWLEDGED,
} from '../schemas/webhook-portal.js';
import { ref } from '../../platform/contract/json-schema.js';

const ID = parameter('ApplicationId');
const TAG = 'Webhook deliveries';

export const webhookPortalPaths: Paths = {
  '/api/payment-applications/{id}/webhook-deliveries/{deliveryId}/attempts': {
    get: operation({
      id: 'listWebhookAttempts',
      tag: TAG,
      summary: 'List the attempts of a webhook delivery',
      description: 'Newest first: what was sent each time, what came back, and how long it took.',
      access: 'oauth',
      parameters: [ID, DELIVERY_ID, ...PAGE],
      answers: { 200: page('One page of attempts.', 'WebhookAttempt', EXAMPLE_ATTEMPT) },
      errors: ['payment_application_not_found'],
    }),
  },
  '/api/payment-applications/{id}/webhook-deliveries/replay': {
    post: operation({
      id: 'replayWebhooks',
      tag: TAG,
      summary: 'Deliver everything that failed again',
      description:
        'Makes deliveries due that wait for another attempt or were given up, oldest first and at most 1,000 at a time: ' +
        'while `hasMore` is true, ask again with `after` set to `lastDeliveryId`. The events of a payment still come one ' +
        'after the other.',
      access: 'oauth',
      isIdempotent: true,
      parameters: [ID],
      body: { schema: ref('ReplayWebhooks'), example: { since: '2026-01-15T00:00:00Z' } },
      answers: { 202: data('How many are due now.', ref('WebhookReplay'), EXAMPLE_REPLAY) },
      errors: ['payment_application_not_found'],
    }),
  },
  '/api/payment-applications/{id}/webhook-endpoint': {
    get: operation({
      id: 'getWebhookEndpoint',
      tag: TAG,
      summary: 'See how the webhook endpoint does',
      description: 'Whether deliveries go out or are paused, and how the last ones ended.',
      access: 'oauth',
      parameters: [ID],
      answers: { 200: data('The endpoint.', ref('WebhookEndpoint'), EXAMPLE_ENDPOINT) },
      errors: ['payment_application_not_found'],
    }),
  },
  '/api/payment-applications/{id}/webhook-endpoint/pause': {
    post: operation({
      id: 'pauseWebhooks',
      tag: TAG,
      summary: 'Pause webhooks',
      description:
        'Deliveries under way end; events that come are kept, in order. Payments stay RECEIVED meanwhile. Pausing again answers ' +
        'the same.',
      access: 'oauth',
      parameters: [ID],
      body: {
        schema: ref('PauseWebhooks'),
        example: { reason: 'The shop is being moved' },
        required: false,
      },
      answers: {
        200: data('The endpoint, paused.', ref('WebhookEndpoint'), {
          ...EXAMPLE_ENDPOINT,
          paused: true,
          pausedAt: '2026-01-15T12:00:00Z',
          pausedBy: 'MERCHANT',
          pauseReason: 'The shop is being moved',
        }),
      },
      errors: ['payment_application_not_found'],
    }),
  },
  '/api/payment-applications/{id}/webhook-endpoint/resume': {
    post: operation({
      id: 'resumeWebhooks',
      tag: TAG,
      summary: 'Resume webhooks',
      description: 'Also after a 410. Everything that waits is sent. Resuming again answers the same.',
      access: 'oauth',
      parameters: [ID],
      answers: { 200: data('The endpoint, no longer paused.', ref('WebhookEndpoint'), EXAMPLE_ENDPOINT) },
      errors: ['payment_application_not_found'],
    }),
  },
  '/api/payment-applications/{id}/webhook-test': {
    post: operation({
      id: 'testWebhook',
      tag: TAG,
      summary: 'Send a test event',
      description:
        'Signed like any other, once, also while the endpoint is paused. The body says `"test":true`, the header ' +
        '`X-PaymentService-Test` too; the payment in it never was, and is in no list and no feed. Its outcome is in the ' +
        'log: `GET …/webhook-deliveries?test=true`.',
      access: 'oauth',
      isIdempotent: true,
      parameters: [ID],
      body: {
        schema: ref('TestWebhook'),
        example: { event: 'payment.received' },
      },
      answers: {
        202: data('The test event, to be sent at once.', ref('WebhookTest'), {
          ...EXAMPLE_TEST_DELIVERY,
          warnings: [],
        }),
      },
      errors: ['payment_application_not_found', 'invalid_state_transition'],
    }),
  },
  '/api/payment-applications/{id}/unacknowledged-payments': {
    get: operation({
      id: 'listUnacknowledgedPayments',
      tag: TAG,
      summary: 'List payments that the shop has not acknowledged',
      description:
        'RECEIVED, and no 2xx to `payment.received` yet: the money is there, and the shop may not know. Those that wait ' +
        'longest first.',
      access: 'oauth',
      parameters: [ID, ...PAGE],
      answers: {
        200: page('One page of payments.', 'UnacknowledgedPayment', EXAMPLE_UNACKNOWLEDGED),
      },
      errors: ['payment_application_not_found'],
    }),
  },
};
