// An upgrade of a filled database while customers open and pay payments: the release before serves, a transaction that
// has read every table (as pg_dump does) stays open for 20 seconds, `cli migrate` of the next release runs beside it, and
// the processes are replaced one by one. No request fails and every webhook arrives.
//   npm run build && node test/harness/upgrade.mjs [ref of the release before]
// UPGRADE_PAYMENTS: how many payments are there before (20,000; 1,000,000 fill a database as after years).
//
// The release before is the last tag `v*`, else the commit FIRST, else (a clone without history) the commit that is checked
// out. It is built from `git archive`, with the packages that are installed here if it runs on the same ones. The next
// release is this build with the migrations of UPCOMING added, so that whatever lies between the two, a table is altered,
// filled and indexed.
import { execFileSync } from 'node:child_process';
import {
  appendFile,
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import '../../scripts/register-typescript.mjs';
import { check, expect, finish, until } from './checks.mjs';

const { default: pg } = await import('pg');
const { ApiClient } = await import('../faults/api-client.ts');
const { PostgresServer, withClient } = await import('../faults/postgres-server.ts');
const { ReverseProxy } = await import('../faults/reverse-proxy.ts');
const { OrderLoad } = await import('../faults/order-load.ts');
const { findDiscrepancies } = await import('../faults/order-oracle.ts');
const { FaultHarness } = await import('../faults/fault-harness.ts');
const { provisionMerchant, runCli } = await import('../support/built-cli.ts');

/** Before the lists of dashboards with their indexes of payments; its packages are those of today. */
const FIRST = '5422b3b3d736d50d54af9b37d3289d4efbcfc8b0';
const ROOT = path.resolve(import.meta.dirname, '../..');
const DATABASE = 'gateway_upgrade';
const PAYMENTS = Number(process.env.UPGRADE_PAYMENTS ?? 20_000);
const CUSTOMERS = 4;
const PAUSE_MS = 40;
/** From the first moment in which somebody waits for it. */
const READER_MS = 20_000;
/** Of load on each release alone. */
const STEADY_MS = 5_000;
/** As in production. */
const SHUTDOWN_DELAY_MS = 5_000;
/** Within that time, also on a machine that is busy with other things. */
const FAILED_CHECKS = 3;
/** Of the two processes. */
const NAMES = ['first', 'second'];
/** User of the payments that are there before. */
const FILLER = 'filler';
const UPCOMING = `
import { backfill, createIndexConcurrently } from './online.js';
const down = async () => { throw new Error('cannot be reverted'); };
export class AddColumn9999999999001 {
  name = 'AddColumn9999999999001';
  down = down;
  up = (runner) => runner.query(
    'alter table payments add column harness text, add constraint harness_check check (length(harness) < 9) not valid');
}
export class FillColumn9999999999002 {
  name = 'FillColumn9999999999002';
  transaction = false;
  down = down;
  up = (runner) => backfill(runner, { table: 'payments', key: 'id', set: "harness = 'filled'", where: 'harness is null' });
}
export class IndexColumn9999999999003 {
  name = 'IndexColumn9999999999003';
  transaction = false;
  down = down;
  up = (runner) => createIndexConcurrently(runner, 'payments_harness', 'payments (user_id, harness, created_at)');
}
export class ValidateColumn9999999999004 {
  name = 'ValidateColumn9999999999004';
  down = down;
  up = (runner) => runner.query('alter table payments validate constraint harness_check');
}
`;

const git = (...args) =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
function find(...args) {
  try {
    return git(...args);
  } catch {
    // No such tag or commit: the caller goes on with the next choice.
    return null;
  }
}

/** What is upgraded, and why just that. */
function releaseBefore() {
  if (process.argv[2]) return { ref: process.argv[2], why: 'as it was asked for' };
  // Of a tagged commit it is the tag before.
  const tag = find('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^');
  if (tag) return { ref: tag, why: 'the last tag' };
  if (find('merge-base', '--is-ancestor', FIRST, 'HEAD') !== null)
    return { ref: FIRST, why: 'there is no tag yet' };
  return { ref: 'HEAD', why: `this clone has neither a tag nor ${FIRST}` };
}

const dependenciesOf = async (folder) =>
  JSON.stringify(JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')).dependencies);

/** Builds the release before. */
async function buildBefore(ref, folder) {
  await mkdir(folder);
  const archive = execFileSync('git', ['archive', ref], { cwd: ROOT, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const npm = (...args) => execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if ((await dependenciesOf(folder)) === (await dependenciesOf(ROOT)))
    await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  else npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline');
  npm('run', '--silent', 'build');
}

/** This build, with the migrations of UPCOMING. */
async function buildNext(folder) {
  await mkdir(folder);
  for (const name of await readdir(ROOT))
    if (name !== 'dist') await symlink(path.join(ROOT, name), path.join(folder, name));
  await cp(path.join(ROOT, 'dist'), path.join(folder, 'dist'), { recursive: true });
  const migrations = path.join(folder, 'dist/migrations');
  await writeFile(path.join(migrations, 'upcoming.js'), UPCOMING);
  await appendFile(
    path.join(migrations, 'index.js'),
    `\nimport * as upcoming from './upcoming.js';\nmigrations.push(...Object.values(upcoming));\n`,
  );
}

/** Payments that were canceled long ago, with their history; in the columns that every release has. */
async function fill(url) {
  await withClient(url, async (client) => {
    // They have no MACs and are never read; the release before must not spend its start on them.
    await client.query(
      `set session_replication_role = 'replica'; update authenticated_tables set adopted_at = now()`,
    );
    const { rows } = await client.query('select gen_random_uuid() as application');
    const { application } = rows[0];
    await client.query(
      `insert into payment_applications (id, user_id, name, client_id, sealed_secret, created_at)
       values ($1, $2, 'Filler', repeat('f', 32), 'sealed', now())`,
      [application, FILLER],
    );
    await client.query(
      `insert into payments (id, user_id, application_id, reference, reference_label, currency_code, settlement_currency_code,
         amount, expires_at, created_at, status, status_seq, cancelled_at)
       select gen_random_uuid(), $2, $1, 'FILL-' || n, 'Order ' || n, 'USD', 'USD', 10000, at, at, 'CANCELLED', 2, at
       from generate_series(1, $3::int) n, lateral (select now() - n * interval '30 seconds' as at) times`,
      [application, FILLER, PAYMENTS],
    );
    await client.query(
      `insert into payment_status_history (payment_id, seq, from_status, to_status, reason, created_at)
       select id, seq, case seq when 2 then 'OPEN' end, case seq when 1 then 'OPEN' else 'CANCELLED' end, 'fill', created_at
       from payments, generate_series(1, 2) seq`,
    );
    await client.query('analyze');
  });
}

/** Requests by phase; one belongs to the phase in which it ends. */
class PhasedClient extends ApiClient {
  phases = [];

  begin(name) {
    const now = performance.now();
    const previous = this.phases.at(-1);
    if (previous) previous.end = now;
    this.phases.push({ name, begun: now, end: null, last: now, ms: [], failed: 0, gap: 0 });
  }

  async once(what, request) {
    const outcome = await super.once(what, request);
    const phase = this.phases.at(-1);
    if (!phase) return outcome;
    phase.ms.push(outcome.ms);
    if (outcome.status >= 200 && outcome.status < 300) {
      const now = performance.now();
      phase.gap = Math.max(phase.gap, now - phase.last);
      phase.last = now;
    } else phase.failed++;
    return outcome;
  }

  table() {
    const lines = this.phases.map(({ name, begun, end, ms, failed, gap }) => {
      const sorted = ms.toSorted((a, b) => a - b);
      const p99 = Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0);
      const seconds = (((end ?? performance.now()) - begun) / 1_000).toFixed(1);
      return `| ${name} | ${seconds} | ${ms.length} | ${failed} | ${p99} | ${Math.round(gap)} |`;
    });
    const head = [
      '| Phase | Seconds | Requests | Failed | p99, ms | Longest gap, ms |',
      '| --- | --- | --- | --- | --- | --- |',
    ];
    return [...head, ...lines].join('\n');
  }
}

const started = performance.now();
const tell = (text) =>
  process.stdout.write(`${text} (${((performance.now() - started) / 1_000).toFixed(1)} s)\n`);
const work = await mkdtemp(path.join(os.tmpdir(), 'gateway-upgrade-'));
await chmod(work, 0o755);
const before = path.join(work, 'before');
const next = path.join(work, 'next');
const { ref, why } = releaseBefore();
tell(`upgrading from ${ref}: ${why}`);
const server = await PostgresServer.start();
await withClient(server.adminUrl, (admin) => admin.query(`create database ${DATABASE}`));
const url = server.adminUrl.replace('/postgres?', `/${DATABASE}?`);
const harness = await FaultHarness.open(work);
const db = new pg.Pool({ connectionString: url, max: 2 });
let proxy = null;

/** A process that serves, watches the chain and sends webhooks. */
const start = (name, root, more = {}) =>
  harness.gateway(name, url, { SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS), ...more }, root);

try {
  await buildBefore(ref, before);
  await buildNext(next);
  tell('both releases are built');
  const credentials = await provisionMerchant(before, harness.env(url));
  await fill(url);
  tell(`${PAYMENTS} payments are there`);
  const processes = new Map();
  for (const name of NAMES) processes.set(name, await start(name, before));
  proxy = await ReverseProxy.start(
    [...processes.values()].map(({ baseUrl }) => baseUrl),
    FAILED_CHECKS,
  );
  const client = new PhasedClient(proxy.url);
  await client.api.signIn(credentials);
  const load = await OrderLoad.create(client, harness.chain, harness.merchant.url);
  tell('the release before serves');

  client.begin('Release before');
  load.open(CUSTOMERS, PAUSE_MS);
  await delay(STEADY_MS);

  client.begin('Migrations');
  await check(
    'cli migrate applies every migration beside a long reader, whose locks it had to wait for',
    async () => {
      const reader = new pg.Client({ connectionString: url });
      await reader.connect();
      await reader.query('begin isolation level repeatable read');
      const tables =
        await reader.query(`select string_agg(oid::regclass::text, ', ') as names, pg_backend_pid() as pid
      from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`);
      const { names, pid } = tables.rows[0];
      await reader.query(`lock table ${names} in access share mode`);
      // From here on it has a snapshot too, for whose end a concurrent build waits.
      await reader.query('select from payments limit 1');
      const waitsForReader = () =>
        db.query('select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))', [pid]);
      const hold = async () => {
        try {
          await until('a wait for the reader', async () => (await waitsForReader()).rowCount > 0);
          await delay(READER_MS);
        } finally {
          await reader.end();
        }
      };
      const [output] = await Promise.all([runCli(next, harness.env(url), ['migrate']), hold()]);
      const lines = output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
      const waits = lines.filter(({ blockers }) => blockers?.some((blocker) => blocker.pid === pid));
      expect(waits.length > 0, `no migration waited for the reader:\n${output}`);
      process.stdout.write(
        `  ${waits.length} attempts waited for the reader\n\n| Migration | Seconds |\n| --- | --- |\n`,
      );
      for (const { migration, seconds } of lines.filter(({ msg }) => msg === 'migration applied'))
        process.stdout.write(`| ${migration} | ${seconds} |\n`);
      const { rows } = await db.query(
        `select count(*)::int as missing from payments where harness is null and user_id = $1`,
        [FILLER],
      );
      expect(rows[0].missing === 0, `${rows[0].missing} rows were not filled`);
    },
  );

  client.begin('Replacing processes');
  for (const name of NAMES)
    await check(`the ${name} process is replaced by the next release`, async () => {
      const { program, baseUrl } = processes.get(name);
      const code = await program.terminate();
      expect(code === 0, `it ended with ${code}`);
      processes.set(name, await start(name, next, { PORT: new URL(baseUrl).port }));
      await until('the proxy to use it again', () => proxy.isReady(baseUrl));
    });

  client.begin('Next release');
  await delay(STEADY_MS);
  await check('every order was made in the end', () => load.close());
  let found = [];
  await check('nothing is lost, nothing doubled, and every webhook arrived', async () => {
    const isRight = async () =>
      (found = await findDiscrepancies(load.orders, db, harness.merchant, FILLER)).length === 0;
    await until('consistent records', isRight).catch((error) => {
      throw new Error(`${error.message}\n  ${found.slice(0, 20).join('\n  ')}`);
    });
  });
  await check('every request was answered 2xx', async () => {
    const others = [...client.counts].filter(([status]) => status < 200 || status > 299);
    const failures = [...client.wrong.slice(0, 10), ...proxy.failures.slice(0, 10)].join('\n  ');
    expect(others.length === 0 && proxy.failures.length === 0, `${JSON.stringify(others)}\n  ${failures}`);
  });
  process.stdout.write(`\n${client.table()}\n\n`);
  tell(`${load.orders.length} orders, ${harness.merchant.heard.length} webhooks; ${client.summary}`);
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
