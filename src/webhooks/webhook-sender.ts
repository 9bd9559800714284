import type { OnApplicationShutdown } from '@nestjs/common';
import { Agent } from 'undici';
import {
  checkWebhookUrl,
  type WebhookUrlPolicy,
  webhookUrlPolicy,
  type WebhookUrlVerdict,
} from '../applications/webhook-url-policy.pure.js';
import type { ResolveHost } from '../platform/kernel/dns/host-resolver.js';
import { readEgressProxy } from './egress-proxy.js';
import { toExcerpt } from './response-excerpt.pure.js';
import { describeFailure } from './send-failure.pure.js';
import { webhookConnector } from './webhook-connector.js';
import { exchange, type ExchangeTiming } from './webhook-exchange.js';

/** How one HTTP attempt ended. Redirects are not followed: a redirect is a response like any other. */
export type SendResult = { timing: ExchangeTiming } & (
  | { kind: 'response'; status: number; retryAfter: string | null; body: string }
  /** No response; `error` is a class of failures and contains no secrets. */
  | { kind: 'failure'; error: string }
);

/** As logs and the record of a failed attempt say it. */
export function outcomeOf(result: SendResult): string {
  return result.kind === 'response' ? `HTTP ${result.status}` : result.error;
}

export interface WebhookSenderOptions {
  production: boolean;
  /** For the whole attempt: DNS, connection, TLS, request, response. */
  timeoutMs: number;
  allowedCidrs: readonly string[];
  userAgent: string;
  /** The proxy that makes the connections instead of the gateway (WEBHOOK_PROXY_URL). */
  proxyUrl?: string | null;
  /** Default: hosts file, DNS and whatever else the system uses (host-resolver.ts). */
  resolve?: ResolveHost;
  /** Trusted certificates in PEM. Default: Node's own and those of NODE_EXTRA_CA_CERTS. */
  ca?: string;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** The most checked URLs to cache. */
const MAX_VERDICTS = 10_000;
const NOT_STARTED: ExchangeTiming = { connectMs: null, firstByteMs: null, durationMs: 0 };

/**
 * The guarded HTTP client of webhooks (specification/webhooks.md#target-addresses). Four checks keep it out of the
 * operator's own network: the URL, and a host that is an address, when it is saved (webhook-url-policy.pure.ts) and
 * again here before anything happens; every address that a name resolves to, and the address that the socket really
 * reached (webhook-connector.ts). A kept-alive socket was checked when it was opened. Behind a proxy the last two are
 * the proxy's.
 */
export class WebhookSender implements OnApplicationShutdown {
  private readonly policy: WebhookUrlPolicy;
  private readonly agent: Agent;
  private readonly verdicts = new Map<string, WebhookUrlVerdict>();

  constructor(private readonly options: WebhookSenderOptions) {
    const { production, allowedCidrs, timeoutMs, resolve, ca, proxyUrl = null } = options;
    this.policy = webhookUrlPolicy(production, allowedCidrs);
    const connect = webhookConnector({
      policy: this.policy,
      timeoutMs: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
      resolve,
      ca,
      proxy: proxyUrl === null ? null : readEgressProxy(proxyUrl),
    });
    // Connections per origin are unlimited here: the dispatcher limits the attempts in flight, and waiting for a
    // connection inside the client would count against the deadline.
    this.agent = new Agent({ connect, pipelining: 1 });
  }

  /** POSTs the bytes; never throws. */
  async post(callbackUrl: string, headers: Record<string, string>, body: Buffer): Promise<SendResult> {
    const verdict = this.check(callbackUrl);
    if (!verdict.isAllowed) {
      return { kind: 'failure', error: `refused: ${verdict.reason}`, timing: NOT_STARTED };
    }
    const { url } = verdict;
    const request = {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST' as const,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': this.options.userAgent,
        // Responses are never decompressed, so a small one cannot become a huge one.
        'Accept-Encoding': 'identity',
        ...headers,
      },
      body,
    };
    const outcome = await exchange(this.agent, request, this.options.timeoutMs);
    const { timing } = outcome;
    if ('error' in outcome) return { kind: 'failure', error: describeFailure(outcome.error), timing };
    const { status, retryAfter, body: start } = outcome.response;
    return { kind: 'response', status, retryAfter, body: toExcerpt(start), timing };
  }

  /** Runs after every beforeApplicationShutdown, by which time the attempts in flight have ended. */
  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }

  /** Cached, because the result depends only on the URL and the fixed policy. */
  private check(callbackUrl: string): WebhookUrlVerdict {
    let verdict = this.verdicts.get(callbackUrl);
    if (!verdict) {
      verdict = checkWebhookUrl(callbackUrl, this.policy);
      if (this.verdicts.size >= MAX_VERDICTS) this.verdicts.clear();
      this.verdicts.set(callbackUrl, verdict);
    }
    return verdict;
  }
}
