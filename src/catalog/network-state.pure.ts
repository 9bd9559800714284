import { type ChainState, findCatchUp, isPayable, stateSince } from '../chains/chain-health.pure.js';
import type { ChainStatus } from '../chains/chain-health.service.js';
import { describeCatchUp } from '../chains/node-progress.pure.js';
import { toIsoSecondsOrNull } from '../platform/kernel/clock.pure.js';
import type { NetworkStateContract } from './catalog.contract.js';

/** `OPERATIONAL` has no reason; that of a halt is the operator's, and so are messages of nodes, which may hold keys. */
const MEANINGS: Record<ChainState, Pick<NetworkStateContract, 'status' | 'reason'>> = {
  ok: { status: 'OPERATIONAL', reason: null },
  unknown: { status: 'OPERATIONAL', reason: null },
  catching_up: {
    status: 'CATCHING_UP',
    reason: 'The node of the gateway is catching up with this network. Payments are seen once it has.',
  },
  stalled: {
    status: 'DELAYED',
    reason:
      'No new block for longer than usual. Payments are seen and confirmed once there are blocks again.',
  },
  unwatched: {
    status: 'UNAVAILABLE',
    reason: 'The gateway is not watching this network. It catches up once it watches again.',
  },
  unreachable: {
    status: 'UNAVAILABLE',
    reason: 'The gateway cannot read this network. It catches up once it can.',
  },
  halted: {
    status: 'UNAVAILABLE',
    reason: 'The operator of the gateway must check this network before payments are counted again.',
  },
};

/** The state of a network as merchants see it. @param health null: the gateway does not watch it */
export function networkState(
  health: Pick<ChainStatus, 'state' | 'condition' | 'halted'> | null,
): NetworkStateContract | null {
  if (!health) return null;
  const { state, condition, halted } = health;
  const { status, reason } = MEANINGS[state];
  const catchUp = findCatchUp(state, condition);
  return {
    status,
    reason: reason && catchUp ? `${reason} ${describeCatchUp(catchUp)}` : reason,
    catchUp,
    since: toIsoSecondsOrNull(stateSince(state, condition, halted)),
    acceptsPayments: isPayable(state),
  };
}
