import { toIsoSecondsOrNull } from '../platform/runtime/clock.pure.js';
import { EVENT_TYPES, type EventType } from '../applications/event-types.pure.js';
import {
  IsNotBlank,
  IsNullableField,
  IsOneOf,
  IsOptionalField,
  IsText,
} from '../platform/contract/validation.js';

/** Body of POST …/webhook-endpoint/pause. */
export class PauseEndpointDto {
  /** Shown to people who look at the endpoint later. */
  @IsOptionalField()
  @IsNullableField()
  @IsText(1, 255)
  @IsNotBlank()
  reason?: string | null;
}

/** Body of POST …/webhook-test. */
export class TestWebhookDto {
  @IsOneOf(EVENT_TYPES)
  event: EventType;
}

/** State of an application's endpoint and its deliveries. */
export interface EndpointRecord {
  callbackUrl: string | null;
  pausedAt: Date | null;
  pausedBy: 'gone' | 'merchant' | null;
  pauseReason: string | null;
  waiting: number;
  consecutiveFailures: number;
  lastFailureAt: Date | null;
  lastError: string | null;
  lastSuccessAt: Date | null;
}

export function toEndpointDto(record: EndpointRecord) {
  return {
    callbackUrl: record.callbackUrl,
    paused: record.pausedAt !== null,
    pausedAt: toIsoSecondsOrNull(record.pausedAt),
    pausedBy: record.pausedBy === null ? null : record.pausedBy.toUpperCase(),
    pauseReason: record.pauseReason,
    waiting: record.waiting,
    consecutiveFailures: record.consecutiveFailures,
    lastFailureAt: toIsoSecondsOrNull(record.lastFailureAt),
    lastError: record.lastError,
    lastSuccessAt: toIsoSecondsOrNull(record.lastSuccessAt),
  };
}
