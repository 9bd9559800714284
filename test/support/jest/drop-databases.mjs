import pg from 'pg';

/** Leaves out those with a connection, which may be of a gateway that is still closing. */
const UNUSED = `
  select datname as name from pg_database d
  where datname = any ($1) and not exists (select from pg_stat_activity a where a.datname = d.datname)`;

/** A connection that came after the question. */
const IN_USE = '55006';

/** Drops what createTestDatabase of test-gateway.ts has made; what is still in use waits for the next test file. */
export async function dropDatabases() {
  const names = globalThis.testDatabases ?? [];
  if (names.length === 0) return;
  const admin = new pg.Client({ connectionString: process.env['TEST_ADMIN_URL'] });
  await admin.connect();
  try {
    const { rows } = await admin.query(UNUSED, [names]);
    for (const { name } of rows) {
      const isDropped = await admin.query(`drop database ${pg.escapeIdentifier(name)}`).then(
        () => true,
        (error) => {
          if (error.code !== IN_USE) throw error;
          return false;
        },
      );
      if (isDropped) names.splice(names.indexOf(name), 1);
    }
  } finally {
    await admin.end();
  }
}
