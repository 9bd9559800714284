import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../config.js';

/** The most readings of the same thing: two that agree settle it, and a node may fail in between. */
export const MAX_READINGS = 4;

/** Between two readings: long enough for a watcher to finish the step that it is at. */
export async function pauseBetweenReadings({ chainPollIntervalMs }: Config): Promise<void> {
  await pause(2 * chainPollIntervalMs);
}
