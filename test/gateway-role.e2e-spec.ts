import pg from 'pg';
import { GRANTS } from '../migrations/grants.js';
import { RIGHTS_OF_ROLE } from '../src/platform/schema/gateway-role.js';
import { migrate } from '../src/platform/schema/migrate.js';
import { compareRights, type TableRight } from '../src/platform/schema/table-rights.js';
import { createTestDatabase } from './support/test-gateway.js';
import { asGateway, GATEWAY_ROLE, migrateTestDatabase, TEST_APP_KEY } from './support/test-server.js';

let url: string;
let gateway: pg.Client;
let owner: pg.Client;

const connect = async (connectionString: string) => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
};

beforeAll(async () => {
  url = await createTestDatabase();
  [gateway, owner] = await Promise.all([connect(asGateway(url)), connect(url)]);
});
afterAll(() => Promise.all([gateway.end(), owner.end()]));

/** SQLSTATE of a refused statement; null: it was accepted. */
async function refusalOf(statement: string): Promise<string | null> {
  // Some are refused in a transaction before the rights are looked at.
  const isOutside = /^(create database|alter system)/.test(statement);
  await gateway.query(isOutside ? 'select 1' : 'begin');
  try {
    await gateway.query(statement);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    if (!isOutside) await gateway.query('rollback');
  }
}

async function differences() {
  const { rows } = await owner.query<TableRight>(RIGHTS_OF_ROLE, [GATEWAY_ROLE]);
  return compareRights(rows);
}

/** Columns of a table that the gateway may not update. */
async function fixedColumns(table: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table],
  );
  const text = /update \(([^)]*)\)/.exec(GRANTS[table] ?? '')?.[1]?.split(', ') ?? [];
  return rows.map(({ name }) => name).filter((name) => !text.includes(name));
}

const TABLES = Object.keys(GRANTS);
const INSUFFICIENT_PRIVILEGE = '42501';

