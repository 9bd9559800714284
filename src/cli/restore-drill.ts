import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DataSource } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import { type Options, type Terminal, UsageError } from './command.js';
import { environment as ownEnvironment, loadMigrationConfig } from '../config.js';
import { ConditionRepository } from '../operations/condition/condition.repository.js';
import { reasonOf } from '../operations/doctor/finding.js';
import { dataSourceOptions } from '../platform/database/database.js';
import { Sql } from '../platform/database/sql.js';
import { Meters } from '../platform/kernel/meters.js';
import {
  countRows,
  createDatabase,
  describeServer,
  dropDatabase,
  listMigrations,
  urlOfDatabase,
} from '../platform/schema/database-copy.js';
import { migrate, type MigrationConfig } from '../platform/schema/migrate.js';

/*
 * Proves a backup in a copy beside the real database, which is only read, but for a row with the result
 * (docs/how-to/recovery.md#backup-and-restore).
 */

/** In full: the copy remembers how far the real database had been compared. */
const VERIFIERS = [['verify', '--full'], ['verify:audit']] as const;
const TABLES = [
  'payments',
  'deposit_addresses',
  'payment_transfers',
  'payment_events',
  'webhook_deliveries',
] as const;

/** The drill cannot go on. The message contains the remedy. */
class DrillError extends Error {
  readonly code = 'restore_drill';
}

/** Runs another command with this environment. Returns its exit code. */
export type RunCommand = (words: readonly string[], environment: NodeJS.ProcessEnv) => Promise<number>;

const since = (start: number) => `${((performance.now() - start) / 1_000).toFixed(1)} s`;

/** Returns the exit code: 0 if the backup was restored and verified as a whole. */
export async function restoreDrill(
  environment: NodeJS.ProcessEnv,
  { dump, database, keep }: Options,
  terminal: Terminal,
  runCommand: RunCommand,
): Promise<number> {
  if (database !== undefined && (dump !== undefined || keep))
    throw new UsageError(
      '--database is a copy that was restored already: it takes neither --dump nor --keep',
    );
  const config = loadMigrationConfig(environment);
  const verifyCopy = async (name: string) => {
    const isGood = await verify(name, { environment, config, terminal, runCommand });
    await record(config, isGood, terminal);
    terminal.write(`Result: ${isGood ? 'the backup holds' : 'THE BACKUP DOES NOT HOLD'}\n`);
    return isGood ? 0 : 1;
  };
  if (database === undefined) return restore(config, { dump, keep }, terminal, verifyCopy);
  const own = await describeServer(config.databaseUrl);
  if (database === own.name)
    throw new UsageError(`--database must be a copy, and ${database} is the gateway's own database`);
  return verifyCopy(database);
}

/** For the dashboard. A drill is not lost because its result cannot be written down. */
async function record({ databaseUrl, databasePoolMode }: MigrationConfig, held: boolean, terminal: Terminal) {
  const database = new DataSource(dataSourceOptions(databaseUrl, 1, databasePoolMode));
  try {
    await database.initialize();
    await ConditionRepository.recordDrill(new Sql(database, new Meters()), held);
  } catch (error) {
    terminal.write(`the result was not written down for the dashboard: ${reasonOf(error)}\n`);
  } finally {
    if (database.isInitialized) await database.destroy();
  }
}

/** Restores a backup into a database of its own, and drops that in the end. */
async function restore(
  config: MigrationConfig,
  { dump: given, keep }: Pick<Options, 'dump' | 'keep'>,
  terminal: Terminal,
  verifyCopy: (name: string) => Promise<number>,
): Promise<number> {
  const owner = config.databaseMigrationUrl ?? config.databaseUrl;
  await assertTools(owner);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'restore-drill-'));
  await chmod(folder, 0o700);
  const name = `restore_drill_${randomBytes(6).toString('hex')}`;
  let isMade = false;
  try {
    let start = performance.now();
    const file = given === undefined ? path.join(folder, 'gateway.dump') : path.resolve(given);
    if (given === undefined) await runTool('pg_dump', owner, [`--file=${file}`, '--format=custom']);
    const { size } = await stat(file).catch((error: Error) => {
      throw new DrillError(`--dump: the backup cannot be read: ${error.message}`);
    });
    terminal.write(
      given === undefined ? `dumped: ${size} bytes in ${since(start)}\n` : `backup: ${size} bytes\n`,
    );
    start = performance.now();
    await createDatabase(owner, name);
    isMade = true;
    await runTool('pg_restore', urlOfDatabase(owner, name), ['--exit-on-error', file]).catch(
      async (error: unknown) => {
        await record(config, false, terminal);
        throw error;
      },
    );
    terminal.write(`restored into ${name} in ${since(start)}\n`);
    return await verifyCopy(name);
  } finally {
    if (isMade && keep) terminal.write(`kept: ${name}\n`);
    else if (isMade) await dropDatabase(owner, name);
    await rm(folder, { recursive: true, force: true });
  }
}

