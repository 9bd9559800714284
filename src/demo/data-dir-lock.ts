import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DemoError } from './demo-error.js';
import { findProcess } from './processes.js';

/** How often two gateways that start in the same instant step back for one another. */
const ATTEMPTS = 6;
const RETRY_MS = 60;

/** A held lock; `release` lets the next gateway in. */
export interface DataDirLock {
  release(): Promise<void>;
}

/** Another gateway that is alive holds the data directory. */
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

/** A process as its file in the lock's folder names it. */
interface Contender {
  pid: number;
  startTicks: number;
}

/**
 * Keeps a second gateway out of the same data directory.
 *
 * `gateway.lock/` holds one file for each process that wants the directory, named by pid and start time.
 * A process writes its own file first and looks for others second, so of two at least one sees the other.
 * Nobody ever removes a file of a live process: the name of a dead one can never come back, hence a lock
 * left by SIGKILL or a power cut is told from a held one without a race.
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
    const others = await listOthers(folder, self);
    const [other] = others;
    if (other === undefined) return { release };
    // Of several that start at once the eldest stays in the queue; the others make room for it.
    if (attempt === ATTEMPTS || others.some((one) => isElder(one, self))) await release();
    if (attempt === ATTEMPTS) throw new DataDirBusyError(dataDir, other.pid);
    await delay(RETRY_MS);
  }
}

const isElder = (one: Contender, than: Contender) =>
  one.startTicks < than.startTicks || (one.startTicks === than.startTicks && one.pid < than.pid);

/** Live processes that hold or want the lock; files of dead ones are swept away. */
async function listOthers(folder: string, self: Contender): Promise<Contender[]> {
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
