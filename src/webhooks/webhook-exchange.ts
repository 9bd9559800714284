import type { Agent, Dispatcher } from 'undici';
import { DeadlineError } from './send-failure.pure.js';

/** How much of a response is kept, in bytes (specification/webhooks.md#delivery). */
const MAX_BODY_BYTES = 4_096;

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
 * Once the status has arrived, the response counts: a body that breaks off, is too long or never ends is only
 * truncated.
 */
class Exchange implements Dispatcher.DispatchHandler {
  private readonly timer: NodeJS.Timeout;
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
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk);
    this.length += chunk.length;
    if (this.length > MAX_BODY_BYTES) this.stop(new Error('longer than what is kept'));
  }

  onResponseEnd(): void {
    this.settle(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.settle(error);
  }

  /** Closes the socket, if there is one. */
  private stop(reason: Error): void {
    this.settle(reason);
    this.controller?.abort(reason);
  }

  private settle(failure: Error | null): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
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
