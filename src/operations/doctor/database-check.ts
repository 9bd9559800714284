import type { DataSource } from 'typeorm';
import { migrations } from '../../../migrations/index.js';
import { SESSION_TIMEOUTS } from '../../platform/database/session-timeouts.js';
import { sqlState } from '../../platform/database/database-errors.pure.js';
import { type Queryable } from '../../platform/database/sql.js';
import type { DatabaseFacts } from './database-findings.js';

const FACTS = `
  select current_setting('server_version') as version, current_setting('server_version_num')::int as "versionNumber",
    current_setting('fsync') = 'on' as fsync, current_setting('full_page_writes') = 'on' as "fullPageWrites",
    current_setting('synchronous_commit') as "synchronousCommit",
    current_setting('max_connections')::int as "maxConnections", pg_is_in_recovery() as "inRecovery"`;
const TIMEOUTS = 'select name, setting from pg_settings where name = any($1)';
const ROUND_TRIPS = 5;
const UNDEFINED_TABLE = '42P01';

/** Reads Postgres's settings and statistics. Rejects with the driver's errors. */
export async function readDatabaseFacts(sql: Queryable): Promise<DatabaseFacts> {
  const [settings] =
    await sql.query<Omit<DatabaseFacts, 'roundTripMs' | 'sessionTimeouts' | 'pendingMigrations'>>(FACTS);
  if (!settings) throw new Error('unexpected empty result');
  const sessionTimeouts = await readSessionTimeouts(sql);
  const roundTripMs = await timeRoundTrip(sql);
  return { ...settings, sessionTimeouts, roundTripMs, pendingMigrations: await findPendingMigrations(sql) };
}

/**
 * Whether a pooler gives the session of one connection to another one, as PgBouncer does in transaction mode.
 * @param database with at least two connections
 */
export async function areSessionsShared(database: DataSource): Promise<boolean> {
  const [first, second] = [database.createQueryRunner(), database.createQueryRunner()];
  try {
    // Each is connected, and idle, before one of them is queried.
    await first.connect();
    await second.connect();
    const processes: unknown[] = [];
    for (const runner of [first, second]) {
      const [row] = (await runner.query('select pg_backend_pid() as process')) as { process: number }[];
      processes.push(row?.process);
    }
    return processes[0] === processes[1];
  } finally {
    await first.release();
    await second.release();
  }
}

/** Milliseconds by name, of those that the gateway sets. */
async function readSessionTimeouts(sql: Queryable): Promise<Record<string, number>> {
  const rows = await sql.query<{ name: string; setting: string }>(TIMEOUTS, [Object.keys(SESSION_TIMEOUTS)]);
  return Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]));
}

/** Milliseconds of the fastest of a few queries, which is closest to the network latency. */
async function timeRoundTrip(sql: Queryable): Promise<number> {
  let best = Infinity;
  for (let i = 0; i < ROUND_TRIPS; i++) {
    const start = performance.now();
    await sql.query('select 1 as one');
    best = Math.min(best, performance.now() - start);
  }
  return Math.round(best);
}

async function findPendingMigrations(sql: Queryable): Promise<string[] | null> {
  try {
    const rows = await sql.query<{ name: string }>('select name from migrations');
    const applied = new Set(rows.map(({ name }) => name));
    return migrations.map(({ name }) => name).filter((name) => !applied.has(name));
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) return null;
    throw error;
  }
}
