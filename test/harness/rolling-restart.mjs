// Two API processes behind a reverse proxy, two watchers and a worker, all of the built gateway: each is stopped
// (SIGTERM) and started anew, one after the other, while customers open and pay payments. No request fails, no
// webhook is sent twice, chains change hands at once, and every process ends with 0.
//   node test/harness/rolling-restart.mjs
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import '../../scripts/register-typescript.mjs';
import { check, expect, finish, until } from './checks.mjs';

const { default: pg } = await import('pg');
const { ApiClient } = await import('../faults/api-client.ts');
const { PostgresServer, withClient } = await import('../faults/postgres-server.ts');
const { ReverseProxy } = await import('../faults/reverse-proxy.ts');
const { OrderLoad } = await import('../faults/order-load.ts');
const { findDiscrepancies } = await import('../faults/order-oracle.ts');
const { FaultHarness } = await import('../faults/fault-harness.ts');

const DATABASE = 'gateway_rolling';
const CUSTOMERS = 4;
const PAUSE_MS = 40;
/** Five health checks of the proxy. */
const SHUTDOWN_DELAY_MS = 1_000;
/** So that webhooks are under way when their worker is stopped. */
const SLOW_MERCHANT_MS = 700;

const work = await mkdtemp(path.join(os.tmpdir(), 'gateway-rolling-'));
await chmod(work, 0o755);
const server = await PostgresServer.start();
await withClient(server.adminUrl, (admin) => admin.query(`create database ${DATABASE}`));
const url = server.adminUrl.replace('/postgres?', `/${DATABASE}?`);
const harness = await FaultHarness.open(work);
const db = new pg.Pool({ connectionString: url, max: 2 });
const started = performance.now();
let proxy = null;

const start = (name, role, more = {}) =>
  harness.gateway(name, url, { ROLE: role, SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS), ...more });

/** SIGTERM, and when it has left the same again; what it took to leave, in milliseconds. */
async function replace(processes, name, role) {
  const { program, baseUrl } = processes.get(name);
  const begun = performance.now();
  const code = await program.terminate();
  const ms = Math.round(performance.now() - begun);
  expect(code === 0, `${name} ended with ${code}`);
  return {
    ms,
    startAgain: async () => processes.set(name, await start(name, role, { PORT: new URL(baseUrl).port })),
  };
}

async function lease() {
  const { rows } = await db.query('select holder, expires_at > now() as held from chain_leases');
  return rows[0];
}

try {
  const credentials = await harness.provision(url);
  const processes = new Map();
  const roles = [
    ['api-1', 'api'],
    ['api-2', 'api'],
    ['watcher-1', 'watcher'],
    ['watcher-2', 'watcher'],
    ['worker', 'worker'],
  ];
  await Promise.all(roles.map(async ([name, role]) => processes.set(name, await start(name, role))));
  const upstreams = ['api-1', 'api-2'].map((name) => processes.get(name).baseUrl);
  proxy = await ReverseProxy.start(upstreams);
  const client = new ApiClient(proxy.url);
  await client.api.signIn(credentials);
  const load = await OrderLoad.create(client, harness.chain, harness.merchant.url);
  process.stdout.write(`ready after ${((performance.now() - started) / 1_000).toFixed(1)} s\n`);

  load.open(CUSTOMERS, PAUSE_MS);
  for (const name of ['api-1', 'api-2']) {
    await check(`${name} is replaced`, async () => {
      const { baseUrl } = processes.get(name);
      const asked = [...client.counts.values()].reduce((sum, count) => sum + count, 0);
      const { ms, startAgain } = await replace(processes, name, 'api');
      expect(!proxy.isReady(baseUrl), 'the proxy did not notice it');
      await startAgain();
      await until('the proxy to use it again', () => proxy.isReady(baseUrl));
      const answers = [...client.counts.values()].reduce((sum, count) => sum + count, 0) - asked;
      expect(answers > 0, 'no request came meanwhile');
      process.stdout.write(`  left in ${ms} ms; ${answers} requests were answered meanwhile\n`);
    });
  }

  let takeovers = 0;
  for (const name of ['watcher-1', 'watcher-2']) {
    await check(`${name} is replaced, and its chain goes on at once`, async () => {
      const before = await lease();
      const { ms, startAgain } = await replace(processes, name, 'watcher');
      const left = performance.now();
      const isTaken = async () => {
        const now = await lease();
        return now.held && now;
      };
      const after = await until('a holder of the lease', isTaken);
      const gap = Math.round(performance.now() - left);
      // A lease that was not given back still has its holder, and is not counted.
      if (after.holder !== before.holder) takeovers++;
      await startAgain();
      process.stdout.write(
        `  left in ${ms} ms; ${after.holder === before.holder ? 'it held no lease' : `taken over ${gap} ms later`}\n`,
      );
    });
  }
  await check('a chain changed hands', async () => expect(takeovers > 0, 'no lease was taken over'));

  await check('the worker is replaced in the middle of webhooks', async () => {
    harness.merchant.delayMs = SLOW_MERCHANT_MS;
    await until('webhooks under way', () => harness.merchant.underWay > 0);
    const { underWay } = harness.merchant;
    const { ms, startAgain } = await replace(processes, 'worker', 'worker');
    expect(harness.merchant.underWay === 0, `${harness.merchant.underWay} webhooks were cut off`);
    harness.merchant.delayMs = 0;
    await startAgain();
    process.stdout.write(`  left in ${ms} ms, with ${underWay} webhooks under way\n`);
  });
  await check('every order was made in the end', () => load.close());
  let found = [];
  await check('nothing is lost, nothing doubled, nothing made up', async () => {
    const isRight = async () =>
      (found = await findDiscrepancies(load.orders, db, harness.merchant)).length === 0;
    await until('consistent records', isRight).catch((error) => {
      throw new Error(`${error.message}\n  ${found.slice(0, 20).join('\n  ')}`);
    });
  });
  await check('no webhook was sent twice', async () => {
    const { heard } = harness.merchant;
    const ids = new Set(heard.map(({ id }) => id));
    expect(ids.size === heard.length, `${heard.length - ids.size} webhooks came again`);
  });
  await check('every request was answered 2xx', async () => {
    const others = [...client.counts].filter(([status]) => status < 200 || status > 299);
    const failures = [...client.wrong, ...proxy.failures].slice(0, 20).join('\n  ');
    expect(others.length === 0 && proxy.failures.length === 0, `${JSON.stringify(others)}\n  ${failures}`);
    expect(proxy.closedByUpstream > 0, 'no connection was closed in good order');
  });
  process.stdout.write(
    `${load.orders.length} orders, ${harness.merchant.heard.length} webhooks; answers: ${client.summary}\n` +
      `${proxy.closedByUpstream} connections were asked to close; ${((performance.now() - started) / 1_000).toFixed(1)} s in all\n`,
  );
} catch (error) {
  await check('the run', async () => {
    throw error;
  });
} finally {
  await proxy?.stop();
  await db.end();
  await harness.close();
  await server.stop();
  if (process.env.KEEP_LOGS) process.stdout.write(`logs: ${work}\n`);
  else await rm(work, { recursive: true, force: true });
}
finish();
