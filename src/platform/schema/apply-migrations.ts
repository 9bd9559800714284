import { setTimeout as delay } from 'node:timers/promises';
import { type DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import type { Keyring } from '../kernel/keyring.js';
import { MigrationBlockedError, MigrationRightsError } from './migration-errors.js';
import { sqlState } from '../database/database-errors.pure.js';

const INSUFFICIENT_PRIVILEGE = '42501';
/** Lock not available, and deadlock: the migration has waited for a transaction, or that for the migration as well. */
const BLOCKED: readonly (string | null)[] = ['55P03', '40P01'];
/** Less than the statement timeout of the requests that wait behind the migration. */
const LOCK_TIMEOUT_MS = 2_000;
/** Between two attempts, in which the requests that waited are served. */
const LOCK_PAUSE_MS = 3_000;
/** How long attempts at one migration go on; a backup of a large database holds its locks for longer. */
const LOCK_PATIENCE_MS = 600_000;
/** Between two lines of the log that tell that a migration still runs. */
const HEARTBEAT_MS = 10_000;
/** Open transactions in this database, the oldest first: one of them holds the lock. */
const LONGEST_TRANSACTIONS = `
  select pid, application_name as application, state, extract(epoch from clock_timestamp() - xact_start)::int as seconds
  from pg_stat_activity
  where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
  order by xact_start limit 5`;

/** Where migrations tell how far they are. */
export interface MigrationLog {
  log(fields: object, text: string): void;
  warn(fields: object, text: string): void;
}

/**
 * Applies the pending migrations, each in a transaction of its own, or without one where the migration says
 * `transaction = false`. They find in the `data` of their query runner `keyring`, for rows that carry a MAC.
 * @throws MigrationBlockedError, MigrationRightsError
 */
export async function applyMigrations(
  dataSource: DataSource,
  keyring: Keyring,
  log: MigrationLog,
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  runner.data['keyring'] = keyring;
  try {
    await runner.query(`select set_config('lock_timeout', $1, false)`, [`${LOCK_TIMEOUT_MS}ms`]);
    const executor = new MigrationExecutor(dataSource, runner);
    const pending = await executor.getPendingMigrations();
    for (const [index, migration] of pending.entries()) {
      const place = { migration: migration.name, number: index + 1, of: pending.length };
      const begun = performance.now();
      const seconds = () => Math.round((performance.now() - begun) / 100) / 10;
      const heartbeat = setInterval(
        () => log.log({ ...place, seconds: seconds() }, 'a migration is running'),
        HEARTBEAT_MS,
      );
      try {
        await applyPatiently({ runner, executor, migration, log });
      } catch (error) {
        if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error;
        throw new MigrationRightsError(
          pending.slice(index).map(({ name }) => name),
          { cause: error },
        );
      } finally {
        clearInterval(heartbeat);
      }
      log.log({ ...place, seconds: seconds() }, 'migration applied');
    }
  } finally {
    await runner.release();
  }
}

interface Application {
  runner: QueryRunner;
  executor: MigrationExecutor;
  migration: Migration;
  log: MigrationLog;
}

/**
 * A migration that waits for a lock makes everything after it wait as well, so it gives up soon, lets others pass, and
 * tries again.
 * @throws MigrationBlockedError
 */
async function applyPatiently(application: Application): Promise<void> {
  const { runner, migration, log } = application;
  const lastAttempt = performance.now() + LOCK_PATIENCE_MS;
  for (;;) {
    try {
      return await applyOnce(application);
    } catch (error) {
      if (!BLOCKED.includes(sqlState(error))) throw error;
      const blockers = (await runner.query(LONGEST_TRANSACTIONS)) as object[];
      if (performance.now() > lastAttempt)
        throw new MigrationBlockedError(migration.name, blockers, LOCK_PATIENCE_MS, { cause: error });
      log.warn(
        { migration: migration.name, blockers },
        'a migration waits for a lock of another transaction and will be tried again',
      );
      await delay(LOCK_PAUSE_MS);
    }
  }
}

async function applyOnce({ runner, executor, migration, log }: Application): Promise<void> {
  if (migration.instance?.transaction === false) {
    await executor.executeMigration(migration);
    return;
  }
  await runner.startTransaction();
  try {
    await executor.executeMigration(migration);
    await runner.commitTransaction();
  } catch (error) {
    // What failed is the migration; a connection that is gone has rolled back already.
    await runner.rollbackTransaction().catch((second: unknown) => {
      log.warn({ migration: migration.name, error: String(second) }, 'the roll back of a migration failed');
    });
    throw error;
  }
}
