import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { RIGHTS_OF_ROLE } from '../src/platform/schema/gateway-role.js';
import { migrate } from '../src/platform/schema/migrate.js';
import { compareRights, type TableRight } from '../src/platform/schema/table-rights.js';
import { SystemPostgres } from './faults/system-postgres.js';
import { PAYMENT, SEED } from './support/guarded-rows.js';
import { TEST_APP_KEY } from './support/test-server.js';

const APP = 'gateway_app';
const MIGRATOR = 'gateway_migrator';
const isInstalled = await SystemPostgres.isInstalled();
if (!isInstalled)
  process.stdout.write('database-roles: not run, because psql is missing (apt-get install postgresql)\n');
let server: SystemPostgres;

async function query<Row extends object>(
  database: string,
  role: string,
  text: string,
  values: unknown[] = [],
) {
  const client = new pg.Client({ connectionString: server.url(database, role) });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** As docker-entrypoint-initdb.d runs it, and as docs/how-to/deployment.md#database-roles says. */
async function runRoles(database: string): Promise<void> {
  const file = path.join(server.folder, 'roles.sql');
  await copyFile(path.resolve(import.meta.dirname, '../ops/postgres/roles.sql'), file);
  await server.run('psql', ['-U', 'postgres', '-d', database, '--no-psqlrc', '-q', '-f', file], {
    MIGRATOR_DATABASE_PASSWORD: "owner's password",
    GATEWAY_DATABASE_PASSWORD: 'gateway password',
  });
}

const migrateAs = (database: string, owner: string | null) =>
  migrate({
    databaseUrl: server.url(database, owner === null ? 'gateway' : APP),
    databaseMigrationUrl: owner && server.url(database, owner),
    databasePoolMode: 'session',
    appKeys: [{ id: 't1', key: TEST_APP_KEY }],
  });

async function expectTwoRoles(database: string): Promise<void> {
  const rows = await query<TableRight>(database, MIGRATOR, RIGHTS_OF_ROLE, [APP]);
  expect(compareRights(rows)).toEqual({ missing: [], excess: [] });
  const owners = `select distinct pg_get_userbyid(relowner) as owner from pg_class where relnamespace = 'public'::regnamespace
    union select pg_get_userbyid(proowner) from pg_proc where pronamespace = 'public'::regnamespace`;
  expect(await query(database, MIGRATOR, owners)).toEqual([{ owner: MIGRATOR }]);
  for (const statement of [
    'create table t (a int)',
    'create temporary table t (a int)',
    'delete from payments',
  ])
    await expect(query(database, APP, statement)).rejects.toMatchObject({ code: '42501' });
}

(isInstalled ? describe : describe.skip)('ops/postgres/roles.sql', () => {
  beforeAll(async () => {
    server = await SystemPostgres.start();
  });
  afterAll(() => server.stop());

  it('prepares an empty database, whose schema the migrations then make', async () => {
    await query('postgres', 'postgres', 'create database fresh');
    await runRoles('fresh');
    expect(await migrateAs('fresh', MIGRATOR)).toMatchObject({ grantedTo: APP });
    await expectTwoRoles('fresh');
    const stored = `select rolname, rolsuper, rolcreatedb, rolcreaterole, rolpassword like 'SCRAM%' as "hasPassword"
      from pg_authid where rolname in ('${APP}', '${MIGRATOR}') order by 1`;
    const plain = { rolsuper: false, rolcreatedb: false, rolcreaterole: false, hasPassword: true };
    expect(await query('postgres', 'postgres', stored)).toEqual([
      { rolname: APP, ...plain },
      { rolname: MIGRATOR, ...plain },
    ]);
  });

  it('hands over a database that one role owned, with its rows, and can be run again', async () => {
    await query('postgres', 'postgres', 'create role gateway login superuser');
    await query('postgres', 'gateway', 'create database single');
    await migrateAs('single', null);
    await query('single', 'gateway', SEED);
    await runRoles('single');
    await runRoles('single');
    await migrateAs('single', MIGRATOR);
    await expectTwoRoles('single');
    const status = 'select status from payments where id = $1';
    expect(await query('single', APP, status, [PAYMENT])).toHaveLength(1);
  });
});
