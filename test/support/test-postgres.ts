import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '../../src/demo/embedded-postgres.js';
import { stopPostmaster } from '../../src/demo/postmaster.js';
import { findProcess } from '../../src/demo/processes.js';

/** A throwaway Postgres server; `adminUrl` may create databases. */
export interface TestPostgres {
  adminUrl: string;
  /** Stops the server and deletes its files. */
  stop(): Promise<void>;
}

const PREFIX = 'gateway-test-pg-';
/** Every database has some 640 files: in memory they are made ten times as fast as on a disk. */
const MEMORY = process.env['TEST_MEMORY_DIR'] ?? '/dev/shm';
/** Bytes; the databases of the test files that run at once are a quarter of it. */
const ENOUGH_MEMORY = 4 * 2 ** 30;

/** One fast server (no fsync) for a whole test run, in a temporary folder of its own. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const parent = await chooseParent();
  await removeLeftovers(os.tmpdir());
  const dataDir = await mkdtemp(path.join(parent, `${PREFIX}${process.pid}-`));
  // As root the server runs as another user, who must pass through.
  await chmod(dataDir, 0o711);
  const postgres = await startEmbeddedPostgres({
    dataDir,
    durable: false,
    settings: { max_connections: '200', shared_buffers: '128MB' },
    bin: process.env['POSTGRES_BIN'],
  });
  return {
    adminUrl: postgres.url,
    stop: async () => {
      await postgres.stop();
      for (const folder of [postgres.clusterDir, dataDir]) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Memory where there is enough, else the temporary folder. */
async function chooseParent(): Promise<string> {
  if (!existsSync(MEMORY)) return os.tmpdir();
  // What a killed run left may be what is missing.
  await removeLeftovers(MEMORY);
  const { bavail, bsize } = await statfs(MEMORY);
  return Math.min(bavail * bsize, os.freemem()) >= ENOUGH_MEMORY ? MEMORY : os.tmpdir();
}

/** Servers of runs that were killed: the folder's name has their process id. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid === undefined || (await findProcess(Number(pid)))) continue;
    const folder = path.join(parent, name);
    await stopPostmaster(path.join(folder, 'postgres', 'data'));
    await rm(folder, { recursive: true, force: true });
  }
}
