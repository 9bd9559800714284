// Proves a backup: restores it into a fresh database beside the real one, brings it to this release, and verifies the
// records in it against the chains. The real database is only read; the copy is dropped in the end.
//   npm run restore:drill                          with the gateway's own environment, or beside the development
//                                                  profile without any; dumps first
//   npm run restore:drill -- --dump gateway.dump   of that backup (pg_dump -Fc)
//   npm run restore:drill -- --keep                leaves the copy where it is, and says how it is called
// Needs pg_dump and pg_restore no older than the server, and the role that owns the schema (DATABASE_MIGRATION_URL, or
// DATABASE_URL where there is one role only), which may create databases. The exit code is 0
// when the backup was restored and verified whole, 1 otherwise.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { buildIfStale, root } from './build.mjs';

const CLI = path.join(root, 'dist/src/cli.js');
/** Run in the copy, as far as this release has them. */
const VERIFIERS = ['verify', 'verify:audit'];
const TABLES = ['payments', 'deposit_addresses', 'payment_transfers', 'payment_events', 'webhook_deliveries'];

class DrillError extends Error {}

const say = (text) => process.stdout.write(`${text}\n`);
const since = (start) => `${((performance.now() - start) / 1_000).toFixed(1)} s`;

/** Runs a program to its end; answers its exit code and, where it is not shown, its output. */
async function execute(program, args, { env = process.env, isShown = true } = {}) {
  const child = spawn(program, args, {
    cwd: root,
    env,
    stdio: ['ignore', isShown ? 'inherit' : 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  try {
    const [code] = await once(child, 'close');
    return { code, output };
  } catch (error) {
    throw new DrillError(`${program} cannot be started: ${error.message}`);
  }
}

async function demand(program, args, options) {
  const { code } = await execute(program, args, options);
  if (code !== 0) throw new DrillError(`${program} ended with ${code}`);
}

/** The gateway's own environment; without one, that of the development gateway that runs with DATA_DIR. */
async function environment() {
  if (process.env.DATABASE_URL || process.env.NODE_ENV === 'production') return process.env;
  const { readRunningEnvironment } = await import('../dist/src/demo/running-environment.js');
  return readRunningEnvironment(process.env);
}

/** Debian's tools are often older than the server of the development profile, which pg_dump refuses. */
async function assertTools(url) {
  const { code, output } = await execute('pg_dump', ['--version'], { isShown: false });
  const tools = Number(/(\d+)/.exec(output)?.[1]);
  const { rows } = await withClient(url, (client) => client.query('show server_version_num'));
  const server = Math.trunc(Number(rows[0].server_version_num) / 10_000);
  if (code !== 0 || tools < server)
    throw new DrillError(`pg_dump and pg_restore ${server} or newer are needed; these are ${tools}`);
}

/** The password goes by the environment: arguments are there for everybody to see. */
function connection(url) {
  const parsed = new URL(url);
  const password = decodeURIComponent(parsed.password);
  parsed.password = '';
  return { target: parsed.toString(), env: { ...process.env, ...(password && { PGPASSWORD: password }) } };
}

async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function dump(url, file) {
  const { target, env } = connection(url);
  await demand('pg_dump', ['--format=custom', '--no-owner', '--no-privileges', `--file=${file}`, target], {
    env,
  });
}

/** Also shows that this release can take over what an earlier one has left. */
async function bringUpToDate(config) {
  const { migrations } = await import('../dist/migrations/index.js');
  const { migrate } = await import('../dist/src/platform/database/migrate.js');
  const url = config.databaseMigrationUrl ?? config.databaseUrl;
  const ours = migrations.map(({ name }) => name);
  const { rows } = await withClient(url, (client) => client.query('select name from migrations order by id'));
  const theirs = rows.map(({ name }) => name);
  const unknown = theirs.filter((name) => !ours.includes(name));
  if (unknown.length > 0)
    throw new DrillError(`the backup is of a newer release: ${unknown.join(', ')} is unknown here`);
  await migrate(config);
  return ours.length - theirs.length;
}

async function count(url) {
  return withClient(url, async (client) => {
    const counts = [];
    for (const table of TABLES) {
      const { rows } = await client.query(`select count(*) from ${client.escapeIdentifier(table)}`);
      counts.push(`${rows[0].count} ${table.replaceAll('_', ' ')}`);
    }
    const { rows } = await client.query('select max(created_at) as newest from payments');
    return `${counts.join(', ')}; the newest payment is of ${rows[0].newest?.toISOString() ?? 'never'}`;
  });
}

/** @returns whether everything was compared and nothing differs */
async function verify(url) {
  const { output: usage } = await execute(process.execPath, [CLI, '--help'], { isShown: false });
  let isGood = true;
  for (const command of VERIFIERS.filter(
    (name) => usage.includes(`\n  ${name} `) || usage.includes(`\n  ${name}\n`),
  )) {
    const start = performance.now();
    const { code } = await execute(process.execPath, [CLI, command], {
      env: { ...process.env, DATABASE_URL: url, DATABASE_MIGRATION_URL: '' },
    });
    say(`${command}: exit code ${code} after ${since(start)}`);
    isGood &&= code === 0;
  }
  return isGood;
}

async function drill(config, { dump: given, keep }) {
  const url = config.databaseMigrationUrl ?? config.databaseUrl;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'restore-drill-'));
  await chmod(folder, 0o700);
  const name = `restore_drill_${randomBytes(6).toString('hex')}`;
  const copyOf = (original) => {
    const copy = new URL(original);
    copy.pathname = `/${name}`;
    return copy.toString();
  };
  const copy = copyOf(url);
  let isMade = false;
  try {
    let start = performance.now();
    const file = given ? path.resolve(given) : path.join(folder, 'gateway.dump');
    if (!given) await dump(url, file);
    const { size } = await stat(file).catch((error) => {
      throw new DrillError(`the backup cannot be read: ${error.message}`);
    });
    say(`${given ? 'backup' : 'dumped'}: ${size} bytes${given ? '' : ` in ${since(start)}`}`);

    start = performance.now();
    await withClient(url, (client) => client.query(`create database ${name} template template0`));
    isMade = true;
    const { target, env } = connection(copy);
    await demand(
      'pg_restore',
      ['--exit-on-error', '--no-owner', '--no-privileges', `--dbname=${target}`, file],
      { env },
    );
    say(`restored into ${name} in ${since(start)}`);

    say(
      `migrations that it lacked: ${await bringUpToDate({
        ...config,
        databaseUrl: copyOf(config.databaseUrl),
        databaseMigrationUrl: config.databaseMigrationUrl && copy,
      })}`,
    );
    say(await count(copy));
    return await verify(copyOf(config.databaseUrl));
  } finally {
    if (isMade && keep) say(`kept: ${name}`);
    else if (isMade) await withClient(url, (client) => client.query(`drop database ${name} with (force)`));
    await rm(folder, { recursive: true, force: true });
  }
}

try {
  const { values } = parseArgs({
    options: { dump: { type: 'string' }, keep: { type: 'boolean', default: false } },
  });
  await buildIfStale();
  const env = await environment();
  Object.assign(process.env, env);
  const { loadMigrationConfig } = await import('../dist/src/config.js');
  const config = loadMigrationConfig(env);
  await assertTools(config.databaseMigrationUrl ?? config.databaseUrl);
  const isGood = await drill(config, values);
  say(`Result: ${isGood ? 'the backup holds' : 'THE BACKUP DOES NOT HOLD'}`);
  process.exitCode = isGood ? 0 : 1;
} catch (error) {
  const isExpected = error instanceof DrillError || error.code !== undefined || error.problems !== undefined;
  process.stderr.write(`${isExpected ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
