import type { ChainState } from '../chains/chain-health.pure.js';

/** A node that restarts is no outage. */
const SHORTEST_MS = 10 * 60_000;
/** A nightly backup, and two hours. */
const BACKUP_MS = 26 * 3_600_000;

/** A chain of which payments go unseen: not one that a node is still reading for the first time. */
const STOPPED: readonly ChainState[] = ['halted', 'unreachable', 'unwatched', 'stalled'];

/** Whether to tell that a chain stands still. @param since when the state began; null: nobody knows */
export function isStopped(state: ChainState, since: Date | null, now: Date): boolean {
  if (state === 'halted') return true;
  return STOPPED.includes(state) && since !== null && now.getTime() - since.getTime() >= SHORTEST_MS;
}

/** @param newest when the newest backup was finished; null: there is none */
export function isBackupOld(newest: Date | null, now: Date): boolean {
  return newest === null || now.getTime() - newest.getTime() > BACKUP_MS;
}
