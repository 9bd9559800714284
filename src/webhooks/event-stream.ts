import type { ServerResponse } from 'node:http';
import type { Principal } from '../platform/security/auth.js';
import { formatEventCursor } from './event-cursor.js';
import type { FeedEvent } from './event-feed.service.js';

/** A stream ends by itself after this long; clients come back with their cursor. Milliseconds, like all below. */
export const LIFETIME_MS = 300_000;
/** What is silent for longer, load balancers take for dead. */
export const HEARTBEAT_MS = 15_000;
/** How long a revoked or expired token may still be listening. */
export const TOKEN_CHECK_MS = 30_000;
/** A reader that takes nothing for so long, or does not take the end of its stream, is dropped. */
export const PATIENCE_MS = 30_000;

/** Bytes that may wait for one reader; with that it is full. */
const MAX_WAITING = 65_536;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // A proxy that collects answers would hold events back.
  'X-Accel-Buffering': 'no',
  Connection: 'close',
};

/** How soon a client comes back after the end, in milliseconds. */
const PRELUDE = 'retry: 2000\n\n';

/** Whose stream it is, and where it begins. */
export interface StreamWish {
  principal: Principal;
  after: bigint;
  isTokenGood: () => Promise<boolean>;
}

/** One reader of the feed (WHATWG HTML, Server-sent events): `id` is the cursor, `data` the bytes of a webhook. */
export class EventStream {
  /** Everything up to here has been written. */
  position: bigint;
  /** Has all that the feed held at the last look, and is handed what is new; if not, it has to catch up first. */
  isLive = false;
  /** Since when nothing can be written, because the reader takes nothing or the stream has ended; null: it can. */
  private fullSince: Date | null = null;
  private writtenAt: Date;
  private checkedAt: Date;

  constructor(
    private readonly response: ServerResponse,
    readonly wish: StreamWish,
    private readonly openedAt: Date,
    wake: () => void,
  ) {
    this.position = wish.after;
    this.writtenAt = this.checkedAt = openedAt;
    response.writeHead(200, HEADERS);
    response.on('drain', () => {
      if (response.writableEnded) return;
      this.fullSince = null;
      wake();
    });
    // A stream that breaks is its reader's loss alone; unheard, an 'error' ends the process.
    response.on('error', () => response.destroy());
    this.write(PRELUDE, openedAt);
  }

  /** Nothing can be written to it, for now or any more. */
  get isFull(): boolean {
    return this.fullSince !== null;
  }

  /** A client token hears of its own application only. */
  hears(event: { userId: string; applicationId: string }): boolean {
    const { principal } = this.wish;
    return principal.kind === 'client'
      ? principal.applicationId === event.applicationId
      : principal.userId === event.userId;
  }

  /** False: the stream is full, and this event was not written; whatever its reader misses is read again later. */
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

  /** What time asks for: the end, a heartbeat. */
  tick(now: Date): void {
    const since = (then: Date) => now.getTime() - then.getTime();
    if (this.fullSince && since(this.fullSince) >= PATIENCE_MS) this.response.destroy();
    else if (since(this.openedAt) >= LIFETIME_MS) this.end(now);
    else if (!this.isFull && since(this.writtenAt) >= HEARTBEAT_MS) this.write(':\n\n', now);
  }

  /** Ends the stream when its token does no longer open it. */
  async checkToken(now: Date): Promise<void> {
    if (this.response.writableEnded || now.getTime() - this.checkedAt.getTime() < TOKEN_CHECK_MS) return;
    this.checkedAt = now;
    if (!(await this.wish.isTokenGood())) this.end(now);
  }

  /** Cleanly, but for a reader that would never take the end; whoever seemed to and does not is dropped later. */
  end(now: Date): void {
    if (this.response.writableEnded) return;
    if (this.isFull) this.response.destroy();
    else this.response.end();
    this.fullSince = now;
  }

  private write(text: string, now: Date): void {
    this.writtenAt = now;
    this.response.write(text);
    if (this.response.writableLength > MAX_WAITING) this.fullSince = now;
  }
}
