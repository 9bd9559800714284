import type { ServerResponse } from 'node:http';
import { stringifyExact } from '../../platform/kernel/exact-json.pure.js';
import { ServerSentEvents } from '../../platform/web/http/server-sent-events.js';
import type { ChangeContract } from './change.contract.js';
import { type ChangePlace, formatChangePlace } from './change-place.pure.js';

/** How long a stream may outlive its revoked or expired token, in milliseconds. */
export const TOKEN_CHECK_MS = 5_000;

/** Who opens a stream, and where it continues. */
export interface ChangeStreamRequest {
  userId: string;
  /** Null: with the changes of the last minute. */
  after: ChangePlace | null;
  isTokenGood: () => Promise<boolean>;
  /** The cursor of a place, for this user. */
  cursorOf: (place: string) => string;
}

/** What a client is sent when it must reload everything. */
export const EVERYTHING: ChangeContract = {
  type: 'everything',
  id: null,
  applicationId: null,
  paymentId: null,
  version: null,
};

/** The stream of one page. */
export class ChangeStream {
  /** Gets changes as they are read. `new`: what it missed is yet to be sent. `behind`: its client was slow. */
  state: 'new' | 'live' | 'behind' = 'new';
  private readonly events: ServerSentEvents;
  private checkedAt: Date;

  constructor(
    response: ServerResponse,
    readonly request: ChangeStreamRequest,
    openedAt: Date,
    wake: () => void,
  ) {
    this.checkedAt = openedAt;
    this.events = new ServerSentEvents(response, openedAt, wake);
  }

  get isFull(): boolean {
    return this.events.isFull;
  }

  /** @param place that the client may continue from once it has all of them; null: the one of before */
  tell(changes: readonly ChangeContract[], place: ChangePlace | null, now: Date): void {
    if (this.events.hasEnded) return;
    if (this.isFull) {
      this.state = 'behind';
      return;
    }
    if (changes.length === 0 && place === null) return;
    const data = changes.map((change) => `data: ${stringifyExact(change)}\n`);
    // With the last one only: a client that loses the connection in between is sent the others again.
    const id = place === null ? '' : `id: ${this.request.cursorOf(formatChangePlace(place))}\n`;
    const events = data.map((line, index) => `${index === data.length - 1 ? id : ''}${line}\n`);
    this.events.write(events.length === 0 ? `${id}\n` : events.join(''), now);
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

  end(now: Date): void {
    this.events.end(now);
  }
}
