import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
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

/** One fast server (no fsync) for a whole test run, in a temporary folder of its own. */
export async function startTestPostgres(): Promise<TestPostgres> {
  await removeLeftovers();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), `${PREFIX}${process.pid}-`));
  // As root the server runs as another user, who must pass through.
  await chmod(dataDir, 0o711);
  const postgres = await startEmbeddedPostgres({
    dataDir,
    durable: false,
    settings: { max_connections: '200', shared_buffers: '128MB' },
  });
  return {
    adminUrl: postgres.url,
    stop: async () => {
      await postgres.stop();
      for (const folder of [postgres.clusterDir, dataDir]) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Servers of runs that were killed: the folder's name has their process id. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(os.tmpdir())) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid === undefined || (await findProcess(Number(pid)))) continue;
    const folder = path.join(os.tmpdir(), name);
    await stopPostmaster(path.join(folder, 'postgres', 'data'));
    await rm(folder, { recursive: true, force: true });
  }
}
