import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { DataSource, type DataSourceOptions, MigrationExecutor, type QueryRunner } from 'typeorm';
import { migrations } from '../../../migrations/index.js';
import type { Config } from '../../config.js';
import { Keyring } from '../security/keyring.js';
import { dataSourceOptions, logConnectionErrors } from './database.js';
import { grantRights } from './gateway-role.js';
import { initialize } from './initialize.js';
import { sqlState } from './sql.js';

/** Advisory lock that serializes the migrations of processes that start together; an arbitrary constant. */
const MIGRATION_LOCK = 7_205_759_403;
const INSUFFICIENT_PRIVILEGE = '42501';
const LOCK_NOT_AVAILABLE = '55P03';
/** Less than the statement timeout of the requests that wait behind the migration. */
const LOCK_TIMEOUT_MS = 2_000;
/** Between two attempts, in which the requests that waited are served. */
const LOCK_PAUSE_MS = 3_000;
/** How long attempts go on; a backup of a large database holds its locks for longer. */
const LOCK_PATIENCE_MS = 600_000;
const LONGEST_TRANSACTIONS = `
  select pid, application_name as application, state, extract(epoch from clock_timestamp() - xact_start)::int as seconds
  from pg_stat_activity
  where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
  order by xact_start limit 5`;
const logger = new Logger('Migrations');

/** What the migrations need of the configuration. */
export type MigrationConfig = Pick<
  Config,
  'databaseUrl' | 'databaseMigrationUrl' | 'databasePoolMode' | 'appKeys'
>;

/** Result of {@link migrate}. */
export interface MigrationReport {
  /** Names of the migrations that were applied, in order. */
  applied: string[];
  /** The gateway's role, if it is another one than the schema's owner. */
  grantedTo: string | null;
}

/**
 * Brings the schema up to date, and the rights of the gateway's role where that is another one; safe when many processes
 * start at once. Without DATABASE_MIGRATION_URL the gateway's own role migrates, unless nothing is left to do.
 *
 * @throws UnknownSchemaError, MigrationRightsError, MigrationBlockedError, MissingRoleError
 */
export async function migrate({
  databaseUrl,
  databaseMigrationUrl,
  databasePoolMode,
  appKeys,
}: MigrationConfig): Promise<MigrationReport> {
  // Without a timeout of statements: a migration may take long.
  const extra = { onConnect: logConnectionErrors };
  const options = { ...dataSourceOptions(databaseMigrationUrl ?? databaseUrl, 2), extra };
  const dataSource = await initialize(
    new DataSource(options as DataSourceOptions),
    databaseMigrationUrl === null ? 'DATABASE_URL' : 'DATABASE_MIGRATION_URL',
  );
  const lock = dataSource.createQueryRunner();
  try {
    if (databaseMigrationUrl === null && databasePoolMode === 'transaction') {
      // A lock of the session would be taken in one session and released in another one.
      await assertMigrated(lock);
      return { applied: [], grantedTo: null };
    }
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await assertKnownSchema(lock);
    const pending = await pendingMigrations(lock);
    // TypeORM would create its table even then, which the gateway's role may not.
    if (pending.length > 0) await runMigrations(dataSource, new Keyring(appKeys), pending);
    const grantedTo = databaseMigrationUrl === null ? null : roleOf(databaseUrl);
    if (grantedTo !== null) await grantRights(lock, grantedTo);
    await lock.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    return { applied: pending, grantedTo };
  } finally {
    await lock.release();
    await dataSource.destroy();
  }
}

/**
 * Applies the pending migrations, each in a transaction of its own. One that waits for a lock makes everything after it
 * wait as well, so it gives up soon, lets others pass, and tries again.
 * @throws MigrationBlockedError, MigrationRightsError
 */
