import { Controller, Get, Headers, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, RequireScope } from '../../platform/web/security/auth.js';
import type { Principal, PrincipalRequest } from '../../platform/kernel/principal.pure.js';
import { exampleOf } from '../../platform/web/contract/contract.js';
import { cursorPage, Operation, plain } from '../../platform/web/contract/operation.js';
import { Cursors } from '../../platform/web/cursors/cursors.service.js';
import { CursorPage } from '../../platform/web/http/cursor-page.js';
import { PaymentCompletedEvent } from '../../payments/payment-event.contract.js';
import { ValidationError } from '../../platform/kernel/errors/errors.pure.js';
import { parseExact } from '../../platform/kernel/exact-json.pure.js';
import { EventContract, ListEventsQuery, StreamEventsQuery } from './event.contract.js';
import { pageOf } from './event-page.pure.js';
import { FEED_START, formatFeedPlace, parseFeedPlace } from './event-cursor.js';
import { EventFeedRepository } from './event-feed.repository.js';
import { EventStreams } from './event-streams.service.js';

/** The cursor points to events that a restore has lost; continuing from it would silently miss new events. */
function lost(name: string, kind: 'field' | 'header'): ValidationError {
  return ValidationError.of(
    name,
    `The ${name} ${kind} is ahead of every event: the gateway was restored from an older backup. ` +
      'Read from the beginning, without a cursor, and drop the events whose ids you know.',
  );
}

/** `/api/events…`: for merchants whose server cannot be reached from outside (specification/events.md#feed). */
@Controller('api/events')
export class EventsController {
  constructor(
    private readonly feed: EventFeedRepository,
    private readonly streams: EventStreams,
    private readonly cursors: Cursors,
  ) {}

  @Get()
  @RequireScope('payments.get')
  @Operation({
    id: 'listEvents',
    tag: 'Webhooks',
    summary: 'Pull events',
    description:
      'The events of webhooks, byte for byte and in order for each payment, for servers that cannot be reached from ' +
      'outside. Store `meta.cursor.next` together with the results of your processing, and send it as `after`. A client ' +
      'token sees its own application. A page ends earlier than `limit` where its events are large, with `hasMore`. Reading acknowledges nothing: a payment of an application with a `callbackUrl` ' +
      'still waits for the response to its webhook.',
    returns: cursorPage(EventContract, 'The next events.', {
      example: exampleOf(PaymentCompletedEvent, 'response'),
    }),
  })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() { after, limit }: ListEventsQuery,
  ): Promise<CursorPage<EventContract>> {
    // One more than the limit shows whether there are more.
    const found = await this.feed.read(principal, after, limit + 1);
    if (!found) throw lost('after', 'field');
    const events = pageOf(found, limit);
    // Parsed and serialized exactly, a body comes out as the bytes that were stored.
    return new CursorPage(
      events.filter(({ isAuthentic }) => isAuthentic).map(({ body }) => parseExact(body) as EventContract),
      { next: formatFeedPlace(events.at(-1)?.position ?? after), hasMore: found.length > events.length },
    );
  }

  /** Server-sent events; EventSource reconnects by itself, with the header. */
  @Get('stream')
  @RequireScope('payments.get')
  @Operation({
    id: 'streamEvents',
    tag: 'Webhooks',
    summary: 'Follow events',
    description:
      'The events of `GET /api/events` as they happen, as server-sent events (`EventSource`): `id` is the cursor, `data` ' +
      'the bytes of the webhook. Begins after the header `Last-Event-ID`, else after `after`, else with the first event. ' +
      'Comments keep it alive; it ends after five minutes, at shutdown, and when its token is no longer valid: reconnect ' +
      'with the last `id`, as every EventSource does by itself. No event is missed and none is sent twice.',
    headers: {
      'Last-Event-ID':
        'The last `id` that you have processed; takes precedence over `after`, and is refused in the same cases.',
    },
    returns: plain({ 'text/event-stream': { type: 'string' } }, 'A stream that does not end by itself.'),
  })
  async stream(
    @CurrentPrincipal() principal: Principal,
    @Query() query: StreamEventsQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: Omit<Request, 'user'> & PrincipalRequest,
    @Res() response: Response,
  ): Promise<void> {
    const after = lastEventId ? parseFeedPlace(this.cursors.open(lastEventId) ?? '') : query.after;
    if (after === null)
      throw ValidationError.of('Last-Event-ID', 'The Last-Event-ID header must be an id of this stream.');
    if (after > FEED_START && !(await this.feed.reaches(after)))
      throw lastEventId ? lost('Last-Event-ID', 'header') : lost('after', 'field');
    const { isTokenGood } = request;
    if (!isTokenGood) throw new Error('a stream on a route without a token');
    const cursorOf = (place: string) => this.cursors.seal(place, principal.userId);
    this.streams.open(response, { principal, after, isTokenGood, cursorOf });
    // Express routes HEAD to the GET handler, whose stream would stay open.
    if (request.method === 'HEAD') response.end();
  }
}
