import type { ServerResponse } from 'node:http';
import type { Principal } from '../platform/security/auth.js';
import { formatEventCursor } from './event-cursor.js';
import type { FeedEvent } from './event-feed.repository.js';

/** A stream ends after this long, and clients reconnect with their cursor. Milliseconds, like all below. */
export const LIFETIME_MS = 300_000;
/** Load balancers close connections that are silent for longer. */
export const HEARTBEAT_MS = 15_000;
/** How long a stream may outlive its revoked or expired token. */
export const TOKEN_CHECK_MS = 30_000;
/** A client that reads nothing for so long, or does not read the end of its stream, is disconnected. */
export const PATIENCE_MS = 30_000;

/** Bytes buffered for one client at most; beyond that the stream is full. */
const MAX_BUFFERED = 65_536;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Asks nginx not to buffer the response, which would delay events.
  'X-Accel-Buffering': 'no',
  Connection: 'close',
};

/** How soon a client reconnects after the end, in milliseconds. */
const PRELUDE = 'retry: 2000\n\n';

/** Who opens a stream, and the position after which it begins. */
export interface StreamRequest {
  principal: Principal;
  after: bigint;
  isTokenGood: () => Promise<boolean>;
}

/** A stream of the feed (WHATWG HTML, Server-sent events): `id` is the cursor, `data` the bytes of a webhook. */
export class EventStream {
  /** Everything up to this position has been written. */
  position: bigint;
  /** Caught up at the last read, so it gets new events as they appear; otherwise it has to catch up first. */
  isLive = false;
  /** Since when nothing can be written, because the client does not read or the stream has ended; null: writable. */
  private fullSince: Date | null = null;
  private writtenAt: Date;
  private checkedAt: Date;

  constructor(
    private readonly response: ServerResponse,
    readonly request: StreamRequest,
    private readonly openedAt: Date,
    wake: () => void,
  ) {
    this.position = request.after;
    this.writtenAt = this.checkedAt = openedAt;
    response.writeHead(200, HEADERS);
    response.on('drain', () => {
      if (response.writableEnded) return;
      this.fullSince = null;
      wake();
    });
    // A broken connection is no error of ours; without a listener an 'error' event would end the process.
    response.on('error', () => response.destroy());
    this.write(PRELUDE, openedAt);
  }

  /** Nothing can be written to it, temporarily or because it has ended. */
  get isFull(): boolean {
    return this.fullSince !== null;
  }

  /** A client token receives events of its own application only. */
  receives(event: { userId: string; applicationId: string }): boolean {
    const { principal } = this.request;
    return principal.kind === 'client'
      ? principal.applicationId === event.applicationId
      : principal.userId === event.userId;
  }

  /** False: the stream is full and the event was not written; it will be read from the database later. */
  send({ position, body }: FeedEvent, now: Date): boolean {
    if (this.isFull) {
      this.isLive = false;
      return false;
    }
    this.position = position;
    // The stored text is one line; a line break in it would be one in `data` too.
    const data = body
      .split('\n')
      .map((line) => `data: ${line}\n`)
      .join('');
    this.write(`id: ${formatEventCursor(position)}\n${data}\n`, now);
    return true;
  }

  /** Ends the stream or writes a heartbeat when it is time. */
  tick(now: Date): void {
    const since = (then: Date) => now.getTime() - then.getTime();
    if (this.fullSince && since(this.fullSince) >= PATIENCE_MS) this.response.destroy();
    else if (since(this.openedAt) >= LIFETIME_MS) this.end(now);
    else if (!this.isFull && since(this.writtenAt) >= HEARTBEAT_MS) this.write(':\n\n', now);
  }

  /** Ends the stream if its token is no longer valid. */
  async checkToken(now: Date): Promise<void> {
    if (this.response.writableEnded || now.getTime() - this.checkedAt.getTime() < TOKEN_CHECK_MS) return;
    this.checkedAt = now;
    if (!(await this.request.isTokenGood())) this.end(now);
  }

  /** Ends cleanly, or at once if the client does not read. A client that stops reading now is disconnected later. */
  end(now: Date): void {
    if (this.response.writableEnded) return;
    if (this.isFull) this.response.destroy();
    else this.response.end();
    this.fullSince = now;
  }

  private write(text: string, now: Date): void {
    this.writtenAt = now;
    this.response.write(text);
    if (this.response.writableLength > MAX_BUFFERED) this.fullSince = now;
  }
}
