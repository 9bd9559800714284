import type { ClientBase } from 'pg';
import type { Config } from '../../config.js';

/** DATABASE_POOL_MODE. */
export type PoolMode = Config['databasePoolMode'];

/** Of every session, in milliseconds: a stuck statement must become an error, not a stuck gateway. */
export const SESSION_TIMEOUTS = {
  statement_timeout: 10_000,
  idle_in_transaction_session_timeout: 15_000,
  lock_timeout: 5_000,
} as const;

const SET = `
  select set_config(name, value, false) from unnest($1::text[], $2::text[]) as settings (name, value)`;
const LOST = `
  select name from pg_settings join unnest($1::text[], $2::text[]) as settings (name, value) using (name)
  where setting <> value`;

function namesAndValues(): [string[], string[]] {
  return [Object.keys(SESSION_TIMEOUTS), Object.values(SESSION_TIMEOUTS).map(String)];
}

/** By a statement and not by start-up parameters, which PgBouncer refuses. */
export async function setSessionTimeouts(client: ClientBase): Promise<void> {
  await client.query(SET, namesAndValues());
}

/**
 * A session of a pooler in transaction mode serves other clients too, so its timeouts must be those of the role.
 * @throws MissingTimeoutsError
 */
export async function assertSessionTimeouts(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(LOST, namesAndValues());
  if (rows.length > 0) throw new MissingTimeoutsError(rows.map(({ name }) => name));
}

/** The role's sessions have other timeouts than {@link SESSION_TIMEOUTS}. */
export class MissingTimeoutsError extends Error {
  readonly code = 'missing_timeouts';

  constructor(names: readonly string[]) {
    const statements = Object.entries(SESSION_TIMEOUTS)
      .filter(([name]) => names.includes(name))
      .map(([name, value]) => `ALTER ROLE <role of DATABASE_URL> SET ${name} = ${value};`);
    super(
      'DATABASE_POOL_MODE is "transaction", and the database role lacks the timeouts of the gateway. Run this as the ' +
        `owner of the database, then let the pooler reconnect (RECONNECT): ${statements.join(' ')}`,
    );
  }
}
