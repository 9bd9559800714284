import { type MetricFamily, secondsSince, single } from './metric.js';
import type { LastReconciliation, RecordCounts, UndeliveredEvents } from './metrics.repository.js';

/** Events that their receivers do not have yet. */
export function undeliveredFamilies(
  { oldestAt, oldestPausedAt, pausedDeliveries }: UndeliveredEvents,
  now: Date,
): MetricFamily[] {
  return [
    single(
      'gateway_oldest_undelivered_event_age_seconds',
      'Age of the oldest event that its receiver does not have yet, without those of paused endpoints.',
      secondsSince(oldestAt, now) ?? 0,
    ),
    single(
      'gateway_oldest_paused_event_age_seconds',
      'Age of the oldest event that waits for a paused endpoint.',
      secondsSince(oldestPausedAt, now) ?? 0,
    ),
    single(
      'gateway_webhook_deliveries_paused',
      'Deliveries that wait for paused endpoints.',
      pausedDeliveries,
    ),
  ];
}

/** Numbers of events, deliveries and entries of the audit log. */
export function countFamilies(counts: RecordCounts): MetricFamily[] {
  return [
    single('gateway_outbox_events', 'Events without a delivery yet.', counts.undispatched),
    single('gateway_webhook_deliveries_pending', 'Deliveries that are still to be made.', counts.pending),
    single('gateway_webhook_deliveries_exhausted', 'Deliveries whose retries are over.', counts.exhausted),
    single(
      'gateway_webhook_deliveries_blocked',
      'Deliveries whose signing secret cannot be decrypted.',
      counts.blocked,
    ),
    single(
      'gateway_webhook_endpoints_paused',
      'Applications whose endpoint is paused.',
      counts.pausedEndpoints,
    ),
    single('gateway_audit_log_rows', 'Entries of the audit log.', counts.auditRows),
    single(
      'gateway_audit_log_head',
      "The first 48 bits of the newest entry's hash, as a number.",
      counts.auditHead,
    ),
  ];
}

/** No samples before the first run: an alert on absence covers that. */
export function reconciliationFamilies(
  last: LastReconciliation | null,
  compared: number | null,
  now: Date,
): MetricFamily[] {
  const inProgress = single(
    'gateway_reconciliation_compared_payments',
    'Payments that the scheduled verify in progress has compared; 0: none is in progress.',
    compared ?? 0,
  );
  if (!last) return [inProgress];
  return [
    inProgress,
    single('gateway_reconciliation_differences', 'Differences that the last verify found.', last.differences),
    single('gateway_reconciliation_left_out', 'What the last verify could not compare.', last.leftOut),
    single(
      'gateway_reconciliation_age_seconds',
      'Seconds since the end of the last verify.',
      secondsSince(last.finishedAt, now) ?? 0,
    ),
  ];
}
