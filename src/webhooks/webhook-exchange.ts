import type { Agent, Dispatcher } from 'undici';
import { DeadlineError } from './send-failure.pure.js';

/** What is kept of an answer at most, in bytes (specification/webhooks.md#delivery). */
const MAX_BODY_BYTES = 4_096;

/** What an endpoint answered; `body` is its start. */
export interface Answer {
  status: number;
  retryAfter: string | null;
  body: Buffer;
}

/** Milliseconds from the start of a try. */
export interface ExchangeTiming {
  /** Until there was a connection: name, TCP, TLS; next to nothing on one that was kept. Null: there never was one. */
  connectMs: number | null;
  /** Until the head of the answer was there. Null: none came. */
  firstByteMs: number | null;
  /** Until its end. */
  durationMs: number;
}

/** An answer, or a DeadlineError, or what undici says. */
export type Outcome = { timing: ExchangeTiming } & ({ answer: Answer } | { error: Error });

/**
 * One request and its answer, on undici's own ground floor: the promises above it make a stream, an abort signal and
 * an async resource of every answer, which cost more than all the rest of an attempt. Never rejects.
 * @param timeoutMs for everything: waiting for a connection, opening it, request, answer
 */
export function exchange(
  agent: Agent,
  request: Dispatcher.DispatchOptions,
  timeoutMs: number,
): Promise<Outcome> {
  return new Promise((resolve) => {
    // The deadline alone ends a try.
    agent.dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, new Exchange(timeoutMs, resolve));
  });
}

/**
 * Once the status has been heard the answer counts: one that breaks off, is longer than what is kept or never ends is
 * only cut short.
 */
class Exchange implements Dispatcher.DispatchHandler {
  private readonly timer: NodeJS.Timeout;
  private readonly start = performance.now();
  private connectMs: number | null = null;
  private firstByteMs: number | null = null;
  private controller: Dispatcher.DispatchController | null = null;
  private answer: Omit<Answer, 'body'> | null = null;
  private readonly chunks: Buffer[] = [];
  private length = 0;
  private isOver = false;

  constructor(
    timeoutMs: number,
    private readonly resolve: (outcome: Outcome) => void,
  ) {
    this.timer = setTimeout(
      () => this.stop(new DeadlineError(`no answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
  }

  /** A connection is free, and nothing is written yet. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // It waited for its connection for too long.
    if (this.isOver) return controller.abort(new Error('too late'));
    this.connectMs = this.elapsed();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 1xx: the answer is still to come.
    if (status < 200) return;
    this.answer = { status, retryAfter: [headers['retry-after']].flat()[0] ?? null };
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

  /** Drops the socket, if there is one. */
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
    if (!this.answer) {
      const error = failure ?? new Error('the answer ended before its status');
      return this.resolve({ timing, error });
    }
    const [first = Buffer.alloc(0), ...others] = this.chunks;
    const body = others.length === 0 ? first : Buffer.concat(this.chunks);
    this.resolve({ timing, answer: { ...this.answer, body: body.subarray(0, MAX_BODY_BYTES) } });
  }

  private elapsed(): number {
    return Math.round(performance.now() - this.start);
  }
}
