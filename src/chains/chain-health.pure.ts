import type { Chain } from './chain.pure.js';
import type { EndpointReport } from './evm/evm-endpoint.js';
import { type CatchUp, catchUpOf, type RecordedBacklog } from './node-progress.pure.js';

/** What the watcher last recorded about a chain; every process reads the same. */
export interface ChainCondition {
  head: { height: number; hash: string } | null;
  /** When the highest block so far was first seen; null until one was seen. */
  roseAt: Date | null;
  /** When the watcher last asked the node. */
  checkedAt: Date;
  /** Null while the node responds correctly. */
  trouble: { message: string; since: Date } | null;
  /** Null while the node has the newest blocks. */
  backlog: RecordedBacklog | null;
  reorgs: { count: number; deepest: number; lastDepth: number; lastAt: Date | null };
  /** Of an EVM chain; others are read through one node. */
  endpoints: readonly EndpointReport[];
}

/**
 * `halted`: a fork deeper than the kept history; an operator must decide. `unreachable`: the node does not respond
 * correctly. `unwatched`: no watcher has asked the node for too long. `stalled`: the node shows no new block for too
 * long. `catching_up`: the node does not have the newest blocks of the network yet. `unknown`: not watched yet.
 */
export const CHAIN_STATES = [
  'ok',
  'unknown',
  'catching_up',
  'stalled',
  'unwatched',
  'unreachable',
  'halted',
] as const;
export type ChainState = (typeof CHAIN_STATES)[number];

/** Seconds; a chain with fast blocks may pause briefly without a problem. */
const SHORTEST_STALL = 120;

/** Seconds without a new head after which a chain counts as stalled; null when the check is off. */
export function stallSeconds(chain: Pick<Chain, 'averageBlockSeconds'>, stallBlocks: number): number | null {
  return stallBlocks === 0 ? null : Math.max(SHORTEST_STALL, stallBlocks * chain.averageBlockSeconds);
}

/**
 * The most severe state that applies to a chain now.
 * @param stallAfter seconds, see {@link stallSeconds}
 */
export function chainState(
  condition: ChainCondition | null,
  isHalted: boolean,
  stallAfter: number | null,
  now: Date,
): ChainState {
  if (isHalted) return 'halted';
  if (!condition) return 'unknown';
  if (condition.trouble) return 'unreachable';
  const { backlog, checkedAt, roseAt } = condition;
  const isOld = (time: Date) => stallAfter !== null && now.getTime() - time.getTime() > stallAfter * 1_000;
  if (isOld(checkedAt)) return 'unwatched';
  // A node that is syncing may show no block for hours. An old block alone may also be that of a chain that stands still.
  if (backlog?.isDeclared) return 'catching_up';
  if (roseAt && isOld(roseAt)) return 'stalled';
  return backlog ? 'catching_up' : 'ok';
}

/** Seconds; a short outage of a node is not shown to customers. */
const SHORTEST_DELAY = 60;

/** Whether confirmations on a chain in this state take longer than usual. */
export function isDelayed(state: ChainState, condition: ChainCondition | null, now: Date): boolean {
  if (isPayable(state)) return false;
  const since = state === 'unreachable' ? condition?.trouble?.since : null;
  return !since || now.getTime() - since.getTime() > SHORTEST_DELAY * 1_000;
}

/** When the state began, as far as it is recorded; null for a chain that is well. */
export function stateSince(
  state: ChainState,
  condition: ChainCondition | null,
  halted: { since: Date } | null,
): Date | null {
  const since = {
    ok: null,
    unknown: null,
    catching_up: condition?.backlog?.since,
    stalled: condition?.roseAt,
    unwatched: condition?.checkedAt,
    unreachable: condition?.trouble?.since,
    halted: halted?.since,
  }[state];
  return since ?? null;
}

/** How much the node has yet to read; null in other states. */
export function findCatchUp(state: ChainState, condition: ChainCondition | null): CatchUp | null {
  if (state !== 'catching_up' || !condition?.backlog) return null;
  return catchUpOf(condition.backlog, condition.checkedAt);
}

/**
 * Whether to offer a chain in this state to customers: not if a payment would go unseen. Before the first poll the
 * chain counts as healthy, because its addresses stay watched anyway (specification/wallets.md#deposit-addresses).
 */
export function isPayable(state: ChainState): boolean {
  return state === 'ok' || state === 'unknown';
}
