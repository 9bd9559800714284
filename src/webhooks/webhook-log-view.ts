import { toIsoSeconds, toIsoSecondsOrNull } from '../platform/kernel/clock.pure.js';
import { TEST_HEADER } from './events/sample-event.js';
import type { WebhookAttemptContract, WebhookDeliveryContract } from './webhook-delivery.contract.js';
import type { AttemptRecord, DeliveryRecord } from './webhook-log.repository.js';

/** A delivery as the API shows it (specification/webhooks.md#delivery-log). */
export function toDelivery({ isTest, ...record }: DeliveryRecord) {
  return {
    ...record,
    nextAttemptAt: toIsoSecondsOrNull(record.nextAttemptAt),
    createdAt: toIsoSeconds(record.createdAt),
    test: isTest,
  } satisfies WebhookDeliveryContract;
}

/** Headers are rebuilt from the record; signatures are not stored, and their secret may have been replaced since. */
export function toAttempt(record: AttemptRecord): WebhookAttemptContract {
  const timestamp = String(Math.floor(record.startedAt.getTime() / 1000));
  return {
    attempt: record.number,
    url: record.url,
    httpStatus: record.httpStatus,
    errorMessage: record.errorMessage,
    requestHeaders: {
      'webhook-id': record.eventId,
      'webhook-timestamp': timestamp,
      'X-PaymentService-Event': record.event,
      'X-PaymentService-Timestamp': timestamp,
      ...(record.isTest && TEST_HEADER),
    },
    requestBody: record.requestBody,
    responseBody: record.responseBody,
    startedAt: record.startedAt.toISOString(),
    connectMs: record.connectMs,
    firstByteMs: record.firstByteMs,
    durationMs: record.durationMs,
  };
}