async function runMigrations(
  dataSource: DataSource,
  keyring: Keyring,
  pending: readonly string[],
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  const lastAttempt = performance.now() + LOCK_PATIENCE_MS;
  try {
    await runner.query(`select set_config('lock_timeout', $1, false)`, [`${LOCK_TIMEOUT_MS}ms`]);
    for (;;) {
      try {
        return await applyPending(dataSource, runner, keyring);
      } catch (error) {
        if (sqlState(error) === INSUFFICIENT_PRIVILEGE)
          throw new MigrationRightsError(pending, { cause: error });
        if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
        const blockers = await longestTransactions(runner);
        if (performance.now() > lastAttempt) throw new MigrationBlockedError(blockers, { cause: error });
        logger.warn(
          { blockers },
          'a migration waits for a lock of another transaction and will be tried again',
        );
        await delay(LOCK_PAUSE_MS);
      }
    }
  } finally {
    await runner.release();
  }
}

/** Migrations that authenticate rows of an earlier release find the keyring in the `data` of their query runner. */
async function applyPending(dataSource: DataSource, runner: QueryRunner, keyring: Keyring): Promise<void> {
  runner.data['keyring'] = keyring;
  const executor = new MigrationExecutor(dataSource, runner);
  executor.transaction = 'each';
  await executor.executePendingMigrations();
}

/** Open transactions in this database, the oldest first: one of them holds the lock. */
async function longestTransactions(runner: QueryRunner): Promise<object[]> {
  return (await runner.query(LONGEST_TRANSACTIONS)) as object[];
}

/** Their names, in order. */
async function pendingMigrations(runner: QueryRunner): Promise<string[]> {
  const executed = await executedMigrations(runner);
  return migrations.map(({ name }) => name).filter((name) => !executed.includes(name));
}

/** In their order; none where there is no schema yet. */
async function executedMigrations(runner: QueryRunner): Promise<string[]> {
  if (!(await runner.hasTable('migrations'))) return [];
  const rows = (await runner.query('select name from migrations order by id')) as { name: string }[];
  return rows.map(({ name }) => name);
}

/** @throws MigrationRightsError */
async function assertMigrated(runner: QueryRunner): Promise<void> {
  await assertKnownSchema(runner);
  const pending = await pendingMigrations(runner);
  if (pending.length > 0) throw new MigrationRightsError(pending);
}

/** The role of a database URL; config.ts has seen that it names one. */
export function roleOf(url: string): string {
  return decodeURIComponent(new URL(url).username);
}

/**
 * Refuses a database that was not created by the first migration, e.g. one of a development version before the first
 * release. A newer schema is accepted: a process of the previous release may restart during an upgrade.
 *
 * @throws UnknownSchemaError
 */
async function assertKnownSchema(runner: QueryRunner): Promise<void> {
  const [baseline] = migrations;
  const [first] = await executedMigrations(runner);
  if (first !== undefined && first !== baseline?.name) throw new UnknownSchemaError(first);
}

/** The database has tables that this program can neither use nor migrate. */
export class UnknownSchemaError extends Error {
  readonly code = 'unknown_schema';

  constructor(firstMigration: string) {
    super(
      `The database has a schema that this program cannot migrate (it starts with ${firstMigration}): it was made by ` +
        'a development version of the gateway or by another program. Set DATABASE_URL to an empty database; for ' +
        'the development profile, delete the folder DATA_DIR (.data).',
    );
  }
}

/** Another transaction holds a lock that a migration needs, and does not end. */
export class MigrationBlockedError extends Error {
  readonly code = 'migration_blocked';

  constructor(blockers: readonly object[], options?: ErrorOptions) {
    super(
      `A migration did not get its lock within ${LOCK_PATIENCE_MS / 60_000} minutes, and nothing of it was applied. End ` +
        `the transaction that holds it (pg_terminate_backend), or wait for it, and run the migration again. The oldest ` +
        `ones: ${JSON.stringify(blockers)}`,
      options,
    );
  }
}

/** Migrations are to be applied by a role that does not own the schema, or through a pooler in transaction mode. */
export class MigrationRightsError extends Error {
  readonly code = 'migration_rights';

  constructor(pending: readonly string[], options?: ErrorOptions) {
    super(
      `The database lacks ${pending.length} migration(s), ${pending[0]} first, which cannot be applied with ` +
        'DATABASE_URL. Run the command "migrate" with DATABASE_MIGRATION_URL, the role that owns the schema, before ' +
        'the gateway starts.',
      options,
    );
  }
}
