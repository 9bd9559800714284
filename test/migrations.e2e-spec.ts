import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { DataSource, type DataSourceOptions, type MigrationInterface, type QueryRunner } from 'typeorm';
import { migrations } from '../migrations/index.js';
import { dataSourceOptions } from '../src/platform/database/database.js';
import { PAYMENT, SEED } from './support/guarded-rows.js';
import { schemaText } from './support/schema-text.js';
import { databaseUrl, migrateTestDatabase } from './support/test-server.js';

const adminUrl = process.env['TEST_ADMIN_URL'] ?? '';

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A database without a single table; dropped with the server at the end of the run. */
async function createEmptyDatabase(): Promise<string> {
  const name = `empty_${randomBytes(8).toString('hex')}`;
  await withClient(adminUrl, (admin) => admin.query(`create database ${name}`));
  return databaseUrl(adminUrl, name);
}

/** What a next release could bring: a column, filled for the rows that are there. */
class NextRelease9999999999999 implements MigrationInterface {
  name = 'NextRelease9999999999999';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `alter table payments add column channel text; update payments set channel = 'shop'`,
    );
  }

  async down(): Promise<void> {
    throw new Error('cannot be reverted');
  }
}

async function appliedMigrations(url: string): Promise<string[]> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ name: string }>('select name from migrations order by id'),
  );
  return rows.map(({ name }) => name);
}

describe('the migrations', () => {
  const file = path.resolve(import.meta.dirname, '../migrations/schema.sql');
  const names = migrations.map((migration) => migration.name);

  it('create exactly the schema of schema.sql, and a second run changes nothing', async () => {
    const url = await createEmptyDatabase();
    await migrateTestDatabase(url);
    const made = await withClient(url, schemaText);
    // Different on purpose after a new migration? Then run `npm run schema:dump` and review the change.
    expect(made).toBe(await readFile(file, 'utf8'));
    expect(await appliedMigrations(url)).toEqual(names);

    await migrateTestDatabase(url);
    expect(await withClient(url, schemaText)).toBe(made);
    expect(await appliedMigrations(url)).toEqual(names);
  });

  it('give the same schema as schema.sql when that creates the tables', async () => {
    const url = await createEmptyDatabase();
    const text = await readFile(file, 'utf8');
    await withClient(url, (client) => client.query(text));
    expect(await withClient(url, schemaText)).toBe(text);
  });

  it('run once when three instances start together on an empty database', async () => {
    const url = await createEmptyDatabase();
    await Promise.all([migrateTestDatabase(url), migrateTestDatabase(url), migrateTestDatabase(url)]);
    expect(await appliedMigrations(url)).toEqual(names);
    expect(await withClient(url, schemaText)).toBe(await readFile(file, 'utf8'));
  });

  it('run only the migration that a release adds, on the rows of the previous release', async () => {
    const url = await createEmptyDatabase();
    await migrateTestDatabase(url);
    await withClient(url, (client) => client.query(SEED));
    const next = [...migrations, NextRelease9999999999999];
    const dataSource = new DataSource({
      ...dataSourceOptions(url, 2),
      migrations: next,
    } as DataSourceOptions);
    await dataSource.initialize();
    const ran = await dataSource.runMigrations();
    await dataSource.destroy();
    expect(ran.map(({ name }) => name)).toEqual([NextRelease9999999999999.name]);
    const { rows } = await withClient(url, (client) =>
      client.query('select channel, status from payments where id = $1', [PAYMENT]),
    );
    expect(rows).toMatchObject([{ channel: 'shop' }]);
    // The release before, restarted on the newer schema, changes nothing.
    await migrateTestDatabase(url);
    expect(await appliedMigrations(url)).toEqual([...names, NextRelease9999999999999.name]);
  });

  it('refuse a database that another program has made', async () => {
    const url = await createEmptyDatabase();
    const other = `create table migrations (id serial primary key, timestamp bigint not null, name varchar not null);
      insert into migrations (timestamp, name) values (1, 'CreatePayments1')`;
    await withClient(url, (client) => client.query(other));
    const before = await withClient(url, schemaText);
    await expect(migrateTestDatabase(url)).rejects.toThrow(
      /\(CreatePayments1 is its first migration\) and cannot be migrated: .*set DATABASE_URL/,
    );
    expect(await withClient(url, schemaText)).toBe(before);
  });

  it('have no way down, so that a released gateway keeps its money tables', async () => {
    for (const Migration of migrations)
      await expect(new Migration().down()).rejects.toThrow('cannot be reverted');
  });

  it('are in the order of their timestamps', () => {
    expect(names.map((name) => Number(name.slice(-13)))).toEqual(
      names.map((name) => Number(name.slice(-13))).sort((a, b) => a - b),
    );
  });
});

describe('the schema dump', () => {
  it.each([
    ['a view', 'create view v as select 1', 'view v'],
    ['an enum', `create type mood as enum ('glad')`, 'type mood'],
    ['a generated column', 'create table t (a int, b int generated always as (a) stored)', 'column t.b'],
    ['a disabled trigger', 'alter table payments disable trigger payments_guard_status', 'disabled trigger'],
  ])('refuses %s rather than leaving it out', async (_what, statement, message) => {
    const url = await createEmptyDatabase();
    await migrateTestDatabase(url);
    await withClient(url, (client) => client.query(statement));
    await expect(withClient(url, schemaText)).rejects.toThrow(message);
  });

  it.each([
    'alter table payments drop constraint payments_amount_check',
    'alter table payments alter column currency_code drop not null',
    'alter table payments alter column status set default $$FOUND$$',
    'alter table payments alter column amount type numeric(60,0)',
    'drop index payment_transfers_identity',
    'drop trigger payments_no_delete on payments',
    'alter table webhook_attempts drop constraint webhook_attempts_delivery_id_fkey',
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
  ])('shows %s', async (statement) => {
    const url = await createEmptyDatabase();
    await migrateTestDatabase(url);
    const before = await withClient(url, schemaText);
    await withClient(url, (client) => client.query(statement));
    expect(await withClient(url, schemaText)).not.toBe(before);
  });
});
