import pg from 'pg';
import { DataSource, type DataSourceOptions, MigrationExecutor } from 'typeorm';
import { Branding1795310414000 } from '../migrations/0014-branding.js';
import { Changes1795310421000 } from '../migrations/0021-changes.js';
import { migrations } from '../migrations/index.js';
import { dataSourceOptions } from '../src/platform/database/database.js';
import { Keyring } from '../src/platform/security/keyring.js';
import { databaseUrl, migrateTestDatabase, TEST_APP_KEY } from './support/test-server.js';

/** What the migration Branding alters. */
const READ = 'select count(*)::int as count from sites';
const WAITING = `select from pg_locks where not granted and relation = $1::regclass`;

const clients: pg.Client[] = [];

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  clients.push(client);
  return client;
}

/** A database without a migration and those after it. */
async function migratedBefore(migration: (typeof migrations)[number], name: string): Promise<string> {
  const adminUrl = process.env['TEST_ADMIN_URL'] ?? '';
  const admin = await connect(adminUrl);
  await admin.query(`create database ${name}`);
  const url = databaseUrl(adminUrl, name);
  const before = migrations.slice(0, migrations.indexOf(migration));
  const options = { ...dataSourceOptions(url, 2), migrations: before } as DataSourceOptions;
  const database = await new DataSource(options).initialize();
  const runner = database.createQueryRunner();
  runner.data['keyring'] = new Keyring([{ id: 't1', key: TEST_APP_KEY }]);
  const executor = new MigrationExecutor(database, runner);
  executor.transaction = 'each';
  await executor.executePendingMigrations();
  await runner.release();
  await database.destroy();
  return url;
}

async function untilWaiting(watcher: pg.Client, table: string): Promise<void> {
  for (let isWaiting = false; !isWaiting;) isWaiting = (await watcher.query(WAITING, [table])).rowCount === 1;
}

afterAll(async () => {
  for (const client of clients) await client.end();
});

it('a migration that waits for a long transaction lets requests pass, and is applied when that has ended', async () => {
  const url = await migratedBefore(Branding1795310414000, 'upgraded_beside_a_reader');
  const [reader, watcher, request] = [await connect(url), await connect(url), await connect(url)];
  await reader.query('begin');
  await reader.query(READ);

  const migrating = migrateTestDatabase(url);
  await untilWaiting(watcher, 'sites');
  // Behind the waiting migration, and within the timeout of the gateway's own statements.
  await request.query('set statement_timeout = 5000');
  expect((await request.query(READ)).rows).toEqual([{ count: 0 }]);

  await reader.query('commit');
  expect((await migrating).applied).toContain(Branding1795310414000.name);
});

it('a migration that Postgres ends because of a deadlock is applied when the other transaction has ended', async () => {
  const url = await migratedBefore(Changes1795310421000, 'upgraded_beside_a_writer');
  const [writer, watcher] = [await connect(url), await connect(url)];
  // Only the migration looks for a deadlock.
  await writer.query(`set deadlock_timeout = '1h'`);
  await writer.query('begin');
  await writer.query('lock table payment_transfers in row exclusive mode');

  // It locks payments first, and then payment_transfers.
  const migrating = migrateTestDatabase(url);
  await untilWaiting(watcher, 'payment_transfers');
  await writer.query('lock table payments in row exclusive mode');

  await writer.query('commit');
  expect((await migrating).applied).toContain(Changes1795310421000.name);
});
