import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findProcess } from './processes.js';

/** How often two gateways that start in the same instant step back for one another. */
const ATTEMPTS = 6;

/** A held lock; `release` lets the next gateway in. */
export interface DataDirLock {
  release(): Promise<void>;
}

/** Another gateway that is alive holds the data directory. */
export class DataDirBusyError extends Error {
  constructor(
    readonly dataDir: string,
    readonly pid: number,
  ) {
    super(
      `DATA_DIR ${dataDir} is in use by another gateway (pid ${pid}). ` +
        'Stop it first, or start this one with another DATA_DIR and PORT.',
    );
    this.name = new.target.name;
  }
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
  const self = await findProcess(process.pid);
  const own = `${process.pid}-${self?.startTicks ?? '0'}`;
  const release = () => rm(path.join(folder, own), { force: true });
  for (let attempt = 1; ; attempt++) {
    await writeFile(path.join(folder, own), '', { flag: 'w' });
    const holder = await findOtherHolder(folder, own);
    if (holder === null) return { release };
    await release();
    if (attempt === ATTEMPTS) throw new DataDirBusyError(dataDir, holder);
    // Of different length for every process, so that two do not step back in step.
    await delay(20 + ((process.pid * attempt) % 97));
  }
}

/** The pid of another live holder; files of dead ones are swept away. */
async function findOtherHolder(folder: string, own: string): Promise<number | null> {
  for (const name of await readdir(folder)) {
    const [, pid, startTicks] = /^(\d+)-(\d+)$/.exec(name) ?? [];
    if (name === own || pid === undefined) continue;
    const holder = await findProcess(Number(pid));
    if (holder?.startTicks === startTicks) return Number(pid);
    await rm(path.join(folder, name), { force: true });
  }
  return null;
}
