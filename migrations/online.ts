// Steps of migrations with `transaction = false`, which leave a large table in use. What was done stays when they are
// interrupted, and is not done again.
import { setTimeout as delay } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';

/** A concurrent build blocks nobody while it waits, so it may wait as long as a migration is tried again. */
const BUILD_LOCK_TIMEOUT = '600s';
/** Rows that are locked at a time, for some milliseconds. */
const BATCH_ROWS = 1_000;
/** Between two lines of the log. */
const REPORT_MS = 5_000;

/** Of src/platform/database/apply-migrations.ts, in the `data` of the query runner. */
interface MigrationLog {
  log(fields: object, text: string): void;
}

function assertNoTransaction(queryRunner: QueryRunner, what: string): void {
  if (queryRunner.isTransactionActive)
    throw new Error(`${what} needs a migration with "transaction = false"`);
}

/** The first row. @throws Error when there is none */
async function getRow<T extends object>(
  queryRunner: QueryRunner,
  sql: string,
  parameters: unknown[] = [],
): Promise<T> {
  const [row] = (await queryRunner.query(sql, parameters)) as T[];
  if (row === undefined) throw new Error(`no row of: ${sql}`);
  return row;
}

/**
 * Builds an index while the table is in use. An invalid one, which a failed build leaves, is dropped and built again.
 * @param on table, columns and condition: `payments (user_id) where found_at is null`
 */
export async function createIndexConcurrently(
  queryRunner: QueryRunner,
  name: string,
  on: string,
  { unique = false }: { unique?: boolean } = {},
): Promise<void> {
  assertNoTransaction(queryRunner, `building ${name} concurrently`);
  await waitingLong(queryRunner, async () => {
    const { valid } = await getRow<{ valid: boolean | null }>(
      queryRunner,
      'select (select indisvalid from pg_index where indexrelid = to_regclass($1)) as valid',
      [name],
    );
    if (valid) return;
    if (valid === false) await queryRunner.query(`drop index concurrently ${name}`);
    await queryRunner.query(`create ${unique ? 'unique ' : ''}index concurrently ${name} on ${on}`);
  });
}

/** Drops an index, if it is there, while the table is in use. */
export async function dropIndexConcurrently(queryRunner: QueryRunner, name: string): Promise<void> {
  assertNoTransaction(queryRunner, `dropping ${name} concurrently`);
  await waitingLong(queryRunner, () => queryRunner.query(`drop index concurrently if exists ${name}`));
}

async function waitingLong(queryRunner: QueryRunner, work: () => Promise<unknown>): Promise<void> {
  const { before } = await getRow<{ before: string }>(
    queryRunner,
    `select current_setting('lock_timeout') as before`,
  );
  const setTimeoutOfLocks = (value: string) =>
    queryRunner.query(`select set_config('lock_timeout', $1, false)`, [value]);
  await setTimeoutOfLocks(BUILD_LOCK_TIMEOUT);
  try {
    await work();
  } finally {
    await setTimeoutOfLocks(before);
  }
}

/** Rows to fill. The texts are SQL of the migration. */
export interface Backfill {
  table: string;
  /** The one column of its primary key. */
  key: string;
  /** `channel = 'shop'` */
  set: string;
  /** Rows that are not filled yet, and no others: `channel is null`. An interrupted run goes on from them. */
  where: string;
  /** Default: 1,000. */
  batchRows?: number;
}

interface Batch {
  seen: number;
  filled: number;
  /** The highest key; null when there is no row left. */
  last: string | null;
}

/**
 * Fills rows batch by batch in the order of the key, each batch in a transaction of its own, with a pause as long as the
 * batch took, so that others have at least half of the database. Rows are re-checked after they are locked.
 * @returns the number of rows that were filled
 */
export async function backfill(
  queryRunner: QueryRunner,
  { table, key, set, where, batchRows = BATCH_ROWS }: Backfill,
): Promise<number> {
  assertNoTransaction(queryRunner, `filling ${table}`);
  const log = queryRunner.data['log'] as MigrationLog | undefined;
  const { estimate } = await getRow<{ estimate: number }>(
    queryRunner,
    'select greatest(reltuples, 0)::float8 as estimate from pg_class where oid = $1::regclass',
    [table],
  );
  let rows = 0;
  let last: string | null = null;
  let reportedAt = performance.now();
  for (;;) {
    const begun = performance.now();
    const batch: Batch = await getRow(
      queryRunner,
      `with batch as (
         select ${key} as key from ${table} where (${key} > $1 or $1 is null) and (${where}) order by ${key} limit $2),
       filled as (
         update ${table} set ${set} where ${key} in (select key from batch) and (${where}) returning 1)
       select (select count(*)::int from batch) as seen, (select count(*)::int from filled) as filled,
         (select key::text from batch order by key desc limit 1) as last`,
      [last, batchRows],
    );
    rows += batch.filled;
    last = batch.last;
    const now = performance.now();
    const isDone = batch.seen < batchRows;
    if (isDone || now - reportedAt > REPORT_MS) {
      log?.log({ table, rows, ofAbout: estimate }, isDone ? 'rows are filled' : 'filling rows');
      reportedAt = now;
    }
    if (isDone) return rows;
    await delay(now - begun);
  }
}
