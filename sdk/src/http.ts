import type { ErrorBody } from './api-types.js';
import { GatewayError } from './errors.js';
import { parseExact, stringifyExact } from './exact-json.js';
import { type ServerEvent, ServerEventParser } from './server-events.js';

export interface GatewayOptions {
  /** The base address of the gateway, e.g. `https://pay.example.com`. */
  baseUrl: string;
  /**
   * A client token (`pct_…`) or an OAuth2 access token; a function is called before every request, for tokens that
   * expire. Not needed for the public checkout endpoints.
   */
  token?: string | (() => string | Promise<string>);
  /**
   * The id of another account that the user of the token is a member of; a function is called before every request.
   * Null, or nothing: the user's own.
   */
  account?: string | null | (() => string | null);
  /** Default: the global one. */
  fetch?: typeof fetch;
  /** Milliseconds for each attempt; default 30,000. */
  timeoutMs?: number;
  /** Attempts after the first; default 3. */
  retries?: number;
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, including its waits, with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface WriteOptions extends CallOptions {
  /**
   * The gateway acts once per key, within 24 hours. Default: a new one for every call, kept through its retries. With
   * your order number, calls that your own code repeats are harmless as well.
   */
  idempotencyKey?: string;
}

export interface HttpRequest extends CallOptions {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path from the root of the gateway. */
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  /** Sent with every attempt, so that the gateway acts once. */
  idempotencyKey?: string;
  /** No token is sent to public endpoints. */
  isPublic?: boolean;
}

/** A stream to follow. */
export interface EventsRequest extends CallOptions {
  path: string;
  /** Null: from now on. */
  lastEventId: string | null;
}

/** Milliseconds; the gateway says something every 15 seconds. */
const SILENCE_MS = 40_000;
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 3;
/** Milliseconds before the first retry; doubles per attempt. */
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8_000;
/** Seconds. After a longer Retry-After there is no retry: the caller gets it as `retryAfter`. */
const MAX_RETRY_AFTER = 60;
/** Temporary failures as the gateway documents them, and those that proxies return while it restarts. */
const TRANSIENT = new Set([408, 429, 502, 503, 504]);

/** Whether the same request may succeed later. Every request of this package is safe to repeat. */
export function isTransient({ status, code }: GatewayError): boolean {
  if (status === 0) return code === 'network_error' || code === 'timeout';
  // The first attempt may still be in progress when the second arrives.
  return TRANSIENT.has(status) || code === 'idempotency_in_progress';
}

/** JSON over HTTP: token, deadline, retries, exact integers, errors. */
export class Http {
  private readonly baseUrl: string;
  private readonly token: GatewayOptions['token'];
  private readonly account: GatewayOptions['account'];
  private readonly fetch: typeof fetch;
  private readonly timeoutMs: number;
  private readonly retries: number;

  constructor(options: GatewayOptions) {
    this.baseUrl = readBaseUrl(options.baseUrl);
    this.token = options.token;
    this.account = options.account;
    // A browser's fetch fails when it is called as a method of another object.
    this.fetch = options.fetch ?? ((...args) => globalThis.fetch(...args));
    this.timeoutMs = readCount('timeoutMs', options.timeoutMs ?? DEFAULT_TIMEOUT_MS, 1);
    this.retries = readCount('retries', options.retries ?? DEFAULT_RETRIES, 0);
  }

  /**
   * Returns the response body.
   * @throws GatewayError; or the signal's reason
   */
  async call<T>(request: HttpRequest): Promise<T> {
    if (request.idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(request.idempotencyKey))
      throw new TypeError('idempotencyKey: 1 to 255 printable ASCII characters without spaces');
    // Serialized once, so that all attempts send the same request.
    const body = request.body === undefined ? undefined : stringifyExact(request.body);
    for (let attempt = 0; ; attempt++) {
      request.signal?.throwIfAborted();
      try {
        return (await this.attempt(request, body)) as T;
      } catch (error) {
        if (!(error instanceof GatewayError) || !isTransient(error)) throw error;
        const waitMs = backoffMs(attempt, error.retryAfter);
        if (attempt >= this.retries || waitMs === null) throw error;
        await delay(waitMs, request.signal);
      }
    }
  }

