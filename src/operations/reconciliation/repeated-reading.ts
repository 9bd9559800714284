import { setTimeout as pause } from 'node:timers/promises';
import type { Chain } from '../../chains/chain.pure.js';
import { pollIntervalMs } from '../../chains/poll-interval.pure.js';
import type { Config } from '../../config.js';

/** The most readings of the same thing: two that agree settle it, and a node may fail in between. */
export const MAX_READINGS = 4;

/** Between two readings of these chains: long enough for a watcher to look at each of them, and to finish its step. */
export async function pauseBetweenReadings(config: Config, chains: readonly Chain[]): Promise<void> {
  await pause(2 * Math.max(0, ...chains.map((chain) => pollIntervalMs(chain, config))));
}
