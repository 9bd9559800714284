import type { Agent, Dispatcher } from 'undici';
import { DeadlineError } from './send-failure.pure.js';

/** How much of a response is kept, in bytes (specification/webhooks.md#delivery). */
const MAX_BODY_BYTES = 4_096;
/** How long the body of a refusal is waited for, and the rest of any other, so that its connection can be used again. */
const BODY_MS = 1_000;

/** An endpoint's response; `body` is the part of it that is kept. */
export interface EndpointResponse {
  status: number;
  retryAfter: string | null;
  body: Buffer;
}

/** Milliseconds from the start of an attempt. */
export interface ExchangeTiming {
  /** Until there was a connection: DNS, TCP, TLS; close to 0 on a kept-alive one. Null: there was none. */
  connectMs: number | null;
  /** Until the response headers arrived. Null: none came. */
  firstByteMs: number | null;
  /** Until the end of the attempt. */
  durationMs: number;
}

/** A response, a DeadlineError or an error of undici. */
export type Outcome = { timing: ExchangeTiming } & ({ response: EndpointResponse } | { error: Error });

/**
 * One request on undici's low-level dispatch: its promise API creates a stream, an abort signal and an async resource
 * per response, which cost more than all the rest of an attempt. Never rejects.
 * @param timeoutMs for everything: waiting for a connection, opening it, request, response
 */
export function exchange(
  agent: Agent,
  request: Dispatcher.DispatchOptions,
  timeoutMs: number,
): Promise<Outcome> {
  return new Promise((resolve) => {
    // Only the deadline of the whole attempt applies.
    agent.dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, new Exchange(timeoutMs, resolve));
  });
}

/**
 * Once the status and the headers have arrived, the response counts (specification/webhooks.md#delivery): a body that
 * breaks off, is malformed, too long or never ends is only truncated. With a 2xx the attempt is over at once, and keeps
 * what came with its headers; of a refusal a person wants to read the reason, so its body has a moment.
 */
class Exchange implements Dispatcher.DispatchHandler {
  private timer: NodeJS.Timeout;
  private readonly start = performance.now();
  private connectMs: number | null = null;
  private firstByteMs: number | null = null;
  private controller: Dispatcher.DispatchController | null = null;
  private response: Omit<EndpointResponse, 'body'> | null = null;
  private readonly chunks: Buffer[] = [];
  private length = 0;
  private isOver = false;

  constructor(
    timeoutMs: number,
    private readonly resolve: (outcome: Outcome) => void,
  ) {
    this.timer = setTimeout(
      () => this.stop(new DeadlineError(`no response within ${timeoutMs} ms`)),
      timeoutMs,
    );
  }

  /** There is a connection, and nothing has been written yet. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // The deadline passed while it waited for the connection.
    if (this.isOver) return controller.abort(new Error('too late'));
    this.connectMs = this.elapsed();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 1xx: the final response is still to come.
    if (status < 200) return;
    this.response = { status, retryAfter: [headers['retry-after']].flat()[0] ?? null };
    this.firstByteMs = this.elapsed();
    // After what the same read has brought.
    if (status < 300) setImmediate(() => this.settle(null));
    else this.limitBody();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk);
    this.length += chunk.length;
    if (this.length > MAX_BODY_BYTES) this.stop(new Error('longer than what is kept'));
  }

  onResponseEnd(): void {
    this.settle(null);
    clearTimeout(this.timer);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.settle(error);
    clearTimeout(this.timer);
  }

  private limitBody(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.stop(new Error('the body does not end')), BODY_MS).unref();
  }

  /** Closes the socket, if there is one. */
  private stop(reason: Error): void {
    this.settle(reason);
    clearTimeout(this.timer);
    this.controller?.abort(reason);
  }

  private settle(failure: Error | null): void {
    if (this.isOver) return;
    this.isOver = true;
    // Its body may still end, or it is closed.
    if (this.response) this.limitBody();
    else clearTimeout(this.timer);
    const { connectMs, firstByteMs } = this;
    const timing = { connectMs, firstByteMs, durationMs: this.elapsed() };
    if (!this.response) {
      const error = failure ?? new Error('the response ended before its status');
      return this.resolve({ timing, error });
    }
    const [first = Buffer.alloc(0), ...others] = this.chunks;
    const body = others.length === 0 ? first : Buffer.concat(this.chunks);
    this.resolve({ timing, response: { ...this.response, body: body.subarray(0, MAX_BODY_BYTES) } });
  }

  private elapsed(): number {
    return Math.round(performance.now() - this.start);
  }
}
