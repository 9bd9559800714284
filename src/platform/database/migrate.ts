import { DataSource, type DataSourceOptions, MigrationExecutor, type QueryRunner } from 'typeorm';
import { migrations } from '../../../migrations/index.js';
import type { Config } from '../../config.js';
import { Keyring } from '../security/keyring.js';
import { dataSourceOptions, logConnectionErrors } from './database.js';
import { grantRights } from './gateway-role.js';
import { sqlState } from './sql.js';

/** Advisory lock that serializes the migrations of processes that start together; an arbitrary constant. */
const MIGRATION_LOCK = 7_205_759_403;
const INSUFFICIENT_PRIVILEGE = '42501';

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
 * @throws UnknownSchemaError, MigrationRightsError, MissingRoleError
 */
export async function migrate({
  databaseUrl,
  databaseMigrationUrl,
  databasePoolMode,
  appKeys,
}: MigrationConfig): Promise<MigrationReport> {
  // Without timeouts: a migration may take long.
  const extra = { onConnect: logConnectionErrors };
  const options = { ...dataSourceOptions(databaseMigrationUrl ?? databaseUrl, 2), extra };
  const dataSource = new DataSource(options as DataSourceOptions);
  await dataSource.initialize();
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

/** Migrations that authenticate rows of an earlier release find the keyring in the `data` of their query runner. */
async function runMigrations(
  dataSource: DataSource,
  keyring: Keyring,
  pending: readonly string[],
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  runner.data['keyring'] = keyring;
  const executor = new MigrationExecutor(dataSource, runner);
  executor.transaction = 'each';
  try {
    await executor.executePendingMigrations();
  } catch (error) {
    if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new MigrationRightsError(pending, { cause: error });
  } finally {
    await runner.release();
  }
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
