import { Contract } from '../platform/web/contract/contract.js';
import { Count, FieldOf, Flag, HttpUrl, Instant, Text } from '../platform/web/contract/fields.js';

/** Body of POST /api/payment-applications/{id}/webhook-endpoint/pause. */
@Contract('PauseWebhooks', 'Why.', { mayBeAbsent: true })
export class PauseWebhooksContract {
  @Text({
    min: 1,
    max: 255,
    blank: false,
    optional: true,
    nullable: true,
    about: 'Shown with the endpoint.',
    example: 'The shop is being moved',
  })
  reason?: string | null;
}

/** State of an application's endpoint and its deliveries. */
@Contract('WebhookEndpoint', 'Where the webhooks of an application are sent, and whether they arrive.')
export class WebhookEndpointContract {
  @HttpUrl({
    nullable: true,
    about: 'As it is saved now.',
    example: 'https://mystore.example/webhooks/payments',
  })
  callbackUrl: string | null;

  @Flag({ about: 'Nothing is sent, and everything is kept.' })
  paused: boolean;

  @Instant({ nullable: true, about: 'Since when.' })
  pausedAt: string | null;

  @FieldOf(
    { schema: () => ({ type: ['string', 'null'], enum: ['GONE', 'MERCHANT', null] }) },
    {
      about:
        'GONE: it returned 410; resuming, or saving the `callbackUrl`, ends the pause. MERCHANT: you paused it; ' +
        'resuming ends the pause.',
      example: null,
    },
  )
  pausedBy: 'GONE' | 'MERCHANT' | null;

  @Text({ nullable: true, about: 'Why it is paused.' })
  pauseReason: string | null;

  @Count({ about: 'The number of deliveries that have not ended, counted up to 10,000.', example: 3 })
  waiting: number;

  @Count({
    about:
      'Failed attempts since the last success, counted over the newest 1,000 waiting and 1,000 given-up deliveries.',
    example: 5,
  })
  consecutiveFailures: number;

  @Instant({ nullable: true, about: 'The newest of these failures.', example: '2026-01-15T11:59:00Z' })
  lastFailureAt: string | null;

  @Text({ nullable: true, about: 'The reason of that failure.', example: 'HTTP 500' })
  lastError: string | null;

  @Instant({ nullable: true, about: 'When it last returned 2xx.', example: '2026-01-15T10:20:00Z' })
  lastSuccessAt: string | null;

  @Instant({
    nullable: true,
    about:
      'Until when the secret before the last change signs too; no other secret is taken before that. Null: only the ' +
      'current one signs.',
    example: '2026-01-16T09:00:00Z',
  })
  previousSecretUntil: string | null;
}

/** Differences of the example of a paused endpoint. */
export const PAUSED = {
  paused: true,
  pausedAt: '2026-01-15T12:00:00Z',
  pausedBy: 'MERCHANT',
  pauseReason: 'The shop is being moved',
};
