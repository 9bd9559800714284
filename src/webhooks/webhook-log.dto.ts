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
 * The statuses of specification/webhooks.md#delivery-log. PENDING: not tried yet; FAILED: the last try failed,
 * another one comes; BLOCKED: no readable secret to sign with; SKIPPED: no callback URL; SUPERSEDED: taken back.
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

/** What can be sent again in bulk: FAILED waits for its next attempt, EXHAUSTED for nothing. */
const REPLAYABLE = ['FAILED', 'EXHAUSTED'];

/** Body of POST /api/payment-applications/{id}/webhook-deliveries/replay. */
export class ReplayDeliveriesDto {
  /** Of deliveries made at this time or later. */
  @IsIsoInstant()
  since: Date;

  /** And at this time or earlier. */
  @IsOptionalField()
  @IsIsoInstant()
  until?: Date;

  /** Without it, both. */
  @IsOptionalField()
  @IsOneOf(REPLAYABLE)
  status?: string;

  /** `lastDeliveryId` of the answer before, to go on behind it. */
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

/** One HTTP try of a delivery, and what of its event went along. */
export interface AttemptRecord {
  number: number;
  url: string;
  httpStatus: number | null;
  errorMessage: string | null;
  responseBody: string | null;
  /** Null with attempts of before it was measured, too. */
  connectMs: number | null;
  firstByteMs: number | null;
  durationMs: number;
  startedAt: Date;
  eventId: string;
  event: string;
  requestBody: string;
  isTest: boolean;
}

/** Headers are derived from what they are made of; signatures are not kept (their secret may be gone by now). */
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
