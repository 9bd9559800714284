// What the built gateway does when its database crashes, hangs up, hangs, deadlocks, is full or not there at all, while
// customers open and pay payments. Every answer is 2xx, or 503 with Retry-After, in time; and afterwards the records,
// the merchant's events and every repeated request say that nothing was lost and nothing done twice.
//   node test/harness/database-faults.mjs                           as in CI, about a minute
//   DATABASE_FAULT_ROUNDS=20 node test/harness/database-faults.mjs  that many times each fault
//   DATABASE_FAULT=disk node test/harness/database-faults.mjs       only those whose name holds the word
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import '../../scripts/register-typescript.mjs';
import { check, expect, finish, until } from './checks.mjs';

const { default: pg } = await import('pg');
const { ApiClient } = await import('../faults/api-client.ts');
const { DatabaseProxy } = await import('../faults/database-proxy.ts');
const { FAULTS } = await import('../faults/database-faults.ts');
const { PostgresServer } = await import('../faults/postgres-server.ts');
const { OrderLoad } = await import('../faults/order-load.ts');
const { findDiscrepancies } = await import('../faults/order-oracle.ts');
const { readErrors } = await import('../chain-fuzz/logs.ts');
const { FaultHarness } = await import('../faults/fault-harness.ts');

const ROUNDS = Number(process.env.DATABASE_FAULT_ROUNDS || 1);
expect(Number.isInteger(ROUNDS) && ROUNDS > 0, 'DATABASE_FAULT_ROUNDS must be a whole number');
const DATABASE = 'gateway_faults';
const DISK_MEBIBYTES = 96;
const CUSTOMERS = 8;
const PAUSE_MS = 60;
/** Webhooks whose answer could not be written down are sent again after their lease; this harness does not wait for that. */
const END_CLAIMS = `update webhook_deliveries set lease_until = now() - interval '1 second' where lease_until is not null`;

const work = await mkdtemp(path.join(os.tmpdir(), 'gateway-faults-'));
await chmod(work, 0o755);
const server = await PostgresServer.start();
const disk = await server.createDatabaseOnSmallDisk(DATABASE, DISK_MEBIBYTES);
if (!disk) process.stdout.write('no disk can be mounted here: "disk full" cannot be shown\n');
const proxy = await DatabaseProxy.start(() => server.socket);
const harness = await FaultHarness.open(work);
const adminUrl = () => server.adminUrl.replace('/postgres?', `/${DATABASE}?`);
const started = performance.now();
const seconds = () => `${((performance.now() - started) / 1_000).toFixed(1)} s`;

try {
  const url = proxy.url(DATABASE);
  const credentials = await harness.provision(url);
  const [api, background] = await Promise.all([
    harness.gateway('api', url, { ROLE: 'api' }),
    harness.gateway('background', url),
  ]);
  const client = new ApiClient(api.baseUrl);
  await client.api.signIn(credentials);
  const load = await OrderLoad.create(client, harness.chain, harness.merchant.url);
  const scene = {
    server,
    proxy,
    disk,
    adminUrl,
    api: api.baseUrl,
    client,
    load,
    merchant: credentials,
  };
  process.stdout.write(`ready after ${seconds()}\n`);

  load.open(CUSTOMERS, PAUSE_MS);
  const before = () => ({ orders: load.orders.length, unavailable: client.counts.get(503) ?? 0 });
  for (const { name, inject, isPossible } of FAULTS) {
    if (!(isPossible?.(scene) ?? true) || !name.includes(process.env.DATABASE_FAULT ?? '')) continue;
    const { orders, unavailable } = before();
    await check(name, async () => {
      const fired = await inject(scene, ROUNDS);
      for (const { program } of [api, background]) expect(program.isAlive, await program.exitReport());
      for (const [what, count] of Object.entries(fired)) expect(count > 0, `${what} never fired`);
      await until('an order after the fault', () => load.orders.length > orders + CUSTOMERS);
      const counts = Object.entries(fired).map(([what, count]) => `${count} ${what}`);
      const meanwhile = before();
      process.stdout.write(
        `  fired: ${counts.join(', ')}; meanwhile ${meanwhile.orders - orders} orders and ` +
          `${meanwhile.unavailable - unavailable} answers 503; ${seconds()}\n`,
      );
    });
  }
  await check('every order was made in the end', () => load.close());

  const db = new pg.Pool({ connectionString: adminUrl(), max: 2 });
  await db.query(END_CLAIMS);
  let found = [];
  await check('nothing is lost, nothing doubled, nothing made up', async () => {
    const isRight = async () =>
      (found = await findDiscrepancies(load.orders, db, harness.merchant)).length === 0;
    await until('consistent records', isRight).catch((error) => {
      throw new Error(`${error.message}\n  ${found.slice(0, 20).join('\n  ')}`);
    });
  });
  await check('every create, sent again with its key, answers the same payment', async () => {
    const wrong = await load.findWrongReplays();
    expect(wrong.length === 0, wrong.slice(0, 10).join('\n'));
  });
  await check('every answer was 2xx or 503 with Retry-After, in time', async () => {
    expect(client.wrong.length === 0, `${client.wrong.length}:\n  ${client.wrong.slice(0, 20).join('\n  ')}`);
  });
  await check('no gateway took it for a bug of its own', async () => {
    const errors = await readErrors(work);
    expect(errors.length === 0, errors.join('\n'));
  });
  await check('no gateway ended', async () => {
    for (const { program } of [api, background]) expect(program.isAlive, await program.exitReport());
  });
  await check('verify finds the records consistent', () => harness.verify(url));
  await db.end();

  const paid = load.orders.filter((order) => order.paid !== null).length;
  const states = [...(await server.sqlStates())].map(([state, count]) => `${state} ${count}`);
  process.stdout.write(
    `${load.orders.length} orders, ${paid} paid, ${harness.merchant.heard.length} webhooks heard\n` +
      `answers: ${client.summary}\nSQLSTATEs of the server: ${states.join(', ')}\n${seconds()} in all\n`,
  );
} catch (error) {
  await check('the run', async () => {
    throw error;
  });
} finally {
  await harness.close();
  await proxy.stop();
  await server.stop();
  if (process.env.KEEP_LOGS) process.stdout.write(`logs: ${work}\n`);
  else await rm(work, { recursive: true, force: true });
}
finish();
