import { Agent, type Dispatcher } from 'undici';
import {
  judgeTarget,
  type TargetPolicy,
  targetPolicy,
  type TargetVerdict,
} from '../applications/webhook-target.js';
import { readEgressProxy } from './egress-proxy.js';
import { toExcerpt } from './response-excerpt.js';
import { DeadlineError, describeFailure } from './send-failure.js';
import { type ResolveHost, webhookConnector } from './webhook-connector.js';

/** How one HTTP try ended. A redirect is a response like any other: nothing is followed. */
export type SendResult =
  | { kind: 'response'; status: number; retryAfter: string | null; body: string }
  /** No answer; `error` names its class and holds nothing secret. */
  | { kind: 'failure'; error: string };

export interface WebhookSenderOptions {
  production: boolean;
  /** For the whole try: name, connection, TLS, request, answer. */
  timeoutMs: number;
  allowedCidrs: readonly string[];
  userAgent: string;
  /** Makes the connections in the gateway's place (WEBHOOK_PROXY_URL). */
  proxyUrl?: string | null;
  /** Default: the operating system's resolver. */
  resolve?: ResolveHost;
  /** Trusted certificates in PEM. Default: Node's own and those of NODE_EXTRA_CA_CERTS. */
  ca?: string;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Judged URLs that are remembered at most. */
const MAX_VERDICTS = 10_000;

/**
 * The guarded HTTP client of webhooks (api.md G4, G5). Four checks keep it out of the operator's own network: the
 * URL, and a host that is an address, when it is saved (webhook-target.ts) and again here before anything happens;
 * every address that a name resolves to, and the address that the socket really reached (webhook-connector.ts).
 * A kept-alive socket was checked when it was opened. Behind a proxy the last two are the proxy's.
 */
export class WebhookSender {
  private readonly policy: TargetPolicy;
  private readonly agent: Agent;
  private readonly verdicts = new Map<string, TargetVerdict>();

  constructor(private readonly options: WebhookSenderOptions) {
    const { production, allowedCidrs, timeoutMs, resolve, ca, proxyUrl = null } = options;
    this.policy = targetPolicy(production, allowedCidrs);
    const connect = webhookConnector({
      policy: this.policy,
      timeoutMs: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
      resolve,
      ca,
      proxy: proxyUrl === null ? null : readEgressProxy(proxyUrl),
    });
    // Connections an origin are unbounded here: the dispatcher bounds what is in flight, and a request that
    // waited inside the client would lose that time of its deadline.
    this.agent = new Agent({ connect, pipelining: 1 });
  }

  /** POSTs the bytes; never throws. */
  async post(callbackUrl: string, headers: Record<string, string>, body: Buffer): Promise<SendResult> {
    const verdict = this.judge(callbackUrl);
    if (!verdict.isAllowed) return { kind: 'failure', error: `refused: ${verdict.reason}` };
    const { url } = verdict;
    const deadline = new Deadline(this.options.timeoutMs);
    try {
      const exchange = this.agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': this.options.userAgent,
          // Nothing is ever unpacked, so a small answer cannot become a big one.
          'Accept-Encoding': 'identity',
          ...headers,
        },
        body,
        signal: deadline.signal,
        // The deadline alone ends a try.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      // A request that still waits for its connection does not hear the signal, hence the race.
      const { statusCode, headers: answered, body: answer } = await Promise.race([exchange, deadline.passed]);
      return {
        kind: 'response',
        status: statusCode,
        retryAfter: [answered['retry-after']].flat()[0] ?? null,
        body: toExcerpt(await readStart(answer)),
      };
    } catch (error) {
      return { kind: 'failure', error: describeFailure(error) };
    } finally {
      deadline.clear();
    }
  }

  /** Drops all connections. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }

  /** The policy never changes, nor does what the text of a URL says. */
  private judge(callbackUrl: string): TargetVerdict {
    let verdict = this.verdicts.get(callbackUrl);
    if (!verdict) {
      verdict = judgeTarget(callbackUrl, this.policy);
      if (this.verdicts.size >= MAX_VERDICTS) this.verdicts.clear();
      this.verdicts.set(callbackUrl, verdict);
    }
    return verdict;
  }
}

/** One timer for the whole try: rejects those who wait, and ends the exchange. */
class Deadline {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  readonly passed: Promise<never>;

  constructor(timeoutMs: number) {
    let reject: (reason: Error) => void;
    this.passed = new Promise<never>((_resolve, rejectPassed) => (reject = rejectPassed));
    // Nobody may be waiting any more when it passes.
    this.passed.catch(() => undefined);
    this.timer = setTimeout(() => {
      const error = new DeadlineError(`no answer within ${timeoutMs} ms`);
      reject(error);
      this.controller.abort(error);
    }, timeoutMs);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  clear(): void {
    clearTimeout(this.timer);
  }
}

/** What is read of an answer at most, in bytes (api.md G4). */
const MAX_BODY_BYTES = 4_096;

/**
 * The first bytes of an answer. A longer one is cut off by dropping its socket. The status has been heard by
 * then and counts: an answer that breaks off or never ends is only cut short.
 */
function readStart(answer: Dispatcher.ResponseData['body']): Promise<Buffer> {
  return new Promise<Buffer>((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const end = () => resolve(Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES));
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_BODY_BYTES) answer.destroy();
    });
    // Listeners and not an async iterator: that costs more than the request itself.
    answer.on('end', end).on('error', end).on('close', end);
  });
}
