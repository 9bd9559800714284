import { setTimeout as delay } from 'node:timers/promises';
import { CONNECT_MS, SILENCE_MS } from '../../src/platform/database/database.js';
import { type ApiRequest, sendRequest } from '../support/api-request.js';
import { MerchantApi } from '../support/merchant-api.js';

/** The response to one request, or its failure, and the time that it took. */
export interface Outcome {
  what: string;
  /** 0: the connection broke, and the text says how. */
  status: number;
  ms: number;
  retryAfter: string | null;
  isReplayed: boolean;
  text: string;
}

/**
 * Milliseconds within which every request has its response, whatever happens to the database: it may wait for a
 * connection, then for one that the network has dropped silently; a busy machine needs some more.
 */
const BOUND_MS = 3 * (CONNECT_MS + SILENCE_MS);
const RETRY_MS = 150;
/** A request that has not succeeded in this time never will. */
const PATIENCE_MS = 300_000;

/**
 * Repeats requests until they succeed, and checks every response: 2xx; or 503 with Retry-After in the documented shape;
 * or for a repeated request 409 while the first one is in progress; each in time.
 */
export class ApiClient {
  /** Responses by status, 0 for a connection that broke. */
  readonly counts = new Map<number, number>();
  readonly wrong: string[] = [];
  readonly api = new MerchantApi((path, request) => this.until2xx(path, request));
  slowest: Outcome | null = null;

  constructor(readonly baseUrl: string) {}

  async until2xx(path: string, request: ApiRequest = {}): Promise<Outcome> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const outcome = await this.once(path, request);
      if (outcome.status >= 200 && outcome.status < 300) return outcome;
      if (performance.now() > deadline)
        throw new Error(`${outcome.what}: still ${outcome.status} ${outcome.text} after ${PATIENCE_MS} ms`);
      await delay(RETRY_MS);
    }
  }

  async once(path: string, request: ApiRequest = {}): Promise<Outcome> {
    const method = request.method ?? (request.body === undefined ? 'GET' : 'POST');
    const what = `${method} ${path.replace(/\?.*/, '')}`;
    const start = performance.now();
    const signal = AbortSignal.timeout(BOUND_MS);
    const outcome: Outcome = await sendRequest(`${this.baseUrl}${path}`, { ...request, signal }).then(
      ({ status, text, isReplayed, headers }) => {
        const retryAfter = headers.get('retry-after');
        return { what, status, text, isReplayed, retryAfter, ms: performance.now() - start };
      },
      (error: unknown) => {
        const text =
          error instanceof Error ? `${error.name}: ${error.message}: ${String(error.cause)}` : String(error);
        return { what, status: 0, text, isReplayed: false, retryAfter: null, ms: performance.now() - start };
      },
    );
    this.check(outcome);
    return outcome;
  }

  private check(outcome: Outcome): void {
    const { status, ms, what, text } = outcome;
    if (text.includes('TimeoutError')) this.wrong.push(`${what}: no answer within ${BOUND_MS} ms`);
    this.counts.set(status, (this.counts.get(status) ?? 0) + 1);
    if (!this.slowest || ms > this.slowest.ms) this.slowest = outcome;
    if (status >= 200 && status < 300) return;
    const isDocumented = status === 503 ? isUnavailable(outcome) : status === 409 && isInProgress(outcome);
    if (!isDocumented) this.wrong.push(`${what}: ${status}, Retry-After ${outcome.retryAfter}: ${text}`);
  }

  get summary(): string {
    const counts = [...this.counts]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${count} x ${status}`);
    const slowest = this.slowest ? `${Math.round(this.slowest.ms)} ms (${this.slowest.what})` : 'none';
    return `${counts.join(', ')}; the slowest took ${slowest}`;
  }
}

/** An error body (specification/errors.md#body), also of the token endpoint. */
function isUnavailable({ retryAfter, text }: Outcome): boolean {
  if (!/^[1-9]\d*$/.test(retryAfter ?? '')) return false;
  const body = JSON.parse(text) as Record<string, unknown>;
  return body['code'] === 'service_unavailable' && typeof body['requestId'] === 'string';
}

function isInProgress({ retryAfter, text }: Outcome): boolean {
  return retryAfter !== null && (JSON.parse(text) as { code?: string }).code === 'idempotency_in_progress';
}
