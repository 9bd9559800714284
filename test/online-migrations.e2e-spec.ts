/**
 * @inOrder Indexes are built and dropped in one database, with settings that the next step looks at.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { DataSource, type DataSourceOptions, type MigrationInterface, type QueryRunner } from 'typeorm';
import { migrations } from '../migrations/index.js';
import { backfill, createIndexConcurrently, dropIndexConcurrently } from '../migrations/online.js';
import { dataSourceOptions } from '../src/platform/database/database.js';
import { migrate } from '../src/platform/database/migrate.js';
import { asGateway, databaseUrl, TEST_APP_KEY } from './support/test-server.js';

const INDEX = 'payments_channel';
const DUPLICATES = 'filled_twice';

/** What a next release could bring: an index of a large table. */
class IndexReferences9999999999998 implements MigrationInterface {
  name = 'IndexReferences9999999999998';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(queryRunner, INDEX, 'payments (user_id, reference_label)');
  }

  async down(): Promise<void> {
    throw new Error('cannot be reverted');
  }
}

/** A line of the log. */
type Line = Record<string, unknown> & { msg: string };

class RecordedLog {
  readonly lines: Line[] = [];

  constructor(private readonly heard: (line: Line) => void = () => {}) {}

  log(fields: object, msg: string): void {
    const line = { ...fields, msg };
    this.lines.push(line);
    this.heard(line);
  }

  warn(fields: object, msg: string): void {
    this.log(fields, msg);
  }
}

let clients: pg.Client[];
let ownerUrl: string;
let dataSource: DataSource;
let runner: QueryRunner;

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  clients.push(client);
  return client;
}

const run = (log: RecordedLog) =>
  migrate(
    {
      databaseUrl: asGateway(ownerUrl),
      databaseMigrationUrl: ownerUrl,
      databasePoolMode: 'session',
      appKeys: [{ id: 't1', key: TEST_APP_KEY }],
    },
    log,
  );

beforeAll(async () => {
  const adminUrl = process.env['TEST_ADMIN_URL'] ?? '';
  const name = `online_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create database ${name} template template_gateway`);
  await admin.end();
  ownerUrl = databaseUrl(adminUrl, name);
  clients = [];
  dataSource = await new DataSource(dataSourceOptions(ownerUrl, 2) as DataSourceOptions).initialize();
  runner = dataSource.createQueryRunner();
});
afterAll(async () => {
  for (const client of clients) await client.end();
  await runner.release();
  await dataSource.destroy();
});

describe('an index that is built concurrently', () => {
  const added = migrations as (new () => MigrationInterface)[];
  beforeAll(() => void added.push(IndexReferences9999999999998));
  afterAll(() => void added.splice(added.indexOf(IndexReferences9999999999998), 1));

  it('is built although a second process waits for the migrations, and each migration is logged', async () => {
    const [writer, watcher] = [await connect(), await connect()];
    await writer.query('begin; lock table payments in row exclusive mode');
    const first = new RecordedLog();
    const building = run(first);
    // The snapshots that it waits for later are those of then: the second process must be there before.
    const waitsForWriter = `select from pg_stat_progress_create_index where phase like 'waiting for%'`;
    for (let isWaiting = false; !isWaiting;) isWaiting = (await watcher.query(waitsForWriter)).rowCount === 1;

    let second = Promise.resolve<unknown>(null);
    await new Promise<void>((resolve) => {
      second = run(new RecordedLog(() => resolve()));
    });
    // Longer than the lock timeout of other migrations, which would have failed the build.
    await watcher.query('select pg_sleep(2.5)');
    await writer.query('commit');

    expect((await building).applied).toEqual([IndexReferences9999999999998.name]);
    expect(await second).toMatchObject({ applied: [] });
    expect(first.lines).toEqual([
      {
        migration: IndexReferences9999999999998.name,
        number: 1,
        of: 1,
        seconds: expect.any(Number) as number,
        msg: 'migration applied',
      },
    ]);
    const { rows } = await watcher.query(
      `select indisvalid from pg_index where indexrelid = to_regclass('${INDEX}')`,
    );
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  it('is dropped and built again after a failed build, and left alone when it is valid', async () => {
    const client = await connect();
    await client.query(`create table ${DUPLICATES} (id int primary key, value int);
      insert into ${DUPLICATES} values (1, 1), (2, 1)`);
    const build = () =>
      createIndexConcurrently(runner, `${DUPLICATES}_value`, `${DUPLICATES} (value)`, { unique: true });
    const index = async () =>
      (
        await client.query<{ oid: number; indisvalid: boolean }>(
          `select indexrelid as oid, indisvalid from pg_index where indexrelid = to_regclass('${DUPLICATES}_value')`,
        )
      ).rows[0];
    await expect(build()).rejects.toMatchObject({ code: '23505' });
    expect(await index()).toMatchObject({ indisvalid: false });
    await client.query(`delete from ${DUPLICATES} where id = 2`);
    await build();
    const built = await index();
    expect(built).toMatchObject({ indisvalid: true });
    await build();
    expect(await index()).toEqual(built);
    // The timeout of the other migrations holds again.
    expect(await runner.query(`select current_setting('lock_timeout') as value`)).toEqual([{ value: '5s' }]);
  });

  it('is dropped, and dropping it again changes nothing', async () => {
    await createIndexConcurrently(runner, 'payments_dropped', 'payments (reference_label)');
    for (let i = 0; i < 2; i++) await dropIndexConcurrently(runner, 'payments_dropped');
    expect(await runner.query(`select to_regclass('payments_dropped') as index`)).toEqual([{ index: null }]);
  });

  it('is refused in a transaction', async () => {
    await runner.startTransaction();
    await expect(createIndexConcurrently(runner, 'x', 'payments (id)')).rejects.toThrow(
      'transaction = false',
    );
    await runner.rollbackTransaction();
  });
});

describe('a backfill', () => {
  const FILL = { table: 'filled', key: 'id', set: `value = 'new'`, where: 'value is null', batchRows: 10 };

  it('fills every row in batches, goes on after an interruption, and tells how far it is', async () => {
    const [client, locker] = [await connect(), await connect()];
    await client.query(
      `create table filled (id uuid primary key, value text);
       insert into filled select gen_random_uuid(), case when n % 5 = 0 then 'old' end from generate_series(1, 100) n;
       analyze filled`,
    );
    const filled = async () =>
      Object.fromEntries(
        (
          await client.query<{ value: string; count: number }>(
            `select coalesce(value, 'none') as value, count(*)::int from filled group by 1`,
          )
        ).rows.map(({ value, count }) => [value, count]),
      );
    await runner.query(`set lock_timeout = '100ms'`);
    await locker.query(`begin; select from filled where id = (
      select id from filled where value is null order by id offset 35 limit 1) for update`);
    await expect(backfill(runner, FILL)).rejects.toMatchObject({ code: '55P03' });
    expect(await filled()).toEqual({ old: 20, new: 30, none: 50 });

    await locker.query('rollback');
    const recorded = new RecordedLog();
    runner.data['log'] = recorded;
    expect(await backfill(runner, FILL)).toBe(50);
    expect(await filled()).toEqual({ old: 20, new: 80 });
    expect(recorded.lines).toEqual([{ table: 'filled', rows: 50, ofAbout: 100, msg: 'rows are filled' }]);
  });

  it('is refused in a transaction, in which no batch would be committed', async () => {
    await runner.startTransaction();
    await expect(backfill(runner, FILL)).rejects.toThrow('transaction = false');
    await runner.rollbackTransaction();
  });
});
