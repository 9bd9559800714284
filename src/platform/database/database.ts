import { Socket } from 'node:net';
import pg from 'pg';
import type { ClientBase } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { migrations } from '../../../migrations/index.js';
import { FairPool } from './fair-pool.js';
import { assertSessionTimeouts, type PoolMode, setSessionTimeouts } from './session-timeouts.js';

/** For a connection of the pool, and for one to be opened. */
export const CONNECT_MS = 5_000;
/** Longer than any statement runs and than the pool keeps idle connections: a live server has responded by then. */
export const SILENCE_MS = 12_000;

/** Options of the program, its tests and its commands. Every wait has a timeout. */
export function dataSourceOptions(
  url: string,
  poolSize: number,
  poolMode: PoolMode = 'session',
): DataSourceOptions {
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
    connectTimeoutMS: CONNECT_MS,
    extra: {
      stream: socketWithConnectTimeout,
      poolMode,
      onConnect: (client: ClientBase) => startSession(client, poolMode),
      // Statements that do not wait for each other's results are sent together (sql.ts).
      pipeline: true,
    },
  };
}

async function startSession(client: ClientBase, poolMode: PoolMode): Promise<void> {
  logConnectionErrors(client);
  await (poolMode === 'session' ? setSessionTimeouts(client) : assertSessionTimeouts(client));
}

/**
 * The pool hands out a connection a moment before its user attaches a listener, and an 'error' event without a listener
 * ends the process. The user's own statement fails anyway, so nothing else has to be done.
 */
export function logConnectionErrors(client: ClientBase): void {
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
