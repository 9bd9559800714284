import { EVENT_TYPES, type EventType } from '../../applications/event-types.pure.js';
import { Contract } from '../../platform/web/contract/contract.js';
import { Choice, TextList } from '../../platform/web/contract/fields.js';
import { WebhookDeliveryContract } from '../webhook-delivery.contract.js';

/** Body of POST /api/payment-applications/{id}/webhook-test. */
@Contract('TestWebhook', 'Which test event.')
export class TestWebhookContract {
  @Choice(EVENT_TYPES, { about: 'The name of the event.', example: 'payment.received' })
  event: EventType;
}

/** A test event that will be sent. */
@Contract('WebhookTest', 'A test event that will be sent, and the problems that are known already.')
export class WebhookTestContract extends WebhookDeliveryContract {
  @TextList({
    about:
      'Why your server will refuse it, e.g. a `secret` that published verifiers cannot decode; in English. Usually empty.',
    example: [],
  })
  warnings: string[];
}

/** Differences of the example of a test event before its only attempt. */
export const UNSENT = {
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
