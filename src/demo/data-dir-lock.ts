import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DemoError } from './demo-error.js';
import { findProcess } from './processes.js';

/** Attempts, for gateways that start at the same moment. */
const ATTEMPTS = 6;
const RETRY_MS = 60;

/** A held lock. */
export interface DataDirLock {
  release(): Promise<void>;
}

/** Another running gateway uses the data directory. */
export class DataDirBusyError extends DemoError {
  constructor(
    readonly dataDir: string,
    readonly pid: number,
  ) {
    super(
      `DATA_DIR ${dataDir} is in use by another gateway (pid ${pid}). ` +
        'Stop it first, or start this one with another DATA_DIR and PORT.',
    );
  }
}

/** A process that wants or holds the lock, as the name of its file says. */
interface Contender {
  pid: number;
  startTicks: number;
}

/**
 * Prevents two gateways from using the same data directory.
 *
 * `gateway.lock/` holds one file for each process that wants the directory, named by pid and start time.
 * A process writes its own file before it looks for others, so of two processes at least one sees the other. Only files
 * of dead processes are removed. Their names cannot recur, so a lock left by SIGKILL or a power failure can be
 * distinguished from a held one without a race.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const folder = path.join(dataDir, 'gateway.lock');
  await mkdir(folder, { recursive: true });
  const found = await findProcess(process.pid);
  const self = { pid: process.pid, startTicks: Number(found?.startTicks ?? 0) };
  const own = path.join(folder, `${self.pid}-${self.startTicks}`);
  const release = () => rm(own, { force: true });
  for (let attempt = 1; ; attempt++) {
    await writeFile(own, '');
    const others = await listOtherProcesses(folder, self);
    const [other] = others;
    if (other === undefined) return { release };
    // Of several that start at once, the oldest keeps its file and the others withdraw theirs.
    if (attempt === ATTEMPTS || others.some((one) => isOlder(one, self))) await release();
    if (attempt === ATTEMPTS) throw new DataDirBusyError(dataDir, other.pid);
    await delay(RETRY_MS);
  }
}

const isOlder = (one: Contender, than: Contender) =>
  one.startTicks < than.startTicks || (one.startTicks === than.startTicks && one.pid < than.pid);

/** Live processes that want or hold the lock; removes the files of dead ones. */
async function listOtherProcesses(folder: string, self: Contender): Promise<Contender[]> {
  const others: Contender[] = [];
  for (const name of await readdir(folder)) {
    const [, pid, startTicks] = /^(\d+)-(\d+)$/.exec(name) ?? [];
    const other = { pid: Number(pid), startTicks: Number(startTicks) };
    const isSelf = other.pid === self.pid && other.startTicks === self.startTicks;
    if (pid === undefined || isSelf) continue;
    const found = await findProcess(other.pid);
    if (found?.startTicks === startTicks) others.push(other);
    else await rm(path.join(folder, name), { force: true });
  }
  return others;
}
