import type { ServerResponse } from 'node:http';
import { currentRequest } from '../../kernel/request-context.js';
import { withoutSignatures } from '../../kernel/signed-link.pure.js';
import { isViewer } from './links-for-viewers.js';

/** A stream ends after this long, and clients reconnect with their last id. Milliseconds, like all below. */
export const LIFETIME_MS = 300_000;
/** Load balancers close connections that are silent for longer. */
export const HEARTBEAT_MS = 15_000;
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

/** A response with server-sent events (WHATWG HTML, "Server-sent events"): heartbeats, slow readers and the end. */
export class ServerSentEvents {
  /** Since when nothing can be written, because the client does not read or the stream has ended; null: writable. */
  private fullSince: Date | null = null;
  private writtenAt: Date;
  /** As the stream began: it is written outside of its request, and ends when the role changes. */
  private readonly isViewer = isViewer();

  /** @param onWritable called when a client that did not read reads again */
  constructor(
    private readonly response: ServerResponse,
    private readonly openedAt: Date,
    onWritable: () => void,
  ) {
    this.writtenAt = openedAt;
    response.writeHead(200, HEADERS);
    response.on('drain', () => {
      if (response.writableEnded) return;
      this.fullSince = null;
      onWritable();
    });
    // A broken connection is no error of ours; without a listener an 'error' event would end the process.
    response.on('error', () => response.destroy());
    this.write(PRELUDE, openedAt);
    // From now on it only waits.
    currentRequest()?.freeSlot?.();
  }

  /** Nothing can be written to it, temporarily or because it has ended. */
  get isFull(): boolean {
    return this.fullSince !== null;
  }

  get hasEnded(): boolean {
    return this.response.writableEnded;
  }

  /** @param text whole lines, with the empty line that ends an event */
  write(text: string, now: Date): void {
    this.writtenAt = now;
    this.response.write(this.isViewer ? withoutSignatures(text) : text);
    if (this.response.writableLength > MAX_BUFFERED) this.fullSince = now;
  }

  /** Ends the stream or writes a heartbeat when it is time. */
  tick(now: Date): void {
    const since = (then: Date) => now.getTime() - then.getTime();
    if (this.fullSince && since(this.fullSince) >= PATIENCE_MS) this.response.destroy();
    else if (since(this.openedAt) >= LIFETIME_MS) this.end(now);
    else if (!this.isFull && since(this.writtenAt) >= HEARTBEAT_MS) this.write(':\n\n', now);
  }

  /** Ends cleanly, or at once if the client does not read. A client that stops reading now is disconnected later. */
  end(now: Date): void {
    if (this.response.writableEnded) return;
    if (this.isFull) this.response.destroy();
    else this.response.end();
    this.fullSince = now;
  }
}
