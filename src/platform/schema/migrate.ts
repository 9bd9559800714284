import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { DataSource, type DataSourceOptions, type QueryRunner } from 'typeorm';
import { migrations } from '../../../migrations/index.js';
import type { Config } from '../../config.js';
import { Keyring } from '../kernel/keyring.js';
import { applyMigrations, type MigrationLog } from './apply-migrations.js';
import { dataSourceOptions, logConnectionErrors } from '../database/database.js';
import { grantRights } from './gateway-role.js';
import { initialize } from './initialize.js';
import { openSigningKey } from '../kernel/signing-key-seal.js';
import { MigrationRightsError, MissingRightsError, UnknownSchemaError } from './migration-errors.js';
import { listSealedKeys } from './sealed-keys.repository.js';
import { sqlState } from '../database/database-errors.pure.js';

const INSUFFICIENT_PRIVILEGE = '42501';
/** Advisory lock that serializes the migrations of processes that start together; an arbitrary constant. */
const MIGRATION_LOCK = 7_205_759_403;
/** Between two attempts to get the lock of the migrations. */
const LOCK_POLL_MS = 500;
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
 * @throws UnknownSchemaError, MigrationRightsError, MissingRightsError, MigrationBlockedError, MissingRoleError;
 *   ConfigError when APP_KEYS are not those of this database
 */
export async function migrate(
  { databaseUrl, databaseMigrationUrl, databasePoolMode, appKeys }: MigrationConfig,
  log: MigrationLog = logger,
): Promise<MigrationReport> {
  // Without a timeout of statements: a migration may take long.
  const extra = { onConnect: logConnectionErrors };
  const options = { ...dataSourceOptions(databaseMigrationUrl ?? databaseUrl, 2), extra };
  const dataSource = await initialize(
    new DataSource(options as DataSourceOptions),
    databaseMigrationUrl === null ? 'DATABASE_URL' : 'DATABASE_MIGRATION_URL',
  );
  const lock = dataSource.createQueryRunner();
  const keyring = new Keyring(appKeys);
  try {
    if (databaseMigrationUrl === null && databasePoolMode === 'transaction') {
      // A lock of the session would be taken in one session and released in another one.
      await assertMigrated(lock);
      await assertKeysFit(lock, keyring);
      return { applied: [], grantedTo: null };
    }
    await lockMigrations(lock, log);
    await assertKnownSchema(lock);
    await assertKeysFit(lock, keyring);
    const pending = await pendingMigrations(lock);
    // TypeORM would create its table even then, which the gateway's role may not.
    if (pending.length > 0) await applyMigrations(dataSource, keyring, log);
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
 * Polls: a session that waits in pg_advisory_lock has a snapshot, and an index that is built concurrently waits for the
 * end of each older snapshot (PostgreSQL 18, "CREATE INDEX", Building Indexes Concurrently). So neither would ever end.
 */
async function lockMigrations(runner: QueryRunner, log: MigrationLog): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const rows = (await runner.query('select pg_try_advisory_lock($1) as locked', [MIGRATION_LOCK])) as {
      locked: boolean;
    }[];
    if (rows[0]?.locked) return;
    if (attempt === 1) log.log({}, 'another process applies migrations; waiting for it');
    await delay(LOCK_POLL_MS);
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

/** A migration may write rows with MACs: with wrong keys, they would be refused. @throws ConfigError, MissingRightsError */
async function assertKeysFit(runner: QueryRunner, keyring: Keyring): Promise<void> {
  const sql = { query: async <Row>(text: string) => (await runner.query(text)) as Row[] };
  const keys = await listSealedKeys(sql).catch((error: unknown) => {
    if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new MissingRightsError({ cause: error });
  });
  for (const key of keys) openSigningKey(keyring, key);
}

/** The role of a database URL; config.ts has seen that it names one. */
export function roleOf(url: string): string {
  return decodeURIComponent(new URL(url).username);
}

/**
 * Refuses a database that was not created by the first migration, e.g. one of a development version before the first
 * release. A newer schema is accepted: a process of the release before may restart during an upgrade.
 *
 * @throws UnknownSchemaError
 */
async function assertKnownSchema(runner: QueryRunner): Promise<void> {
  const [baseline] = migrations;
  const [first] = await executedMigrations(runner);
  if (first !== undefined && first !== baseline?.name) throw new UnknownSchemaError(first);
}
