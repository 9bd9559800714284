import { IgnoresUnknownParameters } from '../platform/contract/read-dto.js';
import { FieldRule, IsOptionalField, IsQueryInteger } from '../platform/contract/validation.js';
import { FEED_START, parseEventCursor } from './event-cursor.js';

const MAX_LIMIT = 100;

/** Converts to the place in the feed that a cursor stands for. */
function IsEventCursor(): PropertyDecorator {
  return FieldRule('IsEventCursor', (value) => {
    const position = typeof value === 'string' ? parseEventCursor(value) : null;
    return position === null
      ? {
          problems: [
            { message: (field) => `The ${field} field must be a cursor that this endpoint answered.` },
          ],
        }
      : { value: position };
  });
}

/**
 * Query of GET /api/events/stream (specification/events.md#stream). Libraries that stand in for EventSource add
 * parameters when they come back, e.g. `lastEventId`; refusing those would end every stream at its first break.
 */
@IgnoresUnknownParameters()
export class StreamEventsQuery {
  /** A cursor; the header Last-Event-ID goes before it. */
  @IsOptionalField()
  @IsEventCursor()
  after = FEED_START;
}

/** Query of GET /api/events (specification/events.md#feed). */
export class ListEventsQuery {
  /** A cursor; without it the feed is read from its beginning. */
  @IsOptionalField()
  @IsEventCursor()
  after = FEED_START;

  @IsOptionalField()
  @IsQueryInteger(1, MAX_LIMIT)
  limit = MAX_LIMIT;
}
