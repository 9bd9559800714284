import { parseExact, stringifyExact } from '../../src/platform/http/exact-json.pure.js';
import { setTimeout as delay } from 'node:timers/promises';

/** What one request was answered, and when. */
export interface Answer {
  what: string;
  status: number;
  ms: number;
  retryAfter: string | null;
  isReplayed: boolean;
  text: string;
}

/** Milliseconds within which every request has its answer, whatever happens to the database. */
export const BOUND_MS = 15_000;
const PAUSE_MS = 150;
const TOKEN = '/api/oauth/token';
/** A request that does not succeed in this time never will. */
const PATIENCE_MS = 90_000;

/**
 * A client that repeats what was not answered 2xx, and judges every answer: 2xx, or 503 with Retry-After in the
 * documented shape, or for a repeated request 409 while the first one is still under way; each in time.
 */
export class ApiClient {
  /** Answers by status, 0 for a connection that broke. */
  readonly counts = new Map<number, number>();
  readonly wrong: string[] = [];
  slowest: Answer | null = null;

  constructor(
    readonly baseUrl: string,
    private token: string | null = null,
  ) {}

  async signIn(clientId: string, secret: string): Promise<void> {
    const { text } = await this.until2xx('POST', TOKEN, grantOf(clientId, secret), {});
    this.token = (JSON.parse(text) as { access_token: string }).access_token;
  }

  /** Asks once, whatever comes. */
  async tryToken(clientId: string, secret: string): Promise<void> {
    await this.once('POST', TOKEN, grantOf(clientId, secret));
  }

  /** Asks again until it is answered 2xx; the body's `data`. */
  async data<T>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<T> {
    const { text } = await this.until2xx(method, path, body, headers);
    return (parseExact(text) as { data: T }).data;
  }

  async until2xx(
    method: string,
    path: string,
    body: object | undefined,
    headers: Record<string, string>,
  ): Promise<Answer> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await this.once(method, path, body, headers);
      if (answer.status >= 200 && answer.status < 300) return answer;
      if (performance.now() > deadline)
        throw new Error(`${answer.what}: still ${answer.status} ${answer.text} after ${PATIENCE_MS} ms`);
      await delay(PAUSE_MS);
    }
  }

  async once(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const what = `${method} ${path.replace(/\?.*/, '')}`;
    const start = performance.now();
    let answer: Answer;
    try {
      const response = await fetch(`${this.baseUrl}${path}`, {
        method,
        headers: {
          // The token endpoint takes one way of saying who asks, and no second one.
          ...(this.token !== null && path !== TOKEN && { authorization: `Bearer ${this.token}` }),
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: stringifyExact(body) }),
        signal: AbortSignal.timeout(2 * BOUND_MS),
      });
      const text = await response.text();
      answer = {
        what,
        status: response.status,
        ms: performance.now() - start,
        retryAfter: response.headers.get('retry-after'),
        isReplayed: response.headers.get('idempotency-replayed') === 'true',
        text,
      };
    } catch (error) {
      const text = error instanceof Error ? `${error.message}: ${String(error.cause)}` : String(error);
      answer = { what, status: 0, ms: performance.now() - start, retryAfter: null, isReplayed: false, text };
    }
    this.check(answer);
    return answer;
  }

  private check(answer: Answer): void {
    const { status, ms, what, text } = answer;
    this.counts.set(status, (this.counts.get(status) ?? 0) + 1);
    if (!this.slowest || ms > this.slowest.ms) this.slowest = answer;
    if (ms > BOUND_MS) this.wrong.push(`${what}: answered ${status} only after ${Math.round(ms)} ms`);
    if (status >= 200 && status < 300) return;
    const isDocumented = status === 503 ? isUnavailable(answer) : status === 409 && isInProgress(answer);
    if (!isDocumented) this.wrong.push(`${what}: ${status}, Retry-After ${answer.retryAfter}: ${text}`);
  }

  get summary(): string {
    const counts = [...this.counts]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${count} x ${status}`);
    const slowest = this.slowest ? `${Math.round(this.slowest.ms)} ms (${this.slowest.what})` : 'none';
    return `${counts.join(', ')}; the slowest took ${slowest}`;
  }
}

function grantOf(clientId: string, secret: string) {
  return { grant_type: 'client_credentials', client_id: clientId, client_secret: secret };
}

/** An error body (specification/errors.md#body), at the token endpoint too. */
function isUnavailable({ retryAfter, text }: Answer): boolean {
  if (!/^[1-9]\d*$/.test(retryAfter ?? '')) return false;
  const body = JSON.parse(text) as Record<string, unknown>;
  return body['code'] === 'service_unavailable' && typeof body['requestId'] === 'string';
}

function isInProgress({ retryAfter, text }: Answer): boolean {
  return retryAfter !== null && (JSON.parse(text) as { code?: string }).code === 'idempotency_in_progress';
}
