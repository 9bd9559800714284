import { DataSource, type DataSourceOptions, MigrationExecutor, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/database.js';
import { Keyring } from '../../src/platform/kernel/keyring.js';
import { TEST_APP_KEY } from './test-server.js';

/** What a migration sent to Postgres. */
export interface RecordedMigration {
  name: string;
  isTransactional: boolean;
  /** In order; with the tables that were there before and have a new file since, also one of their indexes. */
  statements: { sql: string; rewritten: string[] }[];
  /** Of one without a transaction, which may be interrupted and run again; null: it can be. */
  repeatError: string | null;
}

const FILES = `
  select c.oid::int as oid, coalesce(i.indrelid, c.oid)::regclass::text as "table", pg_relation_filenode(c.oid)::int as file
  from pg_class c left join pg_index i on i.indexrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'i')`;

/** Applies the pending migrations of a database, which may be empty. */
export async function recordMigrations(
  url: string,
  migrations: DataSourceOptions['migrations'],
): Promise<RecordedMigration[]> {
  const options = { ...dataSourceOptions(url, 2), migrations } as DataSourceOptions;
  const dataSource = await new DataSource(options).initialize();
  const runner = dataSource.createQueryRunner();
  runner.data['keyring'] = new Keyring([{ id: 't1', key: TEST_APP_KEY }]);
  try {
    const executor = new MigrationExecutor(dataSource, runner);
    const recorded: RecordedMigration[] = [];
    for (const migration of await executor.getPendingMigrations()) {
      const isTransactional = migration.instance?.transaction ?? true;
      const { statements, stop } = record(runner);
      if (isTransactional) await runner.startTransaction();
      await migration.instance?.up(runner);
      if (isTransactional) await runner.commitTransaction();
      stop();
      const repeatError = isTransactional ? null : await errorOf(migration.instance?.up(runner));
      recorded.push({ name: migration.name, isTransactional, statements, repeatError });
    }
    return recorded;
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

async function errorOf(work: Promise<unknown> | undefined): Promise<string | null> {
  return (work ?? Promise.resolve()).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

/** Notes every statement of a query runner, until it is stopped. */
function record(runner: QueryRunner): Pick<RecordedMigration, 'statements'> & { stop: () => void } {
  const statements: RecordedMigration['statements'] = [];
  const original = runner.query;
  const send = original.bind(runner) as (sql: string, parameters?: unknown[]) => Promise<unknown>;
  const files = async () => (await send(FILES)) as { oid: number; table: string; file: number }[];
  const recording = async (sql: string, parameters?: unknown[]) => {
    const before = new Map((await files()).map(({ oid, file }) => [oid, file]));
    const result = await send(sql, parameters);
    const changed = (await files()).filter(({ oid, file }) => before.has(oid) && before.get(oid) !== file);
    statements.push({ sql, rewritten: [...new Set(changed.map(({ table }) => table))] });
    return result;
  };
  runner.query = recording as typeof runner.query;
  return { statements, stop: () => void (runner.query = original) };
}
