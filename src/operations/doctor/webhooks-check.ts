import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { resolveHost } from '../../platform/kernel/dns/host-resolver.js';
import type { Config } from '../../config.js';
import {
  hostOf,
  checkWebhookUrl,
  refusalOfAddress,
  webhookUrlPolicy,
  type WebhookUrlPolicy,
} from '../../applications/webhook-url-policy.pure.js';
import type { DoctorRepository, WebhookBacklog } from './doctor.repository.js';
import { type Finding, reasonOf, Subject } from './finding.js';

/** The most endpoints that are tried; more would only take time. */
const MAX_ENDPOINTS = 50;
/** Milliseconds for the name, and again for the connection. */
const TIMEOUT = 5_000;

/** Whether webhooks can be delivered: connects to each endpoint without sending anything, and counts the backlog. */
export async function checkWebhooks(
  { production, webhooks }: Config,
  repository: DoctorRepository,
): Promise<Finding[]> {
  const policy = webhookUrlPolicy(production, webhooks.allowedCidrs);
  const endpoints = await repository.webhookEndpoints(MAX_ENDPOINTS);
  const tried = await Promise.all(
    webhooks.proxyUrl === null
      ? endpoints.map(({ url, applicationId }) => checkEndpoint(url, applicationId, policy))
      : [checkProxy(new URL(webhooks.proxyUrl))],
  );
  return [...tried, ...assessBacklog(await repository.webhookBacklog())];
}

async function checkEndpoint(url: string, applicationId: string, policy: WebhookUrlPolicy): Promise<Finding> {
  // The path may contain a secret of the shop.
  const about = new Subject('webhook endpoint');
  const name = `${new URL(url).origin} of application ${applicationId}`;
  const verdict = checkWebhookUrl(url, policy);
  if (!verdict.isAllowed)
    return about.failure(`${name} is refused: ${verdict.reason}`, 'save another callback URL');
  try {
    const addresses = await resolveHost(hostOf(verdict.url), TIMEOUT);
    for (const { address } of addresses) {
      const refusal = refusalOfAddress(address, policy);
      if (refusal !== null)
        return about.failure(
          `${name} is refused: ${refusal}`,
          'publish an address that is public, or name the range in WEBHOOK_ALLOWED_CIDRS',
        );
    }
    await reach(verdict.url, addresses[0]?.address ?? '');
    return about.ok(`${name} can be reached`);
  } catch (error) {
    return about.warning(
      `${name} cannot be reached: ${reasonOf(error)}`,
      'check the shop’s server, its certificate, and outgoing connections of this machine',
    );
  }
}

/** With a proxy only it resolves names and connects to endpoints, so only the proxy is tried. */
async function checkProxy(url: URL): Promise<Finding> {
  const about = new Subject('webhook proxy');
  try {
    await reach(url, hostOf(url));
    return about.ok(`${url.host} can be reached; endpoints are not tried through it`);
  } catch (error) {
    return about.failure(
      `${url.host} cannot be reached: ${reasonOf(error)}`,
      'check WEBHOOK_PROXY_URL, and that the proxy runs and accepts this machine',
    );
  }
}

/** Connects to the address that was checked, as the sender does. */
async function reach(url: URL, address: string): Promise<void> {
  const isTls = url.protocol === 'https:';
  const port = Number(url.port || (isTls ? 443 : 80));
  const socket: Socket = isTls
    ? connectTls({ host: address, port, servername: hostOf(url) })
    : connectPlain({ host: address, port });
  socket.setTimeout(TIMEOUT, () => socket.destroy(new Error('timed out')));
  try {
    await once(socket, isTls ? 'secureConnect' : 'connect');
  } finally {
    socket.destroy();
  }
}

export function assessBacklog({ paused, blocked, exhausted }: WebhookBacklog): Finding[] {
  const about = new Subject('webhooks');
  const findings: Finding[] = [];
  if (blocked > 0)
    findings.push(
      about.failure(
        `${blocked} deliveries are blocked: no key of APP_KEYS opens the signing secret`,
        'add the missing key to APP_KEYS again, or ask the shop to save a new secret',
      ),
    );
  if (paused > 0)
    findings.push(
      about.warning(`${paused} endpoints are paused`, 'ask the shop to save its callback URL again'),
    );
  if (exhausted > 0)
    findings.push(
      about.warning(
        `${exhausted} deliveries failed for good`,
        'redeliver them when the shop works again (docs/how-to/webhooks.md#the-log)',
      ),
    );
  return findings.length > 0
    ? findings
    : [about.ok('no endpoint is paused, and no delivery is blocked or has failed for good')];
}
