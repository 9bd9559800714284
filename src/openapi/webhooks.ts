import { isOptIn } from '../applications/event-types.pure.js';
import type { Parameter, PathItem } from './openapi-types.js';
import { EXAMPLE_PAYMENT, OPEN } from '../payments/payment.contract.js';
import { exampleOf as contractExample } from '../platform/contract/contract.js';
import { COMPLETED as COMPLETED_REFUND, RefundContract } from '../refunds/refund.contract.js';
import {
  object,
  ref,
  type Schema,
  type Schemas,
  text,
  uuid,
  instant,
} from '../platform/contract/json-schema.js';

interface EventKind {
  event: string;
  id: string;
  schema: string;
  summary: string;
  description: string;
  status: string;
}

/** The only one that tells of a refund, too. */
const REFUNDED = 'payment.refund';

const COMPLETED: EventKind = {
  event: 'payment.completed',
  id: 'onPaymentCompleted',
  schema: 'PaymentCompletedEvent',
  summary: 'You have acknowledged the payment',
  description: 'Follows your 2xx to `payment.received`; its own delivery changes nothing.',
  status: 'CONFIRMED',
};

/** Standard and optional events, in the order a payment may reach them (specification/events.md#event-types). */
const EVENTS: readonly EventKind[] = [
  {
    event: 'payment.received',
    id: 'onPaymentReceived',
    schema: 'PaymentReceivedEvent',
    summary: 'The full amount is confirmed',
    description:
      'Every time that the payment enters RECEIVED. Your 2xx moves it on to CONFIRMED. Where the application accepts ' +
      'underpayments, look at `receivedAmount` and `underpaidAmount` first.',
    status: 'RECEIVED',
  },
  COMPLETED,
  {
    event: 'payment.underpaid',
    id: 'onPaymentUnderpaid',
    schema: 'PaymentUnderpaidEvent',
    summary: 'Less than the amount is confirmed',
    description:
      'Only where it is not accepted by itself: the application does not allow it, or it is below the operator’s minimum.',
    status: 'UNDERPAID',
  },
  {
    event: 'payment.found',
    id: 'onPaymentFound',
    schema: 'PaymentFoundEvent',
    summary: 'A transaction was seen',
    description:
      'Only where `events` of the application lists it. Every time that the payment enters FOUND; nothing is final yet. ' +
      'Not sent any more once a later event tells of confirmed funds.',
    status: 'FOUND',
  },
  {
    event: 'payment.expired',
    id: 'onPaymentExpired',
    schema: 'PaymentExpiredEvent',
    summary: 'The link has ended and nothing came',
    description:
      'Only where `events` of the application lists it. Once, about a minute after `expiresAt` or as soon as every ' +
      'blockchain that the payment has an address on was read beyond that; never while funds are there. The payment stays ' +
      'OPEN: funds that come later are found and received as ever.',
    status: 'OPEN',
  },
  {
    event: 'payment.cancelled',
    id: 'onPaymentCancelled',
    schema: 'PaymentCancelledEvent',
    summary: 'You have cancelled the payment',
    description: 'Only where `events` of the application lists it.',
    status: 'CANCELLED',
  },
  {
    event: REFUNDED,
    id: 'onPaymentRefund',
    schema: 'PaymentRefundEvent',
    summary: 'The payment is refunded in full',
    description: 'Completed refunds cover all that was received; `refund` is the last of them.',
    status: 'REFUND',
  },
];

function signed(
  name: string,
  description: string,
  schema: Schema,
  example: string,
  required = true,
): Parameter {
  return { name, in: 'header', required, description, schema, example };
}

