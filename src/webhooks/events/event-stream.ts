import type { ServerResponse } from 'node:http';
import { ServerSentEvents } from '../../platform/web/http/server-sent-events.js';
import type { Principal } from '../../platform/kernel/principal.pure.js';
import { formatFeedPlace } from './event-cursor.js';
import type { FeedEvent } from './event-feed.repository.js';

/** How long a stream may outlive its revoked or expired token, in milliseconds. */
export const TOKEN_CHECK_MS = 30_000;

/** Who opens a stream, and the position after which it begins. */
export interface StreamRequest {
  principal: Principal;
  after: bigint;
  isTokenGood: () => Promise<boolean>;
  /** The cursor of a place, for this principal. */
  cursorOf: (place: string) => string;
}

/** A stream of the feed: `id` is the cursor, `data` the bytes of a webhook. */
export class EventStream {
  /** Everything up to this position has been written. */
  position: bigint;
  /** Caught up at the last read, so it gets new events as they appear; otherwise it has to catch up first. */
  isLive = false;
  private readonly events: ServerSentEvents;
  private checkedAt: Date;

  constructor(
    response: ServerResponse,
    readonly request: StreamRequest,
    openedAt: Date,
    wake: () => void,
  ) {
    this.position = request.after;
    this.checkedAt = openedAt;
    this.events = new ServerSentEvents(response, openedAt, wake);
  }

  /** Nothing can be written to it, temporarily or because it has ended. */
  get isFull(): boolean {
    return this.events.isFull;
  }

  /** A client token receives events of its own application only. */
  receives(event: { userId: string; applicationId: string }): boolean {
    const { principal } = this.request;
    return principal.kind === 'client'
      ? principal.applicationId === event.applicationId
      : principal.userId === event.userId;
  }

  /** False: the stream is full and the event was not written; it will be read from the database later. */
  send({ position, body, isAuthentic }: FeedEvent, now: Date): boolean {
    if (this.isFull) {
      this.isLive = false;
      return false;
    }
    this.position = position;
    if (!isAuthentic) return true;
    // The stored text is one line; a line break in it would be one in `data` too.
    const data = body
      .split('\n')
      .map((line) => `data: ${line}\n`)
      .join('');
    this.events.write(`id: ${this.request.cursorOf(formatFeedPlace(position))}\n${data}\n`, now);
    return true;
  }

  /** Ends the stream or writes a heartbeat when it is time. */
  tick(now: Date): void {
    this.events.tick(now);
  }

  /** Ends the stream if its token is no longer valid. */
  async checkToken(now: Date): Promise<void> {
    if (this.events.hasEnded || now.getTime() - this.checkedAt.getTime() < TOKEN_CHECK_MS) return;
    this.checkedAt = now;
    if (!(await this.request.isTokenGood())) this.end(now);
  }

  /** Ends cleanly, or at once if the client does not read. A client that stops reading now is disconnected later. */
  end(now: Date): void {
    this.events.end(now);
  }
}