  /** A POST that acts once, however often it is retried. */
  write<T>(path: string, body: unknown, { idempotencyKey, signal }: WriteOptions): Promise<T> {
    return this.call<T>({
      method: 'POST',
      path,
      body,
      idempotencyKey: idempotencyKey ?? crypto.randomUUID(),
      signal,
    });
  }

  /**
   * The objects of an export (JSON Lines) as they arrive. Not retried: the caller already has the first ones.
   * @throws GatewayError, also when the connection breaks before the end
   */
  async *lines<T>({ path, query, signal }: Omit<HttpRequest, 'method'>): AsyncGenerator<T, void, undefined> {
    const reader = await this.openText(
      { method: 'GET', path, ...(query && { query }), signal },
      { accept: 'application/jsonl' },
    );
    let rest = '';
    try {
      for (;;) {
        const { done, value = '' } = await orNetworkError(signal, () => reader.read());
        const lines = (rest + value).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) yield parseExact(line) as T;
        if (done) break;
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
    if (rest !== '') throw new GatewayError('network_error', 'the export ended in the middle of a line');
  }

  /**
   * Server-sent events until the gateway ends the stream.
   * @throws GatewayError, also when nothing was heard for too long; or the signal's reason
   */
  async *events({ path, signal, lastEventId }: EventsRequest): AsyncGenerator<ServerEvent, void, undefined> {
    const silence = new AbortController();
    const either = signal ? AbortSignal.any([silence.signal, signal]) : silence.signal;
    const wait = () => setTimeout(() => silence.abort(), SILENCE_MS);
    let timer = wait();
    const parser = new ServerEventParser();
    try {
      const headers = {
        accept: 'text/event-stream',
        ...(lastEventId !== null && { 'last-event-id': lastEventId }),
      };
      const reader = await this.openText({ method: 'GET', path, signal: either }, headers);
      try {
        for (;;) {
          const { done, value = '' } = await orNetworkError(either, () => reader.read());
          clearTimeout(timer);
          timer = wait();
          yield* parser.push(value);
          if (done) return;
        }
      } finally {
        await reader.cancel().catch(() => undefined);
      }
    } catch (error) {
      if (!silence.signal.aborted || signal?.aborted) throw error;
      throw new GatewayError('timeout', `nothing was heard for ${SILENCE_MS} ms`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  /** The text of a response as it arrives. @throws GatewayError */
  private async openText(
    request: HttpRequest,
    accepted: Record<string, string>,
  ): Promise<ReadableStreamDefaultReader<string>> {
    const { signal } = request;
    const headers = { ...(await this.headers(request, false)), ...accepted };
    const response = await orNetworkError(signal, () =>
      this.fetch(this.address(request), { headers, redirect: 'manual', signal: signal ?? null }),
    );
    if (response.ok && response.body) return response.body.pipeThrough(new TextDecoderStream()).getReader();
    // Throws what the error response says.
    readAnswer(response, await response.text());
    throw new GatewayError('invalid_response', 'The response has no body', { status: response.status });
  }

  private async attempt(request: HttpRequest, body: string | undefined): Promise<unknown> {
    const deadline = AbortSignal.timeout(this.timeoutMs);
    const signal = request.signal ? AbortSignal.any([deadline, request.signal]) : deadline;
    const init: RequestInit = {
      method: request.method,
      headers: await this.headers(request, body !== undefined),
      // A redirect could send the request, with its token, to another host.
      redirect: 'manual',
      signal,
      ...(body !== undefined && { body }),
    };
    let response: Response;
    let text: string;
    try {
      response = await this.fetch(this.address(request), init);
      text = await response.text();
    } catch (cause) {
      // An abort by the caller is not a failure of the gateway.
      request.signal?.throwIfAborted();
      if (deadline.aborted)
        throw new GatewayError('timeout', `no response within ${this.timeoutMs} ms`, { cause });
      throw new GatewayError('network_error', `no response: ${describe(cause)}`, { cause });
    }
    return readAnswer(response, text);
  }

  private address({ path, query = {} }: HttpRequest): string {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) search.append(name, String(value));
    return `${this.baseUrl}${path}${search.size > 0 ? `?${search.toString()}` : ''}`;
  }

  private async headers(request: HttpRequest, hasBody: boolean): Promise<Record<string, string>> {
    const token = request.isPublic ? undefined : await this.bearer();
    const account = typeof this.account === 'function' ? this.account() : this.account;
    return {
      accept: 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(token !== undefined && account && { 'x-account': account }),
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(request.idempotencyKey !== undefined && { 'idempotency-key': request.idempotencyKey }),
    };
  }

  private async bearer(): Promise<string> {
    const token = typeof this.token === 'function' ? await this.token() : this.token;
    if (typeof token !== 'string' || token === '') throw new TypeError('token: this call needs one');
    // fetch would report it as a failed connection.
    if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError('token: has characters that no token has');
    return token;
  }
}

/** @throws GatewayError `network_error`; or the reason of the caller's signal */
async function orNetworkError<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    signal?.throwIfAborted();
    throw new GatewayError('network_error', `no response: ${describe(cause)}`, { cause });
  }
}

/** Null for what is none. `URL.canParse` is wrong about letters such as ü in a busy Node 20. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function readBaseUrl(text: string): string {
  const url = parseUrl(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new TypeError('baseUrl: the http(s) address of the gateway, e.g. https://pay.example.com');
  return url.href.replace(/(^|[^/])\/+$/, '$1');
}

/** @throws TypeError */
export function readCount(name: string, value: number, min: number): number {
  // The largest delay of a timer.
  if (!Number.isSafeInteger(value) || value < min || value > 0x7fff_ffff)
    throw new TypeError(`${name}: an integer from ${min}`);
  return value;
}

/** Node's fetch says only "fetch failed"; the reason is in the cause. */
function describe(error: unknown): string {
  const { cause, message } = error as { cause?: { message?: string; code?: string }; message?: string };
  return cause?.message || cause?.code || message || String(error);
}

/** Milliseconds before the next attempt; null if Retry-After is longer than a call may wait. */
export function backoffMs(attempt: number, retryAfter: number | null): number | null {
  if (retryAfter !== null) return retryAfter > MAX_RETRY_AFTER ? null : retryAfter * 1000;
  // Jitter, so that clients that failed at the same time do not retry at the same time.
  return Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
}

/** @throws the signal's reason */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

function readAnswer(response: Response, text: string): unknown {
  const requestId = response.headers.get('x-request-id');
  const retryAfter = readRetryAfter(response.headers.get('retry-after'));
  const { status } = response;
  // There is nothing to say.
  if (status === 204) return undefined;
  const body = tryParse(text);
  if (response.ok && typeof body === 'object' && body !== null) return body;
  const { code, message, errors, hint } = (body ?? {}) as Partial<Record<keyof ErrorBody, unknown>>;
  if (!response.ok && typeof code === 'string' && typeof message === 'string')
    throw new GatewayError(code, message, {
      status,
      requestId,
      retryAfter,
      errors: readReasons(errors),
      hint: typeof hint === 'string' ? hint : null,
    });
  const isRedirect = response.type === 'opaqueredirect' || (status >= 300 && status < 400);
  const reason = isRedirect
    ? 'a redirect: is baseUrl right?'
    : `status ${status}, and not the JSON of a gateway`;
  throw new GatewayError('invalid_response', `The response is ${reason}`, { status, requestId, retryAfter });
}

function tryParse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

function readReasons(errors: unknown): Record<string, string[]> {
  return typeof errors === 'object' && errors !== null ? (errors as Record<string, string[]>) : {};
}

/** Seconds of a Retry-After header: a number, or a date (RFC 9110, section 10.2.3). */
export function readRetryAfter(header: string | null, now = new Date()): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  // Date.parse alone reads "-5" as a year.
  const date = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now.getTime()) / 1000));
}

/** An id as part of a path. An empty one or `..` would address another route. */
export function segment(name: string, id: string): string {
  if (typeof id !== 'string' || !/^[\w-]+$/.test(id)) throw new TypeError(`${name}: not an id`);
  return id;
}
