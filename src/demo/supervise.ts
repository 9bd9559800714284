import type { DemoLogger } from './demo-logger.js';
import { findProcess } from './processes.js';

const LOOK_EVERY_MS = 500;

export interface Supervised {
  /** Of the newest process. */
  readonly pid: number;
  /** Resolves when nothing is being started any more. */
  stop(): Promise<void>;
}

/**
 * Starts a service of the development profile again when its process has ended, as whoever runs a real one would.
 * @param restart resolves with the pid of the new process
 */
export function supervise(
  name: string,
  pid: number,
  restart: () => Promise<number>,
  logger?: DemoLogger,
): Supervised {
  let newest = pid;
  let isFailing = false;
  let looking: Promise<void> | null = null;
  const look = async () => {
    if (await findProcess(newest)) return;
    if (!isFailing) logger?.warn(`${name} has ended, and is started again`);
    try {
      newest = await restart();
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger?.warn(`${name} does not start: ${String(error)}`);
      isFailing = true;
    }
  };
  const timer = setInterval(() => {
    looking ??= look().finally(() => (looking = null));
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    get pid() {
      return newest;
    },
    stop: async () => {
      clearInterval(timer);
      await looking;
    },
  };
}
