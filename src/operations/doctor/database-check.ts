import { migrations } from '../../../migrations/index.js';
import { type Queryable, sqlState } from '../../platform/database/sql.js';
import type { DatabaseFacts } from './database-findings.js';

const FACTS = `
  select current_setting('server_version') as version, current_setting('server_version_num')::int as "versionNumber",
    current_setting('fsync') = 'on' as fsync, current_setting('full_page_writes') = 'on' as "fullPageWrites",
    current_setting('synchronous_commit') as "synchronousCommit",
    current_setting('max_connections')::int as "maxConnections", pg_is_in_recovery() as "inRecovery"`;
const ROUND_TRIPS = 5;
const UNDEFINED_TABLE = '42P01';

/** Reads Postgres's settings and statistics. Rejects with the driver's errors. */
export async function readDatabaseFacts(sql: Queryable): Promise<DatabaseFacts> {
  const [settings] = await sql.query<Omit<DatabaseFacts, 'roundTripMs' | 'pendingMigrations'>>(FACTS);
  if (!settings) throw new Error('unexpected empty result');
  const roundTripMs = await timeRoundTrip(sql);
  return { ...settings, roundTripMs, pendingMigrations: await findPendingMigrations(sql) };
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
