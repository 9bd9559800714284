import pg from 'pg';

/** A table that can be read but not written until {@link BlockedTable.release}: races meet there. */
export interface BlockedTable {
  /** Returns when that many connections of the database wait for a lock. */
  untilWaiting(connections: number): Promise<void>;
  release(): Promise<void>;
}

/** @param table a name of ours, never input */
export async function blockWrites(databaseUrl: string, table: string): Promise<BlockedTable> {
  // Two connections: inside a transaction pg_stat_activity would not change.
  const [blocker, observer] = await Promise.all(
    [1, 2].map(async () => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    }),
  );
  await blocker!.query(`begin; lock table ${table} in share mode`);
  return {
    untilWaiting: async (connections) => {
      let waiting = 0;
      while (waiting < connections) {
        const { rows } = await observer!.query<{ n: number }>(
          `select count(*)::integer as n from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
        );
        waiting = rows[0]?.n ?? 0;
      }
    },
    release: async () => {
      await blocker!.query('commit');
      await Promise.all([blocker!.end(), observer!.end()]);
    },
  };
}
