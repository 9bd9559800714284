import { Socket } from 'node:net';
import type { ClientBase } from 'pg';
import { DataSource, type DataSourceOptions, type QueryRunner } from 'typeorm';
import { migrations } from '../../../migrations/index.js';

/** Serialises migrations of instances that start together (any constant will do). */
const MIGRATION_LOCK = 7_205_759_403;
const STATEMENT_TIMEOUT_MS = 10_000;
/** A server that lives has ended every statement by then, and the pool has closed what idles. */
const SILENCE_MS = 12_000;

/**
 * One set of options for the program, its tests and its commands.
 * Timeouts bound every wait: a stuck statement must become an error, not a stuck gateway.
 */
export function dataSourceOptions(url: string, poolSize: number): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    migrations,
    synchronize: false,
    migrationsTransactionMode: 'each',
    poolSize,
    applicationName: 'crypto-payment-gateway',
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    // findOneBy({id: undefined}) must throw, not answer the first row.
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    connectTimeoutMS: 5_000,
    extra: {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: 15_000,
      lock_timeout: 5_000,
      stream: socketWithConnectTimeout,
      onConnect: logConnectionErrors,
      // Statements that wait for nothing of each other are sent together (sql.ts).
      pipeline: true,
    },
  };
}

/**
 * The pool hands a connection out a moment before its new owner listens, and an 'error' that nobody hears ends the
 * process: a server that goes down just then must not. Who uses the connection notices by itself.
 */
function logConnectionErrors(client: ClientBase): void {
  client.on('error', () => {});
}

/**
 * A host that vanishes, or a network that swallows everything, closes no connection: the system alone would wait
 * for a quarter of an hour. Breaking it here frees its place in the pool, too.
 */
function socketWithConnectTimeout(): Socket {
  const socket = new Socket();
  socket.setTimeout(SILENCE_MS, () => {
    const error = new Error(`the database has said nothing for ${SILENCE_MS} ms`);
    socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  });
  return socket;
}

/** Brings the schema up to date; safe when many instances start at once. */
export async function migrate(url: string): Promise<void> {
  // A migration takes what time it needs.
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
 * Refuses a database that was made by something else than our first migration, e.g. a development version of before
 * the first release. A newer schema is fine: a process of the release before may restart during an upgrade.
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
