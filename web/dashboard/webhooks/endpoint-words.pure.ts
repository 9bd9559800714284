import type { WebhookEndpoint } from '../api/operations.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import type { Tone } from '../parts/tone.pure.js';

type Seen = Pick<WebhookEndpoint, 'callbackUrl' | 'paused' | 'consecutiveFailures' | 'lastSuccessAt'>;

/** How an endpoint is; one that has answered nothing yet is not known to work. */
export function endpointWords(endpoint: Seen): readonly [Tone, MessageKey] {
  if (endpoint.callbackUrl === null) return ['idle', 'webhooks.unset'];
  if (endpoint.paused) return ['warn', 'webhooks.paused'];
  if (endpoint.consecutiveFailures > 0) return ['bad', 'webhooks.failing'];
  return endpoint.lastSuccessAt === null ? ['idle', 'webhooks.untried'] : ['good', 'webhooks.working'];
}
