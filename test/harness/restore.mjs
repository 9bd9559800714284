// Backups: a drill that proves one, and a gateway that goes on from an old one. Addresses that were handed out after the
// backup are never handed out again; payments that the backup knows are found again, and announced under the same ids;
// readers of the event feed continue from their earlier cursor.
//   node test/harness/restore.mjs        needs Postgres and PgBouncer of Debian (apt-get install postgresql pgbouncer)
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import '../../scripts/register-typescript.mjs';
import { check, expect, finish, until } from './checks.mjs';

const { default: pg } = await import('pg');
const { ApiClient } = await import('../faults/api-client.ts');
const { withClient } = await import('../faults/postgres-server.ts');
const { OrderLoad } = await import('../faults/order-load.ts');
const { findDiscrepancies } = await import('../faults/order-oracle.ts');
const { SystemPostgres } = await import('../faults/system-postgres.ts');
const { FaultHarness } = await import('../faults/fault-harness.ts');
const { runCli } = await import('../support/built-cli.ts');
const { PgBouncer } = await import('../support/pgbouncer.ts');
const { asGateway } = await import('../support/test-server.ts');

const root = path.resolve(import.meta.dirname, '../..');
const work = await mkdtemp(path.join(os.tmpdir(), 'gateway-restore-'));
await chmod(work, 0o755);
const server = await SystemPostgres.start();
const harness = await FaultHarness.open(work);
const started = performance.now();
const AFTER_BACKUP = 6;
const GAP = 1_000;

async function createDatabase(name) {
  await withClient(server.url('postgres', 'postgres'), (admin) =>
    admin.query(`create database ${name} owner gateway`),
  );
  return server.url(name);
}

