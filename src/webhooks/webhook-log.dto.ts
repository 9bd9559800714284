import { toIsoSeconds, toIsoSecondsOrNull } from '../platform/runtime/clock.pure.js';
import { EVENT_TYPES } from '../applications/event-types.pure.js';
import { PageQuery } from '../platform/http/pagination.js';
import {
  IsIsoInstant,
  IsOneOf,
  IsOptionalField,
  IsQueryBoolean,
  IsUuidField,
} from '../platform/contract/validation.js';
import { TEST_HEADER } from './sample-event.js';

/**
 * The statuses of specification/webhooks.md#delivery-log. PENDING: no attempt yet; FAILED: the last attempt failed,
 * another one follows; BLOCKED: no readable secret to sign with; SKIPPED: no callback URL; SUPERSEDED: obsolete.
 */
const STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED', 'EXHAUSTED', 'BLOCKED', 'SKIPPED', 'SUPERSEDED'] as const;

/** Query of GET /api/payment-applications/{id}/webhook-deliveries (specification/webhooks.md#delivery-log). */
export class ListDeliveriesQuery extends PageQuery {
  @IsOptionalField()
  @IsUuidField()
  paymentId?: string;

  @IsOptionalField()
  @IsOneOf(EVENT_TYPES)
  event?: string;

  @IsOptionalField()
  @IsOneOf(STATUSES)
  status?: string;

  /** Test events instead of real ones. */
  @IsOptionalField()
  @IsQueryBoolean()
  test = false;
}

/** Statuses that a replay selects from. */
const REPLAYABLE = ['FAILED', 'EXHAUSTED'];

/** Body of POST /api/payment-applications/{id}/webhook-deliveries/replay. */
export class ReplayDeliveriesDto {
  /** Only deliveries created at this time or later. */
  @IsIsoInstant()
  since: Date;

  /** Only deliveries created at this time or earlier. */
  @IsOptionalField()
  @IsIsoInstant()
  until?: Date;

  /** Both if not given. */
  @IsOptionalField()
  @IsOneOf(REPLAYABLE)
  status?: string;

  /** `lastDeliveryId` of the previous response, to continue after it. */
  @IsOptionalField()
  @IsUuidField()
  after?: string;
}

/** A delivery with its newest attempt, or a test event with its only one. */
export interface DeliveryRecord {
  id: string;
  isTest: boolean;
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

/** A delivery (specification/webhooks.md#delivery-log); `requestBody` is the exact text that was signed. */
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
    test: record.isTest,
  };
}

/** One HTTP attempt of a delivery, with the parts of its event that were sent. */
export interface AttemptRecord {
  number: number;
  url: string;
  httpStatus: number | null;
  errorMessage: string | null;
  responseBody: string | null;
  /** Null if there was no connection. */
  connectMs: number | null;
  firstByteMs: number | null;
  durationMs: number;
  startedAt: Date;
  eventId: string;
  event: string;
  requestBody: string;
  isTest: boolean;
}

/** Headers are rebuilt from the record; signatures are not stored, and their secret may have been replaced since. */
export function toAttemptDto(record: AttemptRecord) {
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
