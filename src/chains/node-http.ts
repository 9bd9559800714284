import { Agent, request } from 'undici';
import { type CutLimits, cutStrings } from './cut-strings.js';
import { readText } from './node-text.js';
import { retryAfterMs } from './retry-after.pure.js';

/** No response. `reason` is only the type of failure: messages of the HTTP client may quote the URL, with its key. */
export class NodeSilentError extends Error {
  constructor(readonly reason: string) {
    super(`the node did not answer (${reason})`);
  }
}

/** Bounds for time and size, because a node is not trusted. */
export interface NodeHttpOptions {
  /** Milliseconds for one request from first to last byte. */
  deadlineMs?: number;
  /** Bytes of one response. */
  maxResponseBytes?: number;
}

/** One request that differs from others. */
export interface PostOptions {
  /** Below the URL; default: the URL itself. */
  path?: string;
  until?: AbortSignal;
  /** Instead of that of the connection. */
  deadlineMs?: number;
  /** For a response whose length a stranger decides: it is shortened while it arrives, so it may be longer. */
  cut?: CutLimits;
}

/** Milliseconds for one request where none are given. */
export const DEFAULT_DEADLINE_MS = 10_000;
/** Bytes of a response that is shortened while it arrives; of a network as fast as 1 GBit/s, some seconds. */
const MAX_CUT_RESPONSE_BYTES = 2 ** 30;

/** What a node sent. */
export interface NodeResponse {
  status: number;
  text: string;
  /** Milliseconds that the node asks us to wait, by its `Retry-After` header; null without one. */
  retryAfterMs: number | null;
}

/** JSON over HTTP to one node. Its URL often contains an access key, so no error quotes it. */
export class NodeHttp {
  private readonly agent: Agent;
  private readonly cuttingAgent: Agent;
  private readonly url: URL;
  private readonly headers: Record<string, string>;
  private readonly deadlineMs: number;

  /** @param headers sent with every request, in addition to the URL's credentials */
  constructor(
    url: string,
    { deadlineMs = DEFAULT_DEADLINE_MS, maxResponseBytes = 32 * 2 ** 20 }: NodeHttpOptions = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.url = new URL(url);
    const { username, password } = this.url;
    this.headers = { 'content-type': 'application/json', ...headers };
    if (username || password) {
      const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
      this.headers['authorization'] = `Basic ${Buffer.from(credentials).toString('base64')}`;
      this.url.username = this.url.password = '';
    }
    this.deadlineMs = deadlineMs;
    const connect = { timeout: deadlineMs };
    this.agent = new Agent({ maxResponseSize: maxResponseBytes, connect });
    this.cuttingAgent = new Agent({ maxResponseSize: MAX_CUT_RESPONSE_BYTES, connect });
  }

  /**
   * Does not follow redirects, which would forward the key.
   * @throws NodeSilentError also when `until` is aborted
   */
  async post(
    body: string,
    { path, until, deadlineMs = this.deadlineMs, cut }: PostOptions = {},
  ): Promise<NodeResponse> {
    const deadline = AbortSignal.timeout(deadlineMs);
    try {
      const response = await request(path === undefined ? this.url : below(this.url, path), {
        method: 'POST',
        dispatcher: cut ? this.cuttingAgent : this.agent,
        signal: until ? AbortSignal.any([until, deadline]) : deadline,
        headers: this.headers,
        body,
      });
      const { 'retry-after': retryAfter, date } = response.headers;
      const text = await readText(cut ? cutStrings(response.body, cut) : response.body);
      return { status: response.statusCode, text, retryAfterMs: retryAfterMs(retryAfter, date) };
    } catch (error) {
      throw new NodeSilentError(failureName(error));
    }
  }

  /** Waits for the calls under way. */
  async close(): Promise<void> {
    await Promise.all([this.agent.close(), this.cuttingAgent.close()]);
  }
}

/** Shortens a node's text to one line, for logs. */
export function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 200);
}

/** Keeps the URL's own path and query: some providers put the key there. */
function below(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/(^|[^/])\/+$/, '$1')}/${path}`;
  return url;
}

/** Only the type of failure: messages of the HTTP client may quote the URL. */
export function failureName(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name : 'unknown';
}