/** Both signatures over the same bytes (specification/webhooks.md#signatures). */
const SIGNATURE_HEADERS: Parameter[] = [
  signed(
    'webhook-id',
    'The event: the same on every attempt, and `id` of the body. Handle each once.',
    { type: 'string', format: 'uuid' },
    '0b0e1f6c-5a3d-4a53-9d5c-0c8b1f0a7e11',
  ),
  signed(
    'webhook-timestamp',
    'When this attempt started, in Unix seconds. Refuse more than 300 seconds of difference.',
    { type: 'string', pattern: '^\\d+$' },
    '1768472400',
  ),
  signed(
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 of HMAC-SHA256(secret, `<id>.<timestamp>.<body>`). For 24 hours after a ' +
      'change of the secret, a second one with the old secret follows after a space.',
    { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$' },
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  signed(
    'X-PaymentService-Event',
    'The name of the event; not signed, so trust the one in the body.',
    { type: 'string', enum: EVENTS.map(({ event }) => event) },
    'payment.received',
  ),
  signed(
    'X-PaymentService-Timestamp',
    'The same as `webhook-timestamp`.',
    { type: 'string', pattern: '^\\d+$' },
    '1768472400',
  ),
  signed(
    'X-PaymentService-Signature',
    'Plain: lower-case hex of HMAC-SHA256(secret, `<timestamp>.<body>`).',
    { type: 'string', pattern: '^[0-9a-f]{64}$' },
    '5f7ec9a1a5cf40d0da05ae5df4a06d1b05ed369b7b59a350163f5568fdbc1a78',
  ),
  signed(
    'X-PaymentService-Signature-Previous',
    'The same with the old secret, for 24 hours after a change.',
    { type: 'string', pattern: '^[0-9a-f]{64}$' },
    '8bcb8232f77ead3d3e6d8220a4dd4512c5b2bd95683e8add8e9fb12229804e53',
    false,
  ),
  signed(
    'X-PaymentService-Test',
    'Only with a test event that you asked for; its body says `"test":true`, which is signed.',
    { type: 'string', const: 'true' },
    'true',
    false,
  ),
  signed('User-Agent', 'Who sends it.', { type: 'string' }, 'crypto-payment-gateway/0.1.0'),
];

export const webhookSchemas: Schemas = {
  ...Object.fromEntries(
    EVENTS.map(({ event, schema, summary }) => [
      schema,
      object(
        schema,
        `${summary}.`,
        {
          id: uuid('The event. Handle each once.'),
          event: text('What happened.', { const: event }),
          createdAt: instant('When it happened.'),
          livemode: {
            type: 'boolean',
            description:
              'As `livemode` of the payment: false when nothing of this is real money, and in test events. Absent in ' +
              'events from before it existed.',
          },
          payment: { ...ref('Payment'), description: 'The payment as of the event.' },
          ...(event === REFUNDED && {
            refund: { ...ref('Refund'), description: 'The refund that completed it.' },
          }),
          test: {
            const: true,
            description:
              'Only in a test event that you asked for: nothing happened, and nobody paid. Do not act on it.',
          },
        },
        ['livemode', 'test'],
      ),
    ]),
  ),
  Event: {
    title: 'Event',
    description: 'What webhooks carry.',
    anyOf: EVENTS.map(({ schema }) => ref(schema)),
  },
};

/** The body of an event as it is sent. */
function exampleOf({ event, status }: EventKind) {
  return {
    id: '0b0e1f6c-5a3d-4a53-9d5c-0c8b1f0a7e11',
    event,
    createdAt: '2026-01-15T10:20:00Z',
    livemode: EXAMPLE_PAYMENT.livemode,
    payment: {
      ...(isOptIn(event) ? { ...EXAMPLE_PAYMENT, ...OPEN } : EXAMPLE_PAYMENT),
      status,
      ...(status === 'RECEIVED' && { confirmedAt: null }),
      ...(status === 'FOUND' && { foundAt: EXAMPLE_PAYMENT.foundAt }),
      ...(event === 'payment.expired' && { expired: true }),
      ...(event === 'payment.cancelled' && { cancelledAt: '2026-01-15T10:20:00Z' }),
      ...(event === REFUNDED && { refundedAmount: EXAMPLE_PAYMENT.receivedAmount }),
    },
    ...(event === REFUNDED && {
      refund: { ...contractExample(RefundContract, 'response'), ...COMPLETED_REFUND },
    }),
  };
}

export const EXAMPLE_EVENT = exampleOf(COMPLETED);

function pathItem(kind: EventKind): PathItem {
  const { id, schema, summary, description } = kind;
  return {
    post: {
      operationId: id,
      tags: ['Webhooks'],
      summary,
      description:
        `${description} Sent to the \`callbackUrl\` of the payment, or else of its application, at least once and in order for each payment; ` +
        'retried for three days. Verify one of the signatures over the raw body before you read it (docs/how-to/webhooks.md).',
      security: [],
      parameters: SIGNATURE_HEADERS,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: ref(schema),
            example: exampleOf(kind),
          },
        },
      },
      responses: {
        '2XX': { description: 'Taken. Answer within 15 seconds; the body does not matter.' },
        '410': {
          description:
            'Never again: this event stops, and the endpoint pauses until its URL is saved again or you resume it.',
        },
        '429': {
          description: 'Later.',
          headers: {
            'Retry-After': {
              description: 'Seconds, honoured up to 24 hours and to the end of the retries.',
              schema: { type: 'string' },
            },
          },
        },
        '503': {
          description: 'Later.',
          headers: {
            'Retry-After': {
              description: 'Seconds, honoured up to 24 hours and to the end of the retries.',
              schema: { type: 'string' },
            },
          },
        },
        default: { description: 'Anything else is a failure, redirects included: another attempt follows.' },
      },
    },
  };
}

export const webhooks: Record<string, PathItem> = Object.fromEntries(
  EVENTS.map((kind) => [kind.event, pathItem(kind)]),
);