async function drill(url, args = [], more = {}) {
  const env = { ...harness.env(url), ...server.env, TMPDIR: work, ...more };
  const child = spawn(process.execPath, ['dist/src/cli.js', 'restore-drill', ...args], { cwd: root, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { code, output };
}

async function settle(load, url) {
  const db = new pg.Pool({ connectionString: url, max: 2 });
  let found = [];
  const isRight = async () =>
    (found = await findDiscrepancies(load.orders, db, harness.merchant)).length === 0;
  await until('consistent records', isRight).catch((error) => {
    throw new Error(`${error.message}\n  ${found.slice(0, 10).join('\n  ')}`);
  });
  await db.end();
}

const numbers = (url) =>
  withClient(url, async (db) => {
    const { rows } = await db.query(
      'select derivation_index::int as number from deposit_addresses order by 1',
    );
    return rows.map(({ number }) => number);
  });

const feed = async (client, after) => {
  const path = `/api/events${after ? `?after=${after}` : ''}`;
  const { status, text } = await client.once(path, { token: client.api.token });
  expect(status === 200, `the feed answers ${status} ${text}`);
  const { data, meta } = JSON.parse(text);
  return { events: data.map(({ payment, event }) => `${payment.id} ${event}`), next: meta.cursor.next };
};

try {
  await withClient(server.url('postgres', 'postgres'), (admin) =>
    admin.query('create role gateway login createdb; create role gateway_app login'),
  );
  const url = await createDatabase('before');
  const credentials = await harness.provision(url);
  const before = await harness.gateway('before', url, { SHUTDOWN_DELAY_MS: '0' });
  const client = new ApiClient(before.baseUrl);
  await client.api.signIn(credentials);
  const load = await OrderLoad.create(client, harness.chain, harness.merchant.url);
  for (let i = 0; i < 4; i++) await load.order(i % 2 === 0);
  await settle(load, url);

  await check('the drill restores and verifies a backup of the running gateway', async () => {
    const { code, output } = await drill(url);
    expect(code === 0 && output.includes('Result: the backup holds\n'), `exit code ${code}:\n${output}`);
    const { rows } = await withClient(url, (db) =>
      db.query(`select from pg_database where datname ~ 'restore_drill'`),
    );
    expect(rows.length === 0, 'the copy is still there');
  });

  await check('the drill needs no pooler that knows the copy', async () => {
    const bouncer = await PgBouncer.start(url, 'transaction', 'before');
    try {
      const { code, output } = await drill(url, [], {
        DATABASE_URL: bouncer.urlOf(asGateway(url)),
        DATABASE_POOL_MODE: 'transaction',
      });
      expect(code === 0 && output.includes('Result: the backup holds\n'), `exit code ${code}:\n${output}`);
    } finally {
      await bouncer.stop();
    }
  });

  await check('the image has no tools of Postgres: its drill says what to do', async () => {
    const { code, output } = await drill(url, [], { PATH: '' });
    expect(code === 1 && output.includes('restore-drill --database <name>'), `exit code ${code}:\n${output}`);
    expect(!/^ +at .+:\d+/m.test(output), `a stack:\n${output}`);
  });
  await check('there it verifies a copy that the tools of the server have restored', async () => {
    // By the commands of docs/how-to/recovery.md#backup-and-restore, whose roles have other names here.
    const copy = path.join(server.folder, 'copy.dump');
    await server.run('pg_dump', ['-U', 'postgres', '-Fc', '-f', copy, 'before']);
    await server.run('createdb', ['-U', 'postgres', '-O', 'gateway', 'restore_drill']);
    const options = ['--exit-on-error', '--no-owner', '--no-privileges', '--role=gateway'];
    await server.run('pg_restore', ['-U', 'postgres', '-d', 'restore_drill', ...options, copy]);
    const { code, output } = await drill(url, ['--database', 'restore_drill'], { PATH: '' });
    expect(code === 0 && output.includes('Result: the backup holds\n'), `exit code ${code}:\n${output}`);
    process.stdout.write(`  ${output.trim().split('\n').slice(0, 2).join('\n  ')}\n`);
    await server.run('dropdb', ['-U', 'postgres', 'restore_drill']);
    const own = await drill(url, ['--database', 'before'], { PATH: '' });
    expect(own.code === 2 && own.output.includes("is the gateway's own database"), own.output);
  });

  const file = path.join(work, 'old.dump');
  const dump = spawn('pg_dump', ['-Fc', '-f', file, 'before'], { env: server.env, stdio: 'inherit' });
  expect((await once(dump, 'close'))[0] === 0, 'pg_dump failed');

  // Paid after the backup, and known to it; then what it does not know.
  const late = load.orders.find(({ paid }) => paid === null);
  late.paid = await harness.chain.balance(load.orders[0].address);
  await harness.chain.sendEth({ to: late.address, value: late.paid });
  const known = [...load.orders];
  for (let i = 0; i < AFTER_BACKUP; i++) await load.order(i % 2 === 0);
  await settle(load, url);
  const { next: cursor } = await feed(client);
  const issued = load.orders.map(({ address }) => address);
  const heardBefore = harness.merchant.heard
    .filter(({ paymentId }) => paymentId === late.id)
    .map(({ id }) => id);
  await check('a gateway stops in good order', async () =>
    expect((await before.program.terminate()) === 0, 'not 0'),
  );

  await check('the drill says so when a backup is wrong', async () => {
    await withClient(url, (db) =>
      db.query('update payments set received_amount = 7 where id = $1', [late.id]),
    );
    const { code, output } = await drill(url);
    expect(code === 1 && output.includes('THE BACKUP DOES NOT HOLD'), `exit code ${code}:\n${output}`);
  });

  const restored = await createDatabase('restored');
  const restore = spawn('pg_restore', ['--exit-on-error', '--no-owner', '-d', 'restored', file], {
    env: server.env,
    stdio: 'inherit',
  });
  expect((await once(restore, 'close'))[0] === 0, 'pg_restore failed');
  const after = await harness.gateway('after', restored, { SHUTDOWN_DELAY_MS: '0' });
  const again = new ApiClient(after.baseUrl);
  await again.api.signIn(credentials);
  const reopened = load.at(again, known);
  for (let i = 0; i < AFTER_BACKUP; i++) await reopened.order(i % 2 === 0);

  await check('no address of after the backup is handed out again', async () => {
    const fresh = reopened.orders.slice(known.length).map(({ address }) => address);
    const twice = fresh.filter((address) => issued.includes(address));
    expect(fresh.length === AFTER_BACKUP && twice.length === 0, `handed out twice: ${twice.join(', ')}`);
    const all = await numbers(restored);
    const gap = all[known.length] - all[known.length - 1];
    expect(
      gap > GAP && all.at(-1) - all[known.length] === AFTER_BACKUP - 1,
      `the numbers are ${all.join(', ')}`,
    );
    process.stdout.write(
      `  ${issued.length} addresses before, ${fresh.length} after; the numbers are ${all.join(', ')}\n`,
    );
  });
  await check('what the backup knows is found again, and new payments go on', () =>
    settle(reopened, restored),
  );
  await check('the merchant hears of it under the same ids as before', async () => {
    const ids = new Set(
      harness.merchant.heard.filter(({ paymentId }) => paymentId === late.id).map(({ id }) => id),
    );
    expect(
      ids.size === new Set(heardBefore).size,
      `${[...ids].join(', ')} instead of ${heardBefore.join(', ')}`,
    );
    const times = harness.merchant.heard.filter(({ paymentId }) => paymentId === late.id).length;
    expect(times > heardBefore.length, 'the merchant heard nothing after the restore');
  });
  await check('a cursor of before misses nothing that is new', async () => {
    const { events } = await feed(again, cursor);
    const paid = reopened.orders.slice(known.length).filter(({ paid }) => paid !== null);
    const wanted = [late, ...paid].flatMap(({ id }) => [`${id} payment.received`, `${id} payment.completed`]);
    const missed = wanted.filter((event) => !events.includes(event));
    expect(paid.length > 0 && missed.length === 0, `missed: ${missed.join(', ')}`);
  });
  await after.program.terminate();

  const take = (target) =>
    withClient(target, async (db) => {
      const { rows } = await db.query(
        'update wallets set next_index = next_index + 1 returning next_index - 1 as number',
      );
      return Number(rows[0].number);
    });
  const takePlace = (target) =>
    withClient(target, async (db) => {
      const { rows } = await db.query(
        'update event_feed set last_position = last_position + 1 returning last_position as place',
      );
      return Number(rows[0].place);
    });
  await check('neither are those of after a base backup that was recovered', async () => {
    await server.baseBackup('base');
    const lost = [await take(restored), await take(restored), await take(restored)];
    const lostPlaces = [await takePlace(restored), await takePlace(restored)];
    await server.goOnFrom('base');
    const [first, second] = [await take(restored), await take(restored)];
    expect(
      first > lost.at(-1) && first >= lost[0] + GAP && second === first + 1,
      `${lost.join(', ')}, then ${first}, ${second}`,
    );
    const places = [await takePlace(restored), await takePlace(restored)];
    expect(
      places[0] > lostPlaces[1] + GAP && places[1] === places[0] + 1,
      `places ${lostPlaces.join(', ')}, then ${places.join(', ')}`,
    );
  });
  await check('after-restore skips as many as it is asked to', async () => {
    const number = await take(restored);
    const said = await runCli(root, harness.env(restored), ['after-restore', '--skip', '5000']);
    expect(said.includes(`evm wallet`) && said.includes(`continues with address ${number + 5001}\n`), said);
    expect((await take(restored)) === number + 5_001, 'it did not');
  });
  process.stdout.write(`${((performance.now() - started) / 1_000).toFixed(1)} s in all\n`);
} catch (error) {
  await check('the run', async () => {
    throw error;
  });
} finally {
  await harness.close();
  await server.stop();
  if (process.env.KEEP_LOGS) process.stdout.write(`logs: ${work}\n`);
  else await rm(work, { recursive: true, force: true });
}
finish();
