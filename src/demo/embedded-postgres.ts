import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, open, readFile, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { DemoError } from './demo-error.js';
import type { DemoLogger } from './demo-logger.js';
import {
  installedPostgres,
  locatePostgres,
  POSTGRES_ENV,
  type PostgresBinaries,
} from './postgres-binaries.js';
import { type PostgresPlaces, preparePostgresPlaces } from './postgres-places.js';
import { findPostmaster, removeStaleFiles, stopPostmaster } from './postmaster.js';
import { readTextOrNull } from './state-file.js';
import { supervise } from './supervise.js';

const run = promisify(execFile);

export interface EmbeddedPostgresOptions {
  dataDir: string;
  /** False: faster, but a crash may lose committed rows, and the server ends with the terminal. For tests only. */
  durable: boolean;
  /** A server that ends is started again. */
  isSupervised?: boolean;
  /** Settings for postgresql.conf, e.g. `{ max_connections: '200' }`. */
  settings?: Record<string, string>;
  logger?: DemoLogger;
  /** Folder of an installed Postgres; default: the npm package. */
  bin?: string | undefined;
}

/** A running cluster; its URLs name a socket that only this user (and root) can open. */
export interface EmbeddedPostgres {
  /** As its superuser, who owns what the migrations make. */
  url: string;
  /** As the gateway: a role with the rights that are granted to it. */
  gatewayUrl: string;
  pid: number;
  /** It was already running, because the previous gateway was killed. */
  adopted: boolean;
  /** Folder of the cluster; may be outside of the data directory. */
  clusterDir: string;
  /** Fast shutdown; resolves when the server has exited. */
  stop(): Promise<void>;
}

/** The cluster's superuser, and the role of the gateway. */
const OWNER = 'gateway';
const GATEWAY = 'gateway_app';
/** Enough for a recovery after a crash, which replays at most max_wal_size. */
const START_TIMEOUT_MS = 60_000;
/** For a server that reports that it is ready. */
const RESPONSE_TIMEOUT_MS = 3_000;
const POLL_MS = 20;
const SETTINGS = {
  listen_addresses: '',
  port: '5432',
  max_connections: '100',
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
};
const FAST_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/**
 * Starts Postgres from the npm package, or adopts the one that still runs on this data directory. For development and
 * tests; in production, DATABASE_URL names the database.
 *
 * It listens on no TCP port. It runs in its own session, so that Ctrl-C reaches only the gateway, which then stops
 * everything in the right order.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  await mkdir(options.dataDir, { recursive: true });
  const places = await preparePostgresPlaces(await realpath(options.dataDir));
  const adopted = await adopt(places.data);
  if (adopted) options.logger?.info(`Adopted the running Postgres (pid ${adopted.pid})`);
  const { socketDir, pid } = adopted ?? (await startServer(places, options));
  const url = urlOf(socketDir, OWNER);
  await createGatewayRole(url);
  const restart = async () => (await startServer(places, options)).pid;
  const supervised = options.isSupervised ? supervise('Postgres', pid, restart, options.logger) : null;
  return {
    url,
    gatewayUrl: urlOf(socketDir, GATEWAY),
    pid,
    adopted: adopted !== null,
    clusterDir: places.clusterDir,
    stop: async () => {
      await supervised?.stop();
      await stopPostmaster(places.data);
      const isOutside = !places.socketDir.startsWith(places.clusterDir);
      if (isOutside) await rm(places.socketDir, { recursive: true, force: true });
    },
  };
}

interface Server {
  socketDir: string;
  pid: number;
}

async function createGatewayRole(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [GATEWAY]);
    if (rowCount === 0) await client.query(`create role ${GATEWAY} login`);
  } finally {
    await client.end();
  }
}

/** A running server, once it accepts connections; null if there is none or it exits meanwhile. */
async function adopt(data: string): Promise<Server | null> {
  const startedAt = performance.now();
  for (;;) {
    const postmaster = await findPostmaster(data);
    if (postmaster === null) return null;
    const { socketDir, pid } = postmaster;
    if ((await probe(urlOf(socketDir, OWNER))) === data) return { socketDir, pid };
    // Ready but not reachable: its socket was deleted from the temporary folder. A restart recreates the socket.
    if (performance.now() - startedAt > (postmaster.ready ? RESPONSE_TIMEOUT_MS : START_TIMEOUT_MS)) {
      await stopPostmaster(data);
      return null;
    }
    await delay(POLL_MS);
  }
}

