import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { resolveHost } from '../../platform/dns/host-resolver.js';
import type { Queryable } from '../../platform/database/sql.js';
import type { Config } from '../../config.js';
import {
  hostOf,
  checkWebhookUrl,
  refusalOfAddress,
  webhookUrlPolicy,
  type WebhookUrlPolicy,
} from '../../applications/webhook-url-policy.pure.js';
import { type Finding, reasonOf, Subject } from './finding.js';

/** Endpoints that are tried; more only take time. */
const MAX_ENDPOINTS = 50;
/** Milliseconds for the name, and again for the connection. */
const TIMEOUT = 5_000;

const ENDPOINTS = `
  select distinct on (url) url, application_id as "applicationId"
  from (
    select callback_url as url, application_id from sites where callback_url is not null
    union all
    -- Of payments' own URLs those for which something waits.
    select p.callback_url, p.application_id from webhook_deliveries d join payments p on p.id = d.payment_id
    where d.state = 'pending' and p.callback_url is not null
  ) endpoints order by url limit $1`;
const BACKLOG = `
  select
    (select count(*)::int from webhook_endpoints) as paused,
    (select count(*)::int from webhook_deliveries where state = 'blocked') as blocked,
    (select count(*)::int from webhook_deliveries where state = 'exhausted') as exhausted`;

/** Whether webhooks can be delivered: opens a connection to each endpoint, sends nothing, and counts what waits. */
export async function checkWebhooks({ production, webhooks }: Config, sql: Queryable): Promise<Finding[]> {
  const policy = webhookUrlPolicy(production, webhooks.allowedCidrs);
  const endpoints = await sql.query<{ url: string; applicationId: string }>(ENDPOINTS, [MAX_ENDPOINTS]);
  const tried = await Promise.all(
    webhooks.proxyUrl === null
      ? endpoints.map(({ url, applicationId }) => checkEndpoint(url, applicationId, policy))
      : [checkProxy(new URL(webhooks.proxyUrl))],
  );
  const [backlog] = await sql.query<Backlog>(BACKLOG);
  if (!backlog) throw new Error('unexpected empty result');
  return [...tried, ...assessBacklog(backlog)];
}

async function checkEndpoint(url: string, applicationId: string, policy: WebhookUrlPolicy): Promise<Finding> {
  // The path may hold a secret of the shop's.
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
      'the shop’s server, its certificate, or the way out of this machine',
    );
  }
}

/** Names are resolved, and endpoints reached, by the proxy alone. */
async function checkProxy(url: URL): Promise<Finding> {
  const about = new Subject('webhook proxy');
  try {
    await reach(url, hostOf(url));
    return about.ok(`${url.host} can be reached; endpoints are not tried through it`);
  } catch (error) {
    return about.failure(
      `${url.host} cannot be reached: ${reasonOf(error)}`,
      'check WEBHOOK_PROXY_URL, and that the proxy runs and lets this machine in',
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

export interface Backlog {
  paused: number;
  blocked: number;
  exhausted: number;
}

export function assessBacklog({ paused, blocked, exhausted }: Backlog): Finding[] {
  const about = new Subject('webhooks');
  const findings: Finding[] = [];
  if (blocked > 0)
    findings.push(
      about.failure(
        `${blocked} deliveries are blocked: no key of APP_KEYS opens the signing secret`,
        'put the lost key back into APP_KEYS, or let the shop save a new secret',
      ),
    );
  if (paused > 0)
    findings.push(
      about.warning(`${paused} endpoints are paused`, 'tell the shop to save its callback URL again'),
    );
  if (exhausted > 0)
    findings.push(
      about.warning(
        `${exhausted} deliveries were given up`,
        'send them again when the shop is back (docs/how-to/webhooks.md#the-log)',
      ),
    );
  return findings.length > 0 ? findings : [about.ok('nothing is paused, blocked or given up')];
}
