import type { WebhookDelivery } from '../api/operations.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import type { Tone } from '../parts/tone.pure.js';

/** How the status of a delivery is shown. */
export const DELIVERY_WORDS: Record<WebhookDelivery['status'], readonly [Tone, MessageKey]> = {
  PENDING: ['calm', 'delivery.pending'],
  SUCCEEDED: ['good', 'delivery.succeeded'],
  FAILED: ['warn', 'delivery.failed'],
  EXHAUSTED: ['bad', 'delivery.exhausted'],
  BLOCKED: ['warn', 'delivery.blocked'],
  SKIPPED: ['idle', 'delivery.skipped'],
  SUPERSEDED: ['idle', 'delivery.superseded'],
};
