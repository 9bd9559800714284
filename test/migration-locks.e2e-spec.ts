import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrations } from '../migrations/index.js';
import { migrate } from '../src/platform/schema/migrate.js';
import { asGateway, databaseUrl, TEST_APP_KEY } from './support/test-server.js';

/** What the migration of the first test alters. */
const READ = 'select count(*)::int as count from sites';
const WAITING = `select from pg_locks where not granted and relation = $1::regclass`;

type Line = Record<string, unknown> & { msg: string };

const clients: pg.Client[] = [];
const added = migrations as (new () => MigrationInterface)[];
const released = added.length;

/** Adds a migration to those of this release, as a next one could bring it. @returns its name */
function nextRelease(transaction: boolean, ...statements: string[]): string {
  const name = `NextRelease${9_999_999_999_000 + added.length}`;
  const Migration = class implements MigrationInterface {
    name = name;
    transaction = transaction;

    async up(queryRunner: QueryRunner): Promise<void> {
      for (const statement of statements) await queryRunner.query(statement);
    }

    async down(): Promise<void> {
      throw new Error('cannot be reverted');
    }
  };
  Object.defineProperty(Migration, 'name', { value: name });
  added.push(Migration);
  return name;
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  clients.push(client);
  return client;
}

async function createDatabase(): Promise<string> {
  const adminUrl = process.env['TEST_ADMIN_URL'] ?? '';
  const admin = await connect(adminUrl);
  const name = `locked_${randomBytes(6).toString('hex')}`;
  await admin.query(`create database ${name} template template_gateway`);
  return databaseUrl(adminUrl, name);
}

/** @param heard every line of the log */
const run = (url: string, heard: (line: Line) => void = () => {}) => {
  const tell = (fields: object, msg: string) => heard({ ...fields, msg });
  return migrate(
    {
      databaseUrl: asGateway(url),
      databaseMigrationUrl: url,
      databasePoolMode: 'session',
      appKeys: [{ id: 't1', key: TEST_APP_KEY }],
    },
    { log: tell, warn: tell },
  );
};

async function untilFound(watcher: pg.Client, sql: string, parameters: string[] = []): Promise<void> {
  for (let isThere = false; !isThere;) isThere = (await watcher.query(sql, parameters)).rowCount === 1;
}

afterEach(() => void added.splice(released));
afterAll(async () => {
  for (const client of clients) await client.end();
});

it('a migration that waits for a long transaction lets requests pass, and is applied when that has ended', async () => {
  const url = await createDatabase();
  const name = nextRelease(true, 'alter table sites add column motto text');
  const [reader, watcher, request] = [await connect(url), await connect(url), await connect(url)];
  await reader.query('begin');
  await reader.query(READ);

  const migrating = run(url);
  await untilFound(watcher, WAITING, ['sites']);
  // Behind the waiting migration, and within the timeout of the gateway's own statements.
  await request.query('set statement_timeout = 5000');
  expect((await request.query(READ)).rows).toEqual([{ count: 0 }]);

  await reader.query('commit');
  expect((await migrating).applied).toEqual([name]);
});

it('a migration that Postgres ends because of a deadlock is applied when the other transaction has ended', async () => {
  const url = await createDatabase();
  const name = nextRelease(
    true,
    'alter table payments add column channel text; alter table payment_transfers add column channel text',
  );
  const [writer, watcher] = [await connect(url), await connect(url)];
  // Only the migration looks for a deadlock.
  await writer.query(`set deadlock_timeout = '1h'`);
  await writer.query('begin');
  await writer.query('lock table payment_transfers in row exclusive mode');

  // It locks payments first, and then payment_transfers.
  const migrating = run(url);
  await untilFound(watcher, WAITING, ['payment_transfers']);
  await writer.query('lock table payments in row exclusive mode');

  await writer.query('commit');
  expect((await migrating).applied).toEqual([name]);
});

it('an index is built concurrently although a second process waits for the migrations, and this is logged', async () => {
  const url = await createDatabase();
  const name = nextRelease(
    false,
    `set lock_timeout = '600s'`,
    'create index concurrently payments_channel on payments (user_id, reference_label)',
  );
  const [writer, watcher] = [await connect(url), await connect(url)];
  await writer.query('begin; lock table payments in row exclusive mode');
  const lines: Line[] = [];
  const building = run(url, (line) => lines.push(line));
  // The snapshots that it waits for later are those of then: the second process must be there before.
  await untilFound(watcher, `select from pg_stat_progress_create_index where phase like 'waiting for%'`);

  let second = Promise.resolve<unknown>(null);
  await new Promise<void>((resolve) => {
    second = run(url, () => resolve());
  });
  await writer.query('commit');

  expect((await building).applied).toEqual([name]);
  expect(await second).toMatchObject({ applied: [] });
  expect(lines).toEqual([
    {
      migration: name,
      number: 1,
      of: 1,
      seconds: expect.any(Number) as number,
      msg: 'migration applied',
    },
  ]);
  const { rows } = await watcher.query(
    `select indisvalid from pg_index where indexrelid = to_regclass('payments_channel')`,
  );
  expect(rows).toEqual([{ indisvalid: true }]);
});