interface Drill {
  environment: NodeJS.ProcessEnv;
  config: MigrationConfig;
  terminal: Terminal;
  runCommand: RunCommand;
}

/** @returns whether everything was compared and nothing differs */
async function verify(name: string, { environment, config, terminal, runCommand }: Drill): Promise<boolean> {
  const copy: MigrationConfig = {
    ...config,
    databaseUrl: urlOfDatabase(config.databaseUrl, name),
    databaseMigrationUrl: config.databaseMigrationUrl && urlOfDatabase(config.databaseMigrationUrl, name),
  };
  terminal.write(`migrations that it lacked: ${await bringUpToDate(copy)}\n`);
  const access = accessTo(copy);
  const { counts, newest } = await countRows(access.DATABASE_URL, TABLES);
  const listed = counts.map(({ name: table, rows }) => `${rows} ${table.replaceAll('_', ' ')}`).join(', ');
  terminal.write(`${listed}; the newest payment is of ${newest?.toISOString() ?? 'never'}\n`);
  let isGood = true;
  for (const command of VERIFIERS) {
    const start = performance.now();
    const variables = { ...environment, ...access, DATABASE_MIGRATION_URL: '' };
    const code = await runCommand(command, variables);
    terminal.write(`${command.join(' ')}: exit code ${code} after ${since(start)}\n`);
    isGood &&= code === 0;
  }
  return isGood;
}

/** How the copy is read: not through a pooler in transaction mode, which may not know it. */
function accessTo({ databaseUrl, databaseMigrationUrl, databasePoolMode }: MigrationConfig) {
  const isPooled = databaseMigrationUrl !== null && databasePoolMode === 'transaction';
  return {
    DATABASE_URL: isPooled ? databaseMigrationUrl : databaseUrl,
    DATABASE_POOL_MODE: isPooled ? 'session' : databasePoolMode,
  };
}

/** Also shows that this release can take over what an earlier one has left. Returns the number of migrations. */
async function bringUpToDate(copy: MigrationConfig): Promise<number> {
  const ours: string[] = migrations.map(({ name }) => name);
  const theirs = await listMigrations(copy.databaseMigrationUrl ?? copy.databaseUrl);
  const unknown = theirs.filter((name) => !ours.includes(name));
  if (unknown.length > 0)
    throw new DrillError(`the backup is of a newer release: ${unknown.join(', ')} is unknown here`);
  await migrate(copy);
  return ours.length - theirs.length;
}

/** Tools are often older than the server, which pg_dump refuses; the image has none. */
async function assertTools(url: string): Promise<void> {
  const { version: server } = await describeServer(url);
  const output = await execute('pg_dump', ['--version'], {});
  const tools = Number(/(\d+)/.exec(output)?.[1] ?? 0);
  if (tools < server)
    throw new DrillError(`pg_dump and pg_restore ${server} or newer are needed; these are ${tools}`);
}

/** The password is in the environment, because arguments are visible to all users. */
async function runTool(program: string, url: string, args: string[]): Promise<void> {
  const target = new URL(url);
  const password = decodeURIComponent(target.password);
  target.password = '';
  const all = ['--no-owner', '--no-privileges', `--dbname=${target.href}`, ...args];
  await execute(program, all, password === '' ? {} : { PGPASSWORD: password });
}

/** @returns standard output @throws DrillError unless it exits with 0 */
async function execute(program: string, args: string[], more: Record<string, string>): Promise<string> {
  const child = spawn(program, args, {
    env: { ...ownEnvironment, ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const [code] = (await once(child, 'close').catch((error: Error) => {
    throw new DrillError(
      `${program} cannot be started (${error.message}). Where the tools of Postgres are elsewhere, restore the backup ` +
        'with them into another database of the server, then run restore-drill --database <name>.',
    );
  })) as [number];
  if (code !== 0) throw new DrillError(`${program} ended with ${code}`);
  return output;
}
