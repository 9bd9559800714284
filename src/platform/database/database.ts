import { Socket } from 'node:net';
import pg from 'pg';
import type { ClientBase } from 'pg';
import { DataSource, type DataSourceOptions, type QueryRunner } from 'typeorm';
import { migrations } from '../../../migrations/index.js';
import { FairPool } from './fair-pool.js';

/** Advisory lock that serializes the migrations of processes that start together; an arbitrary constant. */
const MIGRATION_LOCK = 7_205_759_403;
const STATEMENT_TIMEOUT_MS = 10_000;
/** Longer than any statement runs and than the pool keeps idle connections: a live server has responded by then. */
const SILENCE_MS = 12_000;

/**
 * Options of the program, its tests and its commands. Every wait has a timeout: a stuck statement must become an error,
 * not a stuck gateway.
 */
export function dataSourceOptions(url: string, poolSize: number): DataSourceOptions {
  return {
    type: 'postgres',
    driver: { ...pg, Pool: FairPool },
    url,
    migrations,
    synchronize: false,
    migrationsTransactionMode: 'each',
    poolSize,
    applicationName: 'crypto-payment-gateway',
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    // findOneBy({id: undefined}) must throw, not return the first row.
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    connectTimeoutMS: 5_000,
    extra: {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: 15_000,
      lock_timeout: 5_000,
      stream: socketWithConnectTimeout,
      onConnect: logConnectionErrors,
      // Statements that do not wait for each other's results are sent together (sql.ts).
      pipeline: true,
    },
  };
}

/**
 * The pool hands out a connection a moment before its user attaches a listener, and an 'error' event without a listener
 * ends the process. The user's own statement fails anyway, so nothing else has to be done.
 */
function logConnectionErrors(client: ClientBase): void {
  client.on('error', () => {});
}

/**
 * A host that disappears, or a network that drops all packets, closes no connection: the operating system would wait
 * for a quarter of an hour. Destroying the socket also frees its place in the pool.
 */
function socketWithConnectTimeout(): Socket {
  const socket = new Socket();
  socket.setTimeout(SILENCE_MS, () => {
    const error = new Error(`the database has sent nothing for ${SILENCE_MS} ms`);
    socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  });
  return socket;
}

/** Brings the schema up to date; safe when many processes start at once. */
export async function migrate(url: string): Promise<void> {
  // Without timeouts: a migration may take long.
  const extra = { onConnect: logConnectionErrors };
  const dataSource = new DataSource({ ...dataSourceOptions(url, 2), extra } as DataSourceOptions);
  await dataSource.initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await assertKnownSchema(lock);
    await dataSource.runMigrations();
    await lock.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
  } finally {
    await lock.release();
    await dataSource.destroy();
  }
}

/**
 * Refuses a database that was not created by the first migration, e.g. one of a development version before the first
 * release. A newer schema is accepted: a process of the previous release may restart during an upgrade.
 *
 * @throws UnknownSchemaError
 */
async function assertKnownSchema(runner: QueryRunner): Promise<void> {
  if (!(await runner.hasTable('migrations'))) return;
  const executed = (await runner.query('select name from migrations order by id')) as { name: string }[];
  const [baseline] = migrations;
  const [first] = executed;
  if (first && first.name !== baseline?.name) throw new UnknownSchemaError(first.name);
}

/** The database has tables that this program can neither use nor migrate. */
export class UnknownSchemaError extends Error {
  readonly code = 'unknown_schema';

  constructor(firstMigration: string) {
    super(
      `The database has a schema that this program cannot migrate (it starts with ${firstMigration}): it was made by ` +
        'a development version of the gateway or by another program. Set DATABASE_URL to an empty database; for ' +
        'the development profile, delete the folder DATA_DIR (.data).',
    );
  }
}
