import { toIsoSeconds, toIsoSecondsOrNull } from '../common/clock.js';
import { PageQuery } from '../common/pagination.js';
import { IsOneOf, IsOptionalField, IsUuidField } from '../common/validation.js';

/** The events of spec.md. */
const EVENTS = ['payment.received', 'payment.completed', 'payment.underpaid', 'payment.refund'];
/**
 * api.md G6, and three states that are no attempt's outcome. PENDING: not tried yet; FAILED: the last try failed,
 * another one comes; BLOCKED: no readable secret to sign with; SKIPPED: no callback URL; SUPERSEDED: taken back.
 */
const STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED', 'EXHAUSTED', 'BLOCKED', 'SKIPPED', 'SUPERSEDED'] as const;

/** Query of GET /api/payment-applications/{id}/webhook-deliveries (api.md G6). */
export class ListDeliveriesQuery extends PageQuery {
  @IsOptionalField()
  @IsUuidField()
  paymentId?: string;

  @IsOptionalField()
  @IsOneOf(EVENTS)
  event?: string;

  @IsOptionalField()
  @IsOneOf(STATUSES)
  status?: string;
}

/** A delivery with its newest attempt. */
export interface DeliveryRecord {
  id: string;
  eventId: string;
  event: string;
  paymentId: string;
  attempt: number;
  url: string | null;
  status: (typeof STATUSES)[number];
  httpStatus: number | null;
  errorMessage: string | null;
  requestBody: string;
  responseBody: string | null;
  durationMs: number | null;
  nextAttemptAt: Date | null;
  createdAt: Date;
}

/** The record of api.md G6; `requestBody` is the exact text that was signed. */
export function toDeliveryDto(record: DeliveryRecord) {
  return {
    id: record.id,
    eventId: record.eventId,
    event: record.event,
    paymentId: record.paymentId,
    attempt: record.attempt,
    url: record.url,
    status: record.status,
    httpStatus: record.httpStatus,
    errorMessage: record.errorMessage,
    requestBody: record.requestBody,
    responseBody: record.responseBody,
    durationMs: record.durationMs,
    nextAttemptAt: toIsoSecondsOrNull(record.nextAttemptAt),
    createdAt: toIsoSeconds(record.createdAt),
  };
}
