// What the harnesses of tenants share: gateways with the limits of production, each with a Postgres of its own, and
// merchants with several servers.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import '../../scripts/register-typescript.mjs';

const { ApiClient } = await import('../faults/api-client.ts');
const { checkoutBody } = await import('../support/merchant-api.ts');
const { FaultHarness } = await import('../faults/fault-harness.ts');
const { PostgresServer, withClient } = await import('../faults/postgres-server.ts');
const { sendRequest } = await import('../support/api-request.ts');

const DATABASE = 'gateway_tenants';
/** The limits of production; the other harnesses switch them off. */
export const LIMITS = {
  RATE_LIMIT_READS: '600',
  RATE_LIMIT_WRITES: '120',
  RATE_LIMIT_USER_READS: '6000',
  RATE_LIMIT_USER_WRITES: '1200',
};
/** With the optional one that a test can cause without the chain. */
const EVENTS = [
  'payment.received',
  'payment.completed',
  'payment.underpaid',
  'payment.refund',
  'payment.cancelled',
];

export class TenantStage {
  #servers = [];

  constructor(work, harness) {
    this.work = work;
    this.harness = harness;
  }

  static async open() {
    const work = await mkdtemp(path.join(os.tmpdir(), 'gateway-tenants-'));
    await chmod(work, 0o755);
    return new TenantStage(work, await FaultHarness.open(work));
  }

  /** A gateway with an empty database on a server of its own. */
  async gateway(name, settings = {}) {
    const server = await PostgresServer.start();
    this.#servers.push(server);
    await withClient(server.adminUrl, (admin) => admin.query(`create database ${DATABASE}`));
    const url = server.adminUrl.replace('/postgres?', `/${DATABASE}?`);
    return { ...(await this.harness.gateway(name, url, { ...LIMITS, ...settings })), url };
  }

  /** A merchant with an application, and as many client tokens of it as access tokens. */
  async merchant({ baseUrl, url }, name, tokens) {
    const client = new ApiClient(baseUrl);
    const email = `${name}@example.test`;
    const oauthClient = await this.harness.provision(url, email);
    await client.api.signIn(oauthClient);
    const clientId = await client.api.createApplication({
      name,
      callbackUrl: this.harness.merchant.url,
      events: EVENTS,
    });
    const { text } = await client.api.call('/api/payment-applications');
    const [{ id }] = JSON.parse(text).data;
    const [created, accessTokens] = [[], []];
    for (let i = 0; i < tokens; i++) {
      const body = { label: `server ${i}`, scopes: ['*'] };
      const answer = await client.api.call(`/api/payment-applications/${id}/client-tokens`, { body });
      created.push(JSON.parse(answer.text).data.token);
      await client.api.signIn(oauthClient);
      accessTokens.push(client.api.token);
    }
    return { clientId, email, tokens: created, accessTokens };
  }

  async close() {
    await this.harness.close();
    for (const server of this.#servers) await server.stop();
    await rm(this.work, { recursive: true, force: true });
  }
}

export const create = (baseUrl, { clientId }, token) =>
  sendRequest(`${baseUrl}/api/payment/checkout`, {
    method: 'POST',
    token,
    body: checkoutBody(clientId, 'ORDER-1'),
  });

export const quantile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;

/** @returns how many responses of each status whoever makes noise in a thread got while `work` ran */
export async function besideNoise(noise, work, message = 'start') {
  noise.postMessage(message);
  const counts = new Promise((resolve) => noise.once('message', resolve));
  await work();
  noise.postMessage('stop');
  return counts;
}

/** Adds up responses of several rounds. */
export function add(total, counts) {
  for (const [status, count] of Object.entries(counts)) total[status] = (total[status] ?? 0) + count;
}
