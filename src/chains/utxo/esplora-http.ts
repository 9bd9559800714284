import { Agent, request } from 'undici';
import type { Clock } from '../../platform/kernel/clock.pure.js';
import { failureName } from '../node-http.js';
import { classifyRefusal } from '../refusal.pure.js';
import { RequestPacer } from '../request-pacer.js';
import { retryAfterMs } from '../retry-after.pure.js';
import { RpcError } from '../rpc-error.pure.js';

export interface EsploraOptions {
  /** Milliseconds for one request from first to last byte, waiting for a free connection included. */
  deadlineMs?: number;
  /** Bytes of one response. */
  maxResponseBytes?: number;
}

/** Public endpoints limit connections as well as requests. */
const CONNECTIONS = 4;

/**
 * HTTP client of one Esplora endpoint. Time and size are bounded, and requests pause while the endpoint rate-limits us.
 * Its URL may contain an access key, so no error quotes it.
 */
export class EsploraHttp {
  private readonly agent: Agent;
  private readonly base: URL;
  private readonly authorization: string | undefined;
  private readonly deadlineMs: number;
  private readonly pacer: RequestPacer;

  constructor(
    url: string,
    clock: Clock,
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
    this.pacer = new RequestPacer(clock, deadlineMs);
    const connect = { timeout: deadlineMs };
    this.agent = new Agent({ maxResponseSize: maxResponseBytes, connections: CONNECTIONS, connect });
  }

  /**
   * @param path of the published API, without the endpoint's own prefix
   * @returns null for HTTP 404
   * @throws RpcError, of kind `rate-limit` while the endpoint rate-limits us
   */
  find(path: string): Promise<Buffer | null> {
    const label = `GET ${path}`;
    return this.pacer.run(label, () => this.ask(path, label));
  }

  /** Waits for requests under way. */
  async close(): Promise<void> {
    await this.agent.close();
  }

  private async ask(path: string, label: string): Promise<Buffer | null> {
    const url = new URL(this.base);
    url.pathname = url.pathname.replace(/\/$/, '') + path;
    let status: number;
    let wait: number | null;
    let body: Buffer;
    try {
      const response = await request(url, {
        dispatcher: this.agent,
        signal: AbortSignal.timeout(this.deadlineMs),
        headers: this.authorization ? { authorization: this.authorization } : {},
      });
      status = response.statusCode;
      wait = retryAfterMs(response.headers['retry-after'], response.headers['date']);
      body = Buffer.from(await response.body.arrayBuffer());
    } catch (error) {
      throw new RpcError(label, `the endpoint did not answer (${failureName(error)})`);
    }
    if (status === 200) return body;
    if (status === 404) return null;
    // Redirects are not followed: they would reveal our requests to another host.
    const text = body.toString('utf8');
    const refusal = classifyRefusal({ status, text, isJson: false, retryAfterMs: wait });
    const what = refusal.kind === 'rate-limit' ? 'asks for fewer requests' : 'refused';
    throw new RpcError(label, `the endpoint ${what} (HTTP ${status})`, refusal);
  }
}
