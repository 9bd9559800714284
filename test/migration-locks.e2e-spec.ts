import pg from 'pg';
import { DataSource, type DataSourceOptions, MigrationExecutor } from 'typeorm';
import { Branding1795310414000 } from '../migrations/0014-branding.js';
import { migrations } from '../migrations/index.js';
import { dataSourceOptions } from '../src/platform/database/database.js';
import { Keyring } from '../src/platform/security/keyring.js';
import { databaseUrl, migrateTestDatabase, TEST_APP_KEY } from './support/test-server.js';

const DATABASE = 'upgraded_beside_a_reader';
/** What the tested migration alters. */
const READ = 'select count(*)::int as count from sites';

const WAITING = `select from pg_locks where not granted and relation = 'sites'::regclass`;

let clients: pg.Client[];
let url: string;

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  clients.push(client);
  return client;
}

beforeAll(async () => {
  clients = [];
  const adminUrl = process.env['TEST_ADMIN_URL'] ?? '';
  const admin = await connect(adminUrl);
  await admin.query(`create database ${DATABASE}`);
  url = databaseUrl(adminUrl, DATABASE);
  const before = migrations.slice(0, migrations.indexOf(Branding1795310414000));
  const options = { ...dataSourceOptions(url, 2), migrations: before } as DataSourceOptions;
  const database = await new DataSource(options).initialize();
  const runner = database.createQueryRunner();
  runner.data['keyring'] = new Keyring([{ id: 't1', key: TEST_APP_KEY }]);
  const executor = new MigrationExecutor(database, runner);
  executor.transaction = 'each';
  await executor.executePendingMigrations();
  await runner.release();
  await database.destroy();
});
afterAll(async () => {
  for (const client of clients) await client.end();
});

it('a migration that waits for a long transaction lets requests pass, and is applied when that has ended', async () => {
  const [reader, watcher, request] = [await connect(url), await connect(url), await connect(url)];
  await reader.query('begin');
  await reader.query(READ);

  const migrating = migrateTestDatabase(url);
  for (let isWaiting = false; !isWaiting;) isWaiting = (await watcher.query(WAITING)).rowCount === 1;
  // Behind the waiting migration, and within the timeout of the gateway's own statements.
  await request.query('set statement_timeout = 5000');
  expect((await request.query(READ)).rows).toEqual([{ count: 0 }]);

  await reader.query('commit');
  expect((await migrating).applied).toContain(Branding1795310414000.name);
});
