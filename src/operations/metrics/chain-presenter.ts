import type { Chain } from '../../chains/chain.pure.js';
import { type ChainState, findCatchUp, isPayable } from '../../chains/chain-health.pure.js';
import type { ChainStatus } from '../../chains/chain-health.service.js';
import { describeCatchUp } from '../../chains/node-progress.pure.js';
import { isNativeOffered } from '../../chains/native-visibility.pure.js';
import type { ChainReportContract } from './chain-report.contract.js';
import { toIsoSecondsOrNull } from '../../platform/kernel/clock.pure.js';

/** The watcher's position, and which process holds the lease. */
export interface ChainPosition {
  cursor: { height: number; hash: string; blockTime: Date | null; movedAt: Date } | null;
  lease: { holder: string; expiresAt: Date; isHeld: boolean } | null;
  /** Large transfers that no second node has shown yet. */
  awaitingAgreement: number;
  /** Applied blocks of which the payments by contracts are not all known. */
  unreadTraces: number;
}

/** Condition and position of one chain. */
export interface ChainOverview extends ChainStatus, ChainPosition {
  chain: Chain;
}

/** States that need attention; all but `ok` and `unknown`. */
const ALERTS = {
  ok: null,
  unknown: null,
  catching_up: 'The node is catching up with its network.',
  stalled: 'The node shows no new block.',
  unwatched: 'No watcher has polled the node for too long.',
  unreachable: 'The node does not respond correctly.',
  halted: 'The chain is halted until an operator decides.',
} satisfies Record<ChainState, string | null>;

/** Blocks between cursor and node; null until both are known. Never negative: a node may lag behind us. */
export function lagOf(
  { condition, cursor }: ChainOverview,
  now: Date,
): { blocks: number; seconds: number | null } | null {
  if (!condition?.head || !cursor) return null;
  const blocks = Math.max(0, condition.head.height - cursor.height);
  if (blocks === 0) return { blocks, seconds: 0 };
  const { blockTime } = cursor;
  // Blocks that are not applied yet are younger than the last applied one.
  const seconds = blockTime && Math.max(0, Math.floor((now.getTime() - blockTime.getTime()) / 1_000));
  return { blocks, seconds };
}

/** The chain works, and something of it is still to be read. */
function unreadAlert({ unreadTraces }: ChainOverview): ChainReportContract['alert'] {
  if (unreadTraces === 0) return null;
  return { code: 'traces_unread', message: 'What contracts paid in some blocks could not be read yet.' };
}

export function presentChain(overview: ChainOverview, now: Date): ChainReportContract {
  const { chain, state, condition, halted, cursor, lease, awaitingAgreement, stallSeconds } = overview;
  const catchUp = findCatchUp(state, condition);
  const message = catchUp ? `${ALERTS.catching_up} ${describeCatchUp(catchUp)}` : ALERTS[state];
  return {
    slug: chain.slug,
    name: chain.name,
    state,
    alert: message === null ? unreadAlert(overview) : { code: state, message },
    catchUp,
    acceptsPayments: isPayable(state),
    head: condition?.head
      ? {
          height: condition.head.height,
          hash: condition.head.hash,
          roseAt: toIsoSecondsOrNull(condition.roseAt),
        }
      : null,
    cursor: cursor && {
      height: cursor.height,
      hash: cursor.hash,
      blockTime: toIsoSecondsOrNull(cursor.blockTime),
      movedAt: toIsoSecondsOrNull(cursor.movedAt),
    },
    lag: lagOf(overview, now),
    lease: lease && {
      holder: lease.holder,
      expiresAt: toIsoSecondsOrNull(lease.expiresAt),
      held: lease.isHeld,
    },
    endpoint: condition && {
      ok: condition.trouble === null,
      error: condition.trouble?.message ?? null,
      since: toIsoSecondsOrNull(condition.trouble?.since ?? null),
      checkedAt: toIsoSecondsOrNull(condition.checkedAt),
    },
    endpoints: condition?.endpoints ?? [],
    nativeCoin: isNativeOffered(chain, condition?.endpoints ?? []) ? 'offered' : 'not_traceable',
    reorgs: {
      count: condition?.reorgs.count ?? 0,
      deepest: condition?.reorgs.deepest ?? 0,
      lastAt: toIsoSecondsOrNull(condition?.reorgs.lastAt ?? null),
    },
    halted: halted && { since: toIsoSecondsOrNull(halted.since), reason: halted.reason },
    awaitingAgreement,
    unreadTraces: overview.unreadTraces,
    stallSeconds,
  };
}
