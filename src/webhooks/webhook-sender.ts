import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { callbackify, promisify } from 'node:util';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { toExcerpt } from './response-excerpt.js';
import { DeadlineError, describeFailure, TargetRefusedError } from './send-failure.js';
import { judgeTarget, parseAllowedRanges, refusalOfAddress, type TargetPolicy } from './webhook-target.js';

/** How one HTTP try ended. A redirect is a response like any other: nothing is followed. */
export type SendResult =
  | { kind: 'response'; status: number; retryAfter: string | null; body: string }
  /** No answer; `error` names its class and holds nothing secret. */
  | { kind: 'failure'; error: string };

/** All addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>;

export interface WebhookSenderOptions {
  production: boolean;
  /** For the whole try: name, connection, TLS, request, answer. */
  timeoutMs: number;
  allowedCidrs: readonly string[];
  userAgent: string;
  /** Default: the operating system's resolver. */
  resolve?: ResolveHost;
  /** Trusted certificates in PEM. Default: Node's own and those of NODE_EXTRA_CA_CERTS. */
  ca?: string;
}

const CONNECT_TIMEOUT_MS = 5_000;
const resolveBySystem: ResolveHost = (hostname) => promisify(systemLookup)(hostname, { all: true });

/**
 * The guarded HTTP client of webhooks (api.md G4, G5). Three checks keep it out of the operator's own network:
 * the URL and a host that is an address before anything happens, every address that a name resolves to (one
 * refused address refuses the name), and the address that the socket really reached before a byte of the
 * request is written. A kept-alive socket was checked when it was opened.
 */
export class WebhookSender {
  private readonly policy: TargetPolicy;
  private readonly resolve: ResolveHost;
  private readonly agent: Agent;

  constructor(private readonly options: WebhookSenderOptions) {
    this.policy = {
      production: options.production,
      allowedRanges: parseAllowedRanges(options.allowedCidrs),
    };
    this.resolve = options.resolve ?? resolveBySystem;
    // Connections an origin are unbounded here: the dispatcher bounds what is in flight, and a request that
    // waited inside the client would lose that time of its deadline.
    this.agent = new Agent({ connect: this.guardedConnector(), pipelining: 1 });
  }

  /** POSTs the bytes; never throws. */
  async post(callbackUrl: string, headers: Record<string, string>, body: Buffer): Promise<SendResult> {
    const verdict = judgeTarget(callbackUrl, this.policy);
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

  private guardedConnector(): buildConnector.connector {
    const connect = buildConnector({
      timeout: Math.min(CONNECT_TIMEOUT_MS, this.options.timeoutMs),
      lookup: this.checkedLookup(),
      ...(this.options.ca !== undefined && { ca: this.options.ca }),
    });
    return (target, callback) => {
      connect(target, (error, socket) => {
        if (error) return callback(error, null);
        const reason = refusalOfAddress(socket.remoteAddress ?? '', this.policy);
        if (reason === null) return callback(null, socket);
        socket.destroy();
        callback(new TargetRefusedError(reason), null);
      });
    };
  }

  /** Hands the socket nothing but checked addresses, so that a second, different answer cannot be used. */
  private checkedLookup(): LookupFunction {
    const resolve = callbackify((hostname: string) => this.resolveChecked(hostname));
    return (hostname, { all }, callback) =>
      resolve(hostname, (error, addresses) => {
        if (error) callback(error, '');
        else if (all) callback(null, addresses);
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      });
  }

  private async resolveChecked(hostname: string): Promise<LookupAddress[]> {
    const addresses = await this.resolve(hostname);
    for (const { address } of addresses) {
      const reason = refusalOfAddress(address, this.policy);
      if (reason !== null) throw new TargetRefusedError(reason);
    }
    if (addresses.length === 0) throw new TargetRefusedError('the host name has no address');
    return addresses;
  }
}

/** One timer for the whole try: rejects those who wait, and ends the exchange. */
class Deadline {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  readonly passed: Promise<never>;

  constructor(timeoutMs: number) {
    const error = new DeadlineError(`no answer within ${timeoutMs} ms`);
    let reject: (reason: Error) => void;
    this.passed = new Promise<never>((_resolve, rejectPassed) => (reject = rejectPassed));
    // Nobody may be waiting any more when it passes.
    this.passed.catch(() => undefined);
    this.timer = setTimeout(() => {
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
async function readStart(answer: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const start = () => Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES);
  let length = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_BODY_BYTES) break;
    }
    return start();
  } catch {
    return start();
  }
}
