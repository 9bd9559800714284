import { CHAIN_STATES, findCatchUp, isPayable } from '../../chains/chain-health.pure.js';
import { type ChainOverview, lagOf } from './chain-presenter.js';
import type { LastChange } from './last-change.pure.js';
import { type MetricFamily, type Sample, secondsSince } from './metric.js';

/** States of an endpoint that is asked in its turn. */
const USED_FIRST: ReadonlySet<string> = new Set(['ok', 'unasked', 'lagging']);

/** How long each chain's cursor has stood where it is, as this process saw it at its scrapes. */
export function unmovedFamily(
  overviews: readonly ChainOverview[],
  seen: LastChange,
  now: Date,
): MetricFamily {
  return {
    name: 'gateway_chain_cursor_unmoved_seconds',
    help: 'Seconds for which this process has seen the cursor stand still.',
    type: 'gauge',
    samples: perChain(overviews, ({ chain, cursor }) => seen.secondsOf(chain.slug, cursor?.hash ?? '', now)),
  };
}

/** Metrics with the label `chain`. */
export function chainFamilies(overviews: readonly ChainOverview[], now: Date): MetricFamily[] {
  const gauge = (
    name: string,
    help: string,
    valueOf: (overview: ChainOverview) => number | null | undefined,
  ): MetricFamily => ({ name, help, type: 'gauge', samples: perChain(overviews, valueOf) });
  const isHealthy = ({ condition }: ChainOverview) => condition && Number(condition.trouble === null);
  return [
    gauge('gateway_chain_head_height', "Newest block of the chain's node.", (o) => o.condition?.head?.height),
    gauge(
      'gateway_chain_cursor_height',
      'Newest block that the gateway has applied.',
      (o) => o.cursor?.height,
    ),
    gauge('gateway_chain_lag_blocks', 'Blocks between head and cursor.', (o) => lagOf(o, now)?.blocks),
    gauge(
      'gateway_chain_lag_seconds',
      'Age of the cursor where blocks wait, else 0.',
      (o) => lagOf(o, now)?.seconds,
    ),
    gauge('gateway_chain_head_age_seconds', 'Seconds since the head last rose.', (o) =>
      secondsSince(o.condition?.roseAt, now),
    ),
    gauge('gateway_chain_endpoint_healthy', '1 while the node responds correctly.', isHealthy),
    {
      name: 'gateway_chain_node_healthy',
      help: '1 while an endpoint may be used, 0 while it is skipped, limited or refused, by its position in the configuration.',
      type: 'gauge',
      samples: overviews.flatMap(({ chain, condition }) =>
        (condition?.endpoints ?? []).map(({ position, state }) => ({
          labels: { chain: chain.slug, position: String(position) },
          value: Number(USED_FIRST.has(state)),
        })),
      ),
    },
    gauge('gateway_chain_halted', '1 while the chain is halted until an operator decides.', (o) =>
      Number(o.halted !== null),
    ),
    gauge('gateway_chain_accepts_payments', '1 while checkout offers it.', (o) => Number(isPayable(o.state))),
    gauge(
      'gateway_chain_catch_up_blocks',
      'Blocks that a node has yet to read while it is catching up, else 0.',
      (o) => findCatchUp(o.state, o.condition)?.blocksLeft ?? 0,
    ),
    gauge(
      'gateway_chain_catch_up_seconds',
      'Estimated seconds until it has caught up, where known.',
      (o) => findCatchUp(o.state, o.condition)?.secondsLeft,
    ),
    {
      name: 'gateway_chain_lease_info',
      help: '1 for the process that watches the chain, or was the last to watch it.',
      type: 'gauge',
      samples: overviews.flatMap(({ chain, lease }) =>
        lease ? [{ labels: { chain: chain.slug, holder: lease.holder }, value: 1 }] : [],
      ),
    },
    gauge('gateway_chain_lease_held', '1 while a process watches the chain.', (o) =>
      Number(o.lease?.isHeld ?? false),
    ),
    {
      name: 'gateway_chain_state',
      help: '1 for the state that the chain is in, 0 for the others.',
      type: 'gauge',
      samples: overviews.flatMap(({ chain, state }) =>
        CHAIN_STATES.map((each) => ({
          labels: { chain: chain.slug, state: each },
          value: Number(each === state),
        })),
      ),
    },
    gauge(
      'gateway_chain_transfers_awaiting_agreement',
      'Large transfers that do not count before a second endpoint or their block confirms them.',
      (o) => o.awaitingAgreement,
    ),
    gauge(
      'gateway_chain_unread_traces',
      'Applied blocks in which payments by contracts may be missing until their traces are read.',
      (o) => o.unreadTraces,
    ),
    {
      name: 'gateway_chain_reorgs_total',
      help: 'Number of times that applied blocks were reverted.',
      type: 'counter',
      samples: perChain(overviews, ({ condition }) => condition?.reorgs.count ?? 0),
    },
    gauge('gateway_chain_deepest_reorg_blocks', 'Most blocks that were reverted at once.', ({ condition }) =>
      condition ? condition.reorgs.deepest : 0,
    ),
  ];
}

/** One sample per chain, where there is a value. */
function perChain(
  overviews: readonly ChainOverview[],
  valueOf: (overview: ChainOverview) => number | null | undefined,
): Sample[] {
  return overviews.flatMap((overview) => {
    const value = valueOf(overview);
    return value === null || value === undefined ? [] : [{ labels: { chain: overview.chain.slug }, value }];
  });
}
