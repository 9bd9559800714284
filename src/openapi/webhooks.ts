import type { Type } from '@nestjs/common';
import { APPLICATION_EVENTS, EVENT_TYPES, LISTABLE_EVENTS } from '../applications/event-types.pure.js';
import { exampleOf, schemaOf, titleOf } from '../platform/web/contract/contract.js';
import { only, ref, type Schema } from '../platform/web/contract/json-schema.js';
import { WEBHOOK, type WebhookOptions } from '../platform/web/contract/operation.js';
import { APPLICATION_EVENT_BODIES, EVENT_BODIES } from '../webhooks/events/event.contract.js';
import type { Header, Parameter, PathItem } from '../platform/web/contract/openapi-types.js';

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
    { type: 'string', enum: LISTABLE_EVENTS },
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
    'Plain: lower-case hex of HMAC-SHA256(secret, `<timestamp>.<body>`). For 24 hours after a change by the previous ' +
      'secret; a server that refuses it gets the request once more, by the new one.',
    { type: 'string', pattern: '^[0-9a-f]{64}$' },
    '5f7ec9a1a5cf40d0da05ae5df4a06d1b05ed369b7b59a350163f5568fdbc1a78',
  ),
  signed(
    'X-PaymentService-Signature-Previous',
    'The signature by the other of two secrets, for 24 hours after a change.',
    { type: 'string', pattern: '^[0-9a-f]{64}$' },
    '8bcb8232f77ead3d3e6d8220a4dd4512c5b2bd95683e8add8e9fb12229804e53',
    false,
  ),
  signed(
    'X-PaymentService-Test',
    'Only with a test event that you asked for; its body says `"test":true`, which is signed.',
    only('true'),
    'true',
    false,
  ),
  signed('User-Agent', 'Who sends it.', { type: 'string' }, 'crypto-payment-gateway/0.1.0'),
];

const TO_PAYMENT =
  'to the `callbackUrl` of the payment, or else of its application, at least once and in order for each payment';
const TO_APPLICATION = 'to the `callbackUrl` of the application, at least once, in no particular order';

const RETRY_AFTER: Record<string, Header> = {
  'Retry-After': {
    description: 'Seconds, honored up to 24 hours and to the end of the retries.',
    schema: { type: 'string' },
  },
};

function pathItem(body: Type<object>, sentTo: string): PathItem {
  const { id, description } = Reflect.getMetadata(WEBHOOK, body) as WebhookOptions;
  return {
    post: {
      operationId: id,
      tags: ['Webhooks'],
      summary: schemaOf(body, 'response').description?.replace(/\.$/, '') ?? '',
      description:
        `${description} Sent ${sentTo}; ` +
        'retried for three days. Verify one of the signatures over the raw body before you parse it (docs/how-to/webhooks.md).',
      security: [],
      parameters: SIGNATURE_HEADERS,
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: ref(titleOf(body)), example: exampleOf(body, 'response') },
        },
      },
      responses: {
        '2XX': { description: 'Accepted. Respond within 15 seconds; the body does not matter.' },
        '410': {
          description:
            'Never again: this event is given up, and the endpoint pauses until its URL is saved again or you resume it.',
        },
        '429': { description: 'Later.', headers: RETRY_AFTER },
        '503': { description: 'Later.', headers: RETRY_AFTER },
        default: { description: 'Anything else is a failure, redirects included: another attempt follows.' },
      },
    },
  };
}

/** The requests that merchants' endpoints receive, one for each event. */
export function describeWebhooks(): Record<string, PathItem> {
  return Object.fromEntries([
    ...EVENT_TYPES.map((type) => [type, pathItem(EVENT_BODIES[type], TO_PAYMENT)] as const),
    ...APPLICATION_EVENTS.map(
      (type) => [type, pathItem(APPLICATION_EVENT_BODIES[type], TO_APPLICATION)] as const,
    ),
  ]);
}
