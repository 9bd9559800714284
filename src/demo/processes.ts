import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Properties that distinguish a process from a later one with the same pid. */
export interface ProcessFacts {
  /** Executable name, at most 15 characters; empty if the system has no /proc. */
  name: string;
  /** Clock ticks from boot to its start; "0" if the system has no /proc. */
  startTicks: string;
}

const POLL_MS = 20;

/** A running process; null: none. A zombie counts as none, because it holds no files and no ports. */
export async function findProcess(pid: number): Promise<ProcessFacts | null> {
  // kill(0) and kill(-n) signal groups of processes, so a number from a damaged pid file is rejected.
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  if (process.platform !== 'linux') return exists(pid) ? { name: '', startTicks: '0' } : null;
  try {
    return parseStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ESRCH')) return null;
    throw error;
  }
}

/**
 * proc(5): `pid (name) state ppid …`; the start time is field 22. The name may contain spaces and parentheses, so fields
 * are counted from the last ")".
 */
export function parseStat(stat: string): ProcessFacts | null {
  const end = stat.lastIndexOf(')');
  const fields = stat.slice(end + 2).split(' ');
  const startTicks = fields[19];
  if (end < 0 || startTicks === undefined || fields[0] === 'Z' || fields[0] === 'X') return null;
  return { name: stat.slice(stat.indexOf('(') + 1, end), startTicks };
}

/** Waits until a process has exited. @returns false if it still runs after `timeoutMs` */
export async function waitUntilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (await findProcess(pid)) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

/**
 * Stops a process: sends the signals one after the other, and waits up to `timeoutMs` for each to take effect.
 * @throws Error if the process still runs after the last one
 */
export async function stopProcess(pid: number, signals: NodeJS.Signals[], timeoutMs: number): Promise<void> {
  for (const signal of signals) {
    if (!(await findProcess(pid)) || !sendSignal(pid, signal)) return;
    if (await waitUntilGone(pid, timeoutMs)) return;
  }
  throw new Error(`process ${pid} does not stop`);
}

/** @returns false if the process no longer exists */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (isErrno(error, 'ESRCH')) return false;
    throw error;
  }
}

function exists(pid: number): boolean {
  try {
    return sendSignal(pid, 0);
  } catch (error) {
    // It exists, but belongs to another user.
    if (isErrno(error, 'EPERM')) return true;
    throw error;
  }
}

/** True for a system error with one of these codes. */
export function isErrno(error: unknown, ...codes: string[]): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
}