describe("the gateway's role", () => {
  it('has the rights of migrations/grants.ts on every table, and no others', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')`,
    );
    expect(TABLES.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
    expect(await differences()).toEqual({ missing: [], excess: [] });
  });

  it.each(TABLES)('cannot change what it does not own of %s', async (table) => {
    const columns = await fixedColumns(table);
    const statements = [
      `truncate ${table}`,
      `alter table ${table} add column extra int`,
      `alter table ${table} disable trigger all`,
      `alter table ${table} owner to ${GATEWAY_ROLE}`,
      `drop table ${table} cascade`,
      `create index on ${table} ((1))`,
      `create trigger mine before insert on ${table} for each row execute function refuse_change()`,
      `create rule mine as on insert to ${table} do instead nothing`,
      `grant update on ${table} to ${GATEWAY_ROLE}`,
      ...columns.map((column) => `update ${table} set ${column} = ${column}`),
      ...(GRANTS[table]?.includes('delete') ? [] : [`delete from ${table}`]),
      ...(GRANTS[table]?.includes('insert') ? [] : [`insert into ${table} default values`]),
    ];
    const accepted = [];
    for (const statement of statements) {
      const refusal = await refusalOf(statement);
      // A grant of what one may not grant is a warning to Postgres: it changes nothing.
      if (refusal !== INSUFFICIENT_PRIVILEGE && !(statement.startsWith('grant') && refusal === null))
        accepted.push(`${statement}: ${refusal}`);
    }
    expect(accepted).toEqual([]);
    expect(statements.length).toBeGreaterThan(9);
  });

  it.each([
    `set session_replication_role = 'replica'`,
    `alter role ${GATEWAY_ROLE} superuser`,
    `alter role ${GATEWAY_ROLE} set session_replication_role = 'replica'`,
    'set role gateway',
    'set session authorization gateway',
    'create role another',
    'create database another',
    'create schema another',
    'create table another (a int)',
    'create temporary table another (a int)',
    'create view another as select 1',
    `create function another() returns int language sql as 'select 1'`,
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
    'alter function audit_log_chain() security invoker',
    'drop function refuse_change() cascade',
    'drop schema public cascade',
    'drop owned by gateway',
    'reassign owned by gateway to gateway_app',
    `copy (select 1) to program 'true'`,
    `copy migrations from program 'true'`,
    `copy (select 1) to '/tmp/file'`,
    `select pg_read_file('PG_VERSION')`,
    'select lo_import($$PG_VERSION$$)',
    'alter system set fsync = off',
    `select nextval('migrations_id_seq')`,
    'create extension pgcrypto',
    'create event trigger another on ddl_command_start execute function refuse_change()',
    'create publication another for all tables',
    'lock table payments in access exclusive mode',
    'vacuum full payments',
  ])('cannot: %s', async (statement) => {
    // A VACUUM is refused in a transaction before anybody asks for rights.
    if (statement.startsWith('vacuum')) {
      const notices: string[] = [];
      gateway.once('notice', ({ message = '' }) => notices.push(message));
      await gateway.query(statement);
      // Before PostgreSQL 16 in other words.
      expect(notices).toEqual([expect.stringMatching(/permission denied|only table or database owner/)]);
      return;
    }
    expect(await refusalOf(statement)).toBe(INSUFFICIENT_PRIVILEGE);
  });

  it('keeps its rights to itself when a trigger writes for it', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
       and (has_function_privilege($1, oid, 'execute') or not 'search_path=public, pg_temp' = any (proconfig))`,
      [GATEWAY_ROLE],
    );
    expect(rows).toEqual([]);
  });
});

describe('the rights', () => {
  it('are restored by the next migration, whatever was granted or revoked meanwhile', async () => {
    await owner.query(`grant all on all tables in schema public to ${GATEWAY_ROLE}; grant select on users to public;
      revoke insert on payments from ${GATEWAY_ROLE}; grant create on schema public to ${GATEWAY_ROLE};
      grant temporary on database ${new URL(url).pathname.slice(1)} to public`);
    expect((await differences()).excess.length).toBeGreaterThan(100);
    expect(await migrateTestDatabase(url)).toEqual({ applied: [], grantedTo: GATEWAY_ROLE });
    expect(await differences()).toEqual({ missing: [], excess: [] });
    expect(await refusalOf('create table another (a int)')).toBe(INSUFFICIENT_PRIVILEGE);
    expect(await refusalOf('create temporary table another (a int)')).toBe(INSUFFICIENT_PRIVILEGE);
  });

  it('are written only where they differ', async () => {
    const version = async () =>
      (await owner.query(`select xmin::text from pg_class where oid = 'payments'::regclass`)).rows;
    const before = await version();
    await migrateTestDatabase(url);
    expect(await version()).toEqual(before);
  });
});

describe('a gateway that does not own its schema', () => {
  const config = (databaseUrl: string) => ({
    databaseUrl,
    databaseMigrationUrl: null,
    databasePoolMode: 'session' as const,
    appKeys: [{ id: 't1', key: TEST_APP_KEY }],
  });

  it('starts without the role that does, when the schema is current', async () => {
    expect(await migrate(config(asGateway(url)))).toEqual({ applied: [], grantedTo: null });
  });

  it('names the command to run when migrations are missing', async () => {
    await owner.query('create database bare_of_tables');
    const bare = new URL(asGateway(url));
    bare.pathname = '/bare_of_tables';
    await expect(migrate(config(bare.toString()))).rejects.toThrow(/lacks \d+ migration.*"migrate"/);
  });

  it('is not granted rights under a name that no role has', async () => {
    const stranger = new URL(url);
    stranger.username = 'nobody_here';
    const both = { ...config(stranger.toString()), databaseMigrationUrl: url };
    await expect(migrate(both)).rejects.toThrow(/"nobody_here", which does not exist/);
  });
});
