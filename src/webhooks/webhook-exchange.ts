import type { Agent, Dispatcher } from 'undici';
import { DeadlineError } from './send-failure.js';

/** What is kept of an answer at most, in bytes (api.md G4). */
const MAX_BODY_BYTES = 4_096;

/** What an endpoint answered; `body` is its start. */
export interface Answer {
  status: number;
  retryAfter: string | null;
  body: Buffer;
}

/**
 * One request and its answer, on undici's own ground floor: the promises above it make a stream, an abort signal and
 * an async resource of every answer, which cost more than all the rest of an attempt.
 * @param timeoutMs for everything: waiting for a connection, opening it, request, answer
 * @throws DeadlineError, or what undici says
 */
export function exchange(
  agent: Agent,
  request: Dispatcher.DispatchOptions,
  timeoutMs: number,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // The deadline alone ends a try.
    agent.dispatch(
      { ...request, headersTimeout: 0, bodyTimeout: 0 },
      new Exchange(timeoutMs, resolve, reject),
    );
  });
}

/**
 * Once the status has been heard the answer counts: one that breaks off, is longer than what is kept or never ends is
 * only cut short.
 */
class Exchange implements Dispatcher.DispatchHandler {
  private readonly timer: NodeJS.Timeout;
  private controller: Dispatcher.DispatchController | null = null;
  private answer: Omit<Answer, 'body'> | null = null;
  private readonly chunks: Buffer[] = [];
  private length = 0;
  private isOver = false;

  constructor(
    timeoutMs: number,
    private readonly resolve: (answer: Answer) => void,
    private readonly reject: (error: Error) => void,
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
    if (this.isOver) controller.abort(new Error('too late'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 1xx: the answer is still to come.
    if (status >= 200) this.answer = { status, retryAfter: [headers['retry-after']].flat()[0] ?? null };
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
    if (!this.answer) return this.reject(failure ?? new Error('the answer ended before its status'));
    const [first = Buffer.alloc(0), ...others] = this.chunks;
    const body = others.length === 0 ? first : Buffer.concat(this.chunks);
    this.resolve({ ...this.answer, body: body.subarray(0, MAX_BODY_BYTES) });
  }
}
