import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ChainHealthService } from '../../src/chains/chain-health.service.js';
import { dataOf, sendRequest } from '../../test/support/api-request.js';
import { Clock } from '../../src/platform/kernel/clock.pure.js';
import { createOwnerWithClient } from '../../test/support/principals.js';
import type { TestGateway } from '../../test/support/test-gateway.js';
import { atTheEnd } from './cleanup.js';
import { type BenchGateway, openGateway } from './gateway.js';
import type { Merchant } from './api-server.js';
import { bareCreate, bareGet, groupCreate } from './bare-servers.js';
import { openNestGroupServer, openSaveServer } from './nest-servers.js';

export type ServerKind = 'gateway' | 'instance' | 'bare' | 'group' | 'nest-group' | 'save';

const PATIENCE_MS = 60_000;

/** Starts one of the servers, and tells where it listens. */
export async function serve(
  kind: ServerKind,
  databaseUrl: string,
  needs: Record<string, string>,
): Promise<{ port: number; merchant: Merchant }> {
  if (kind === 'gateway') return serveGateway(databaseUrl, needs);
  if (kind === 'instance') return serveInstance(databaseUrl, needs);
  const merchant = needs as unknown as Merchant;
  if (kind === 'nest-group') return { port: await openNestGroupServer(databaseUrl, merchant), merchant };
  if (kind === 'save') return { port: await openSaveServer(databaseUrl), merchant };
  const create = (kind === 'group' ? groupCreate : bareCreate)(databaseUrl, merchant);
  const get = bareGet(databaseUrl, merchant);
  return {
    port: await listen((request, response) => (request.method === 'POST' ? create : get)(request, response)),
    merchant,
  };
}

async function listen(handle: RequestListener): Promise<number> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** One more API process of a gateway. @param needs its configuration, and the merchant as JSON */
async function serveInstance(
  databaseUrl: string,
  { merchant = '', ...env }: Record<string, string>,
): Promise<{ port: number; merchant: Merchant }> {
  const { port } = await listenAsGateway(databaseUrl, { ...env, ROLE: 'api' });
  return { port, merchant: JSON.parse(merchant) as Merchant };
}

async function listenAsGateway(
  databaseUrl: string,
  env: Record<string, string>,
): Promise<{ gateway: BenchGateway; port: number }> {
  const gateway = await openGateway(databaseUrl, env, { loops: true });
  atTheEnd(() => gateway.close());
  await gateway.app.listen(0, '127.0.0.1');
  const { port } = (gateway.app.getHttpServer() as { address(): AddressInfo }).address();
  return { gateway, port };
}

/** With a merchant, who was made through the front door; the chain is followed. */
async function serveGateway(
  databaseUrl: string,
  env: Record<string, string>,
): Promise<{ port: number; merchant: Merchant }> {
  const { gateway, port } = await listenAsGateway(databaseUrl, env);
  const baseUrl = `http://127.0.0.1:${port}`;
  const { userId, accessToken } = await createOwnerWithClient({
    ...gateway,
    clock: gateway.get(Clock),
    baseUrl,
  } as unknown as TestGateway);
  const post = async <T>(path: string, body: object) =>
    dataOf<T>(await sendRequest(`${baseUrl}${path}`, { token: accessToken, body }));
  const application = await post<{ id: string; clientId: string }>('/api/payment-applications', {
    name: 'Bench',
    secret: 'a secret of the benchmark with enough length',
  });
  const { token } = await post<{ token: string }>(
    `/api/payment-applications/${application.id}/client-tokens`,
    { label: 'Server', scopes: ['*'] },
  );
  const deadline = performance.now() + PATIENCE_MS;
  while ((await gateway.get(ChainHealthService).statusOf('ethereum')).state !== 'ok') {
    if (performance.now() > deadline) throw new Error('the chain is not followed');
    await delay(50);
  }
  return {
    port,
    merchant: { token, accessToken, userId, applicationId: application.id, clientId: application.clientId },
  };
}
