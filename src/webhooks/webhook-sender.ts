import type { OnApplicationShutdown } from '@nestjs/common';
import { Agent } from 'undici';
import {
  checkWebhookUrl,
  type WebhookUrlPolicy,
  webhookUrlPolicy,
  type WebhookUrlVerdict,
} from '../applications/webhook-url-policy.pure.js';
import type { ResolveHost } from '../platform/dns/host-resolver.js';
import { readEgressProxy } from './egress-proxy.js';
import { toExcerpt } from './response-excerpt.pure.js';
import { describeFailure } from './send-failure.pure.js';
import { webhookConnector } from './webhook-connector.js';
import { exchange, type ExchangeTiming } from './webhook-exchange.js';

/** How one HTTP try ended. A redirect is a response like any other: nothing is followed. */
export type SendResult = { timing: ExchangeTiming } & (
  | { kind: 'response'; status: number; retryAfter: string | null; body: string }
  /** No answer; `error` names its class and holds nothing secret. */
  | { kind: 'failure'; error: string }
);

export interface WebhookSenderOptions {
  production: boolean;
  /** For the whole try: name, connection, TLS, request, answer. */
  timeoutMs: number;
  allowedCidrs: readonly string[];
  userAgent: string;
  /** Makes the connections in the gateway's place (WEBHOOK_PROXY_URL). */
  proxyUrl?: string | null;
  /** Default: hosts file, DNS and whatever else the system has (host-resolver.ts). */
  resolve?: ResolveHost;
  /** Trusted certificates in PEM. Default: Node's own and those of NODE_EXTRA_CA_CERTS. */
  ca?: string;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Judged URLs that are remembered at most. */
const MAX_VERDICTS = 10_000;
const NOT_BEGUN: ExchangeTiming = { connectMs: null, firstByteMs: null, durationMs: 0 };

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
    // Connections an origin are unbounded here: the dispatcher bounds what is in flight, and a request that
    // waited inside the client would lose that time of its deadline.
    this.agent = new Agent({ connect, pipelining: 1 });
  }

  /** POSTs the bytes; never throws. */
  async post(callbackUrl: string, headers: Record<string, string>, body: Buffer): Promise<SendResult> {
    const verdict = this.judge(callbackUrl);
    if (!verdict.isAllowed) {
      return { kind: 'failure', error: `refused: ${verdict.reason}`, timing: NOT_BEGUN };
    }
    const { url } = verdict;
    const request = {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST' as const,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': this.options.userAgent,
        // Nothing is ever unpacked, so a small answer cannot become a big one.
        'Accept-Encoding': 'identity',
        ...headers,
      },
      body,
    };
    const outcome = await exchange(this.agent, request, this.options.timeoutMs);
    const { timing } = outcome;
    if ('error' in outcome) return { kind: 'failure', error: describeFailure(outcome.error), timing };
    const { status, retryAfter, body: answer } = outcome.answer;
    return { kind: 'response', status, retryAfter, body: toExcerpt(answer), timing };
  }

  /** Behind every beforeApplicationShutdown: all who send through it have ended what they had under way by then. */
  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }

  /** Drops all connections. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }

  /** The policy never changes, nor does what the text of a URL says. */
  private judge(callbackUrl: string): WebhookUrlVerdict {
    let verdict = this.verdicts.get(callbackUrl);
    if (!verdict) {
      verdict = checkWebhookUrl(callbackUrl, this.policy);
      if (this.verdicts.size >= MAX_VERDICTS) this.verdicts.clear();
      this.verdicts.set(callbackUrl, verdict);
    }
    return verdict;
  }
}
