import type { Parameter, Paths } from '../openapi-types.js';
import { data, operation, page, PAGE, parameter } from '../operation.js';
import { EXAMPLE_PAYMENT_ID } from '../parameters.js';
import { ref } from '../../platform/contract/json-schema.js';
import { DELIVERY_STATUSES, EXAMPLE_DELIVERY, WEBHOOK_EVENTS } from '../schemas/settings.js';

const ID = parameter('ApplicationId');
const DELIVERIES = 'Webhook deliveries';

function pathId(name: string, description: string, example: string): Parameter {
  return {
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string', format: 'uuid' },
    example,
  };
}

/** Of every path of a delivery. */
export const DELIVERY_ID = pathId('deliveryId', 'The delivery.', EXAMPLE_DELIVERY.id);

export const settingsPaths: Paths = {
  '/api/payment-applications/{id}/webhook-deliveries': {
    get: operation({
      id: 'listWebhookDeliveries',
      tag: DELIVERIES,
      summary: 'List webhook deliveries',
      description: 'Newest first; kept for 30 days.',
      access: 'oauth',
      parameters: [
        ID,
        {
          name: 'paymentId',
          in: 'query',
          description: 'About this payment only.',
          schema: { type: 'string', format: 'uuid' },
          example: EXAMPLE_PAYMENT_ID,
        },
        {
          name: 'event',
          in: 'query',
          description: 'Of this event only.',
          schema: { type: 'string', enum: WEBHOOK_EVENTS },
        },
        {
          name: 'status',
          in: 'query',
          description: 'In this status only.',
          schema: { type: 'string', enum: DELIVERY_STATUSES },
        },
        {
          name: 'test',
          in: 'query',
          description: 'Test events instead of real ones.',
          schema: { type: 'boolean', default: false },
        },
        ...PAGE,
      ],
      answers: { 200: page('One page of deliveries.', 'WebhookDelivery', EXAMPLE_DELIVERY) },
      errors: ['payment_application_not_found'],
    }),
  },
  '/api/payment-applications/{id}/webhook-deliveries/{deliveryId}': {
    get: operation({
      id: 'getWebhookDelivery',
      tag: DELIVERIES,
      summary: 'Get a webhook delivery',
      description:
        'Its event, its state, and when it was or will be sent. What was sent and answered each time is under `attempts`.',
      access: 'oauth',
      parameters: [ID, DELIVERY_ID],
      answers: { 200: data('The delivery.', ref('WebhookDelivery'), EXAMPLE_DELIVERY) },
      errors: ['payment_application_not_found'],
    }),
  },
  '/api/payment-applications/{id}/webhook-deliveries/{deliveryId}/redeliver': {
    post: operation({
      id: 'redeliverWebhook',
      tag: DELIVERIES,
      summary: 'Deliver a webhook again',
      description: 'The same bytes, signed anew, as soon as its turn comes.',
      access: 'oauth',
      isIdempotent: true,
      parameters: [ID, DELIVERY_ID],
      answers: {
        202: data('The delivery, to be tried again.', ref('WebhookDelivery'), {
          ...EXAMPLE_DELIVERY,
          status: 'PENDING',
          nextAttemptAt: '2026-01-15T11:00:00Z',
        }),
      },
      errors: ['payment_application_not_found', 'invalid_state_transition'],
    }),
  },
};