async function startServer(places: PostgresPlaces, options: EmbeddedPostgresOptions): Promise<Server> {
  const { bin } = options;
  const binaries = bin ? installedPostgres(bin) : await locatePostgres(places.runAs);
  await removeStaleFiles(places.data, places.socketDir);
  if ((await readTextOrNull(path.join(places.data, 'PG_VERSION'))) === null) {
    await createCluster(binaries, places, options.durable);
  }
  const log = await open(places.log, 'a');
  try {
    const logStart = (await log.stat()).size;
    const child = spawnServer(binaries, places, options, log.fd);
    await waitUntilReady(child, urlOf(places.socketDir, OWNER), places, logStart);
    child.unref();
    if (child.pid === undefined) throw new Error('Postgres has no pid');
    return { socketDir: places.socketDir, pid: child.pid };
  } finally {
    await log.close();
  }
}

/** Runs initdb in a temporary folder and renames it, so that a killed initdb leaves no incomplete cluster. */
async function createCluster(
  { initdb, locale }: PostgresBinaries,
  places: PostgresPlaces,
  durable: boolean,
): Promise<void> {
  const draft = path.join(places.clusterDir, 'data.new');
  await rm(draft, { recursive: true, force: true });
  const args = ['-D', draft, '-U', OWNER, '-A', 'trust', '-E', 'UTF8', ...locale];
  if (!durable) args.push('--no-sync');
  await run(initdb, args, { ...places.runAs, cwd: places.clusterDir, env: POSTGRES_ENV });
  await rename(draft, places.data);
}

function spawnServer(
  binaries: PostgresBinaries,
  places: PostgresPlaces,
  { durable, settings }: EmbeddedPostgresOptions,
  logFd: number,
): ChildProcess {
  const all = {
    ...SETTINGS,
    ...(durable ? {} : FAST_SETTINGS),
    ...settings,
    unix_socket_directories: places.socketDir,
  };
  const args = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  return spawn(binaries.postgres, ['-D', places.data, ...args], {
    ...places.runAs,
    cwd: places.data,
    env: POSTGRES_ENV,
    detached: durable,
    stdio: ['ignore', logFd, logFd],
  });
}

async function waitUntilReady(
  child: ChildProcess,
  url: string,
  places: PostgresPlaces,
  logStart: number,
): Promise<void> {
  const failure = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`));
  });
  const deadline = performance.now() + START_TIMEOUT_MS;
  let reason: string | null = null;
  while (reason === null && (await probe(url)) !== places.data) {
    if (performance.now() > deadline) {
      child.kill('SIGQUIT');
      reason = 'it did not respond in time';
    } else {
      reason = await Promise.race([failure, delay(POLL_MS, null)]);
    }
  }
  if (reason === null) return;
  const output = (await readFile(places.log)).subarray(logStart).toString('utf8').trim().slice(-600);
  throw new DemoError(`the embedded Postgres did not start: ${reason}\n${output}`);
}

/** The data directory of the server behind a URL, or null if none responds. */
async function probe(url: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // Without a listener, an error while the connection is being closed would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    return rows[0]?.data_directory ?? null;
  } catch {
    // Not reachable yet, for whatever reason; the caller limits the wait and reports the log.
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * "localhost" is a placeholder: the parameter `host` overrides it with the folder of the socket. Port and sslmode are
 * explicit so that PGPORT and PGSSLMODE of the user's shell have no effect.
 */
function urlOf(socketDir: string, role: string): string {
  return `postgres://${role}@localhost:5432/postgres?host=${encodeURIComponent(socketDir)}&sslmode=disable`;
}
