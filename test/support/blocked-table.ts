import pg from 'pg';

/** A table on which writers wait until {@link Blocked.release}, so that races meet there. */
export interface Blocked {
  /** Returns when that many connections of the database wait for a lock. */
  untilWaiting(connections: number): Promise<void>;
  /** Ends the connections that wait, as the death of their process would. */
  killWaiting(): Promise<void>;
  release(): Promise<void>;
}

const WAITING = `
  select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** @param statements the last one opens the transaction that blocks */
async function block(databaseUrl: string, ...statements: string[]): Promise<Blocked> {
  // Two connections: inside a transaction pg_stat_activity would not change.
  const [blocker, observer] = await Promise.all(
    [1, 2].map(async () => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    }),
  );
  for (const statement of statements) await blocker!.query(statement);
  return {
    untilWaiting: async (connections) => {
      while ((await observer!.query(WAITING)).rows.length < connections) continue;
    },
    killWaiting: async () => {
      await observer!.query(`select pg_terminate_backend(pid) from (${WAITING}) w`);
    },
    release: async () => {
      await blocker!.query('commit');
      await Promise.all([blocker!.end(), observer!.end()]);
    },
  };
}

/** The table can be read but not written. @param table a name of ours, never input */
export function blockWrites(databaseUrl: string, table: string): Promise<Blocked> {
  return block(databaseUrl, `begin; lock table ${table} in share mode`);
}

/** A row is locked as another process would lock it. @param id of a row, never input */
export function blockRow(databaseUrl: string, table: string, id: string): Promise<Blocked> {
  return block(databaseUrl, `begin; select from ${table} where id = '${id}' for update`);
}

/** An update of a row of the table waits; the rest of its transaction is done by then. */
export function blockUpdates(databaseUrl: string, table: string): Promise<Blocked> {
  return blockEach('update', databaseUrl, table);
}

/** An insert of a row of the table waits; a statement may have locked what it takes before. */
export function blockInserts(databaseUrl: string, table: string): Promise<Blocked> {
  return blockEach('insert', databaseUrl, table);
}

function blockEach(write: 'insert' | 'update', databaseUrl: string, table: string): Promise<Blocked> {
  return block(
    databaseUrl,
    `create or replace function wait_for_the_test() returns trigger language plpgsql as $$
       begin perform pg_advisory_xact_lock_shared(4711); return new; end $$;
     create or replace trigger wait_for_the_test before ${write} on ${table}
       for each row execute function wait_for_the_test()`,
    `begin; select pg_advisory_xact_lock(4711)`,
  );
}
