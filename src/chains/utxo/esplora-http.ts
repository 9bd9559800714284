import { Agent, request } from 'undici';
import type { Clock } from '../../platform/runtime/clock.pure.js';
import { LIMIT_EXCEEDED, RpcError } from '../json-rpc.js';
import { failureName } from '../node-http.js';

export interface EsploraOptions {
  /** Milliseconds for one request from first to last byte, waiting for a free connection included. */
  deadlineMs?: number;
  /** Bytes of one response. */
  maxResponseBytes?: number;
}

/** Public endpoints limit connections as well as requests. */
const CONNECTIONS = 4;
/** Seconds without requests after HTTP 429: when the endpoint names none, and at most. */
const PAUSE = { default: 5, longest: 60 };

/**
 * HTTP client of one Esplora endpoint. Time and size are bounded, and requests pause while the endpoint rate-limits us.
 * Its URL may contain an access key, so no error quotes it.
 */
export class EsploraHttp {
  private readonly agent: Agent;
  private readonly base: URL;
  private readonly authorization: string | undefined;
  private readonly deadlineMs: number;
  /** Milliseconds since 1970. */
  private silentUntil = 0;

  constructor(
    url: string,
    private readonly clock: Clock,
    { deadlineMs = 30_000, maxResponseBytes = 32 * 2 ** 20 }: EsploraOptions = {},
  ) {
    this.base = new URL(url);
    const { username, password } = this.base;
    if (username || password) {
      const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
      this.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
      this.base.username = this.base.password = '';
    }
    this.deadlineMs = deadlineMs;
    const connect = { timeout: deadlineMs };
    this.agent = new Agent({ maxResponseSize: maxResponseBytes, connections: CONNECTIONS, connect });
  }

  /**
   * @param path of the published API, without the endpoint's own prefix
   * @returns null for HTTP 404
   * @throws RpcError with {@link LIMIT_EXCEEDED} while the endpoint rate-limits us
   */
  async find(path: string): Promise<Buffer | null> {
    const label = `GET ${path}`;
    if (this.clock.now().getTime() < this.silentUntil) throw tooMany(label);
    const url = new URL(this.base);
    url.pathname = url.pathname.replace(/\/$/, '') + path;
    let status: number;
    let wait: unknown;
    let body: Buffer;
    try {
      const response = await request(url, {
        dispatcher: this.agent,
        signal: AbortSignal.timeout(this.deadlineMs),
        headers: this.authorization ? { authorization: this.authorization } : {},
      });
      status = response.statusCode;
      wait = response.headers['retry-after'];
      body = Buffer.from(await response.body.arrayBuffer());
    } catch (error) {
      throw new RpcError(label, `the endpoint did not answer (${failureName(error)})`);
    }
    if (status === 200) return body;
    if (status === 404) return null;
    if (status === 429) {
      this.silentUntil = this.clock.now().getTime() + pauseSeconds(wait) * 1_000;
      throw tooMany(label);
    }
    // Redirects are not followed: they would reveal our requests to another host.
    throw new RpcError(label, `the endpoint answered HTTP ${status}`);
  }

  /** Waits for requests under way. */
  async close(): Promise<void> {
    await this.agent.close();
  }
}

/** RFC 9110: `Retry-After` has seconds, or a date, which is ignored because clocks may differ. */
function pauseSeconds(header: unknown): number {
  const seconds = typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : PAUSE.default;
  return Math.min(Math.max(seconds, 1), PAUSE.longest);
}

function tooMany(label: string): RpcError {
  return new RpcError(label, 'the endpoint asks for fewer requests (HTTP 429)', LIMIT_EXCEEDED);
}
