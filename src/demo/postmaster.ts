import { readdir, readlink, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DemoError } from './demo-error.js';
import { findProcess, isErrno, stopProcess } from './processes.js';
import { readTextOrNull } from './state-file.js';

/** A live Postgres server of one data directory. */
export interface Postmaster {
  pid: number;
  socketDir: string;
  /** False while it starts, recovers or stops. */
  ready: boolean;
}

const STOP_TIMEOUT_MS = 20_000;
const ORPHAN_TIMEOUT_MS = 10_000;

/**
 * The server that runs on a data directory, or null.
 *
 * postmaster.pid alone is no proof: after a power cut or `kill -9` it names a pid that is free, a zombie,
 * or by now somebody else's. A postmaster's working directory is its data directory, so that is compared.
 */
export async function findPostmaster(data: string): Promise<Postmaster | null> {
  const text = await readTextOrNull(path.join(data, 'postmaster.pid'));
  // pid, data directory, start time, port, socket directory, address, shared memory, status
  const lines = (text ?? '').split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!(await runsIn(pid, data))) return null;
  return { pid, socketDir: lines[4] ?? '', ready: lines[7] === 'ready' };
}

/** Stops whatever server runs on a data directory: fast shutdown first, the immediate one if it hangs. */
export async function stopPostmaster(data: string): Promise<void> {
  const postmaster = await findPostmaster(data);
  if (postmaster) await stopProcess(postmaster.pid, ['SIGINT', 'SIGQUIT'], STOP_TIMEOUT_MS);
}

/**
 * Clears what a killed server left, so that a new one can start. Call it only when
 * {@link findPostmaster} found none.
 *
 * A killed postmaster's children live on for a moment; two generations on one cluster would destroy it,
 * so they are waited for. Where there is no /proc to ask, Postgres judges its own pid file.
 */
export async function removeStaleFiles(data: string, socketDir: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const deadline = performance.now() + ORPHAN_TIMEOUT_MS;
  for (let pid = await findOrphan(data); pid !== null; pid = await findOrphan(data)) {
    if (performance.now() > deadline)
      throw new DemoError(`process ${pid} of an earlier Postgres still uses ${data}`);
    await delay(50);
  }
  const stale = [
    path.join(data, 'postmaster.pid'),
    path.join(socketDir, '.s.PGSQL.5432'),
    path.join(socketDir, '.s.PGSQL.5432.lock'),
  ];
  for (const file of stale) await rm(file, { force: true });
}

async function findOrphan(data: string): Promise<number | null> {
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (Number.isInteger(pid) && (await runsIn(pid, data))) return pid;
  }
  return null;
}

async function runsIn(pid: number, data: string): Promise<boolean> {
  const found = await findProcess(pid);
  if (found === null) return false;
  // Without /proc a live pid has to be believed.
  if (found.name === '') return true;
  if (found.name !== 'postgres') return false;
  try {
    return (await readlink(`/proc/${pid}/cwd`)) === data;
  } catch (error) {
    // It ended meanwhile, or it belongs to another user: ours run as us, or we are root.
    if (isErrno(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return false;
    throw error;
  }
}
