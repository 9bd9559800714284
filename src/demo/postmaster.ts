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
 * The server that runs on a data directory; null: none.
 *
 * postmaster.pid alone is not sufficient: after a power failure or `kill -9` its pid may be unused, a zombie, or reused by
 * another program. Therefore the working directory of the process is compared: a postmaster's is its data directory.
 */
export async function findPostmaster(data: string): Promise<Postmaster | null> {
  const text = await readTextOrNull(path.join(data, 'postmaster.pid'));
  // pid, data directory, start time, port, socket directory, address, shared memory, status
  const lines = (text ?? '').split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!(await runsIn(pid, data))) return null;
  return { pid, socketDir: lines[4] ?? '', ready: lines[7] === 'ready' };
}

/** Stops the server that runs on a data directory, if any: fast shutdown first, immediate shutdown if that hangs. */
export async function stopPostmaster(data: string): Promise<void> {
  const postmaster = await findPostmaster(data);
  if (postmaster) await stopProcess(postmaster.pid, ['SIGINT', 'SIGQUIT'], STOP_TIMEOUT_MS);
}

/**
 * Removes the files of a killed server, so that a new one can start. Call it only if {@link findPostmaster} found none.
 *
 * The children of a killed postmaster run on for a moment. It waits for them, because a second server beside them would
 * destroy the cluster. Without /proc, Postgres itself checks its pid file.
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
  // Without /proc nothing more is known about a live process.
  if (found.name === '') return true;
  if (found.name !== 'postgres') return false;
  try {
    return (await readlink(`/proc/${pid}/cwd`)) === data;
  } catch (error) {
    // It exited meanwhile, or belongs to another user: our servers run as the same user, unless we are root.
    if (isErrno(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return false;
    throw error;
  }
}
