import pg from 'pg';

const CREATE = `select format('create database %I template template0', $1::text) as statement`;
const DROP = `select format('drop database %I with (force)', $1::text) as statement`;
const SERVER = `select current_setting('server_version_num')::int / 10000 as version, current_database() as name`;
const MIGRATIONS = 'select name from migrations order by id';
const COUNT = `
  select string_agg(format('select %L as name, count(*)::text as rows from %I', name, name), ' union all ') as statement
  from unnest($1::text[]) as name`;
const NEWEST = `select format('select max(created_at) as newest from %I', $1::text) as statement`;

/** The same server and role, another database. */
export function urlOfDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Postgres quotes the names; it prepares no statement that creates or drops a database. */
async function runMade(client: pg.Client, maker: string, value: string | readonly string[]) {
  const { rows } = await client.query<{ statement: string }>(maker, [value]);
  return client.query<Record<string, unknown>>(rows[0]?.statement ?? '');
}

/** An empty database, beside that of the URL. */
export async function createDatabase(url: string, name: string): Promise<void> {
  await withClient(url, (client) => runMade(client, CREATE, name));
}

export async function dropDatabase(url: string, name: string): Promise<void> {
  await withClient(url, (client) => runMade(client, DROP, name));
}

/** The major version of the server, and the name of the database. */
export async function describeServer(url: string): Promise<{ version: number; name: string }> {
  const { rows } = await withClient(url, (client) => client.query<{ version: number; name: string }>(SERVER));
  const [row] = rows;
  if (!row) throw new Error('unexpected empty result');
  return row;
}

/** Names in the order in which they were applied. */
export async function listMigrations(url: string): Promise<string[]> {
  const { rows } = await withClient(url, (client) => client.query<{ name: string }>(MIGRATIONS));
  return rows.map(({ name }) => name);
}

/** Rows of each table, and when the newest of the first one was created; null: it has none. */
export async function countRows(
  url: string,
  tables: readonly [string, ...string[]],
): Promise<{ counts: { name: string; rows: string }[]; newest: Date | null }> {
  return withClient(url, async (client) => {
    const { rows } = await runMade(client, COUNT, tables);
    const newest = (await runMade(client, NEWEST, tables[0])).rows[0]?.['newest'];
    return {
      counts: rows.map(({ name, rows: count }) => ({ name: String(name), rows: String(count) })),
      newest: newest instanceof Date ? newest : null,
    };
  });
}
