import { Injectable } from '@nestjs/common';
import { CHAIN_STATES, isPayable } from '../chains/chain-condition.js';
import { Clock } from '../common/clock.js';
import { Sql } from '../common/sql.js';
import { ChainOverviews } from './chain-overview.service.js';
import { type ChainOverview, lagOf } from './chain-view.js';
import { type MetricFamily, renderMetrics, type Sample } from './prometheus-text.js';

// Each from an index of its own: payment_transfers_unattributed, payment_events_undispatched, webhook_deliveries_due,
// webhook_deliveries_exhausted. Times are the gateway's.
const COUNTS = `
  select
    (select count(*) from payment_transfers where not is_matched and state in ('pending', 'confirmed')) as unattributed,
    least(
      (select min(created_at) from payment_events where dispatched_at is null and superseded_at is null),
      (select min(e.created_at) from webhook_deliveries d join payment_events e on e.id = d.event_id
       where d.state = 'pending')) as oldest_undelivered,
    (select count(*) from webhook_deliveries where state = 'pending') as pending,
    (select count(*) from webhook_deliveries where state = 'exhausted') as exhausted`;

interface Counts {
  unattributed: string;
  oldest_undelivered: Date | null;
  pending: string;
  exhausted: string;
}

/** What a monitoring system asks for every few seconds; from the database, so every process answers the same. */
@Injectable()
export class MetricsService {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly overviews: ChainOverviews,
  ) {}

  async render(): Promise<string> {
    const [overviews, [counts]] = await Promise.all([this.overviews.list(), this.sql.query<Counts>(COUNTS)]);
    if (!counts) throw new Error('a select without from answered no row');
    return renderMetrics([...this.chainFamilies(overviews), ...this.deliveryFamilies(counts)]);
  }

  private chainFamilies(overviews: readonly ChainOverview[]): MetricFamily[] {
    const now = this.clock.now();
    const gauge = (
      name: string,
      help: string,
      valueOf: (overview: ChainOverview) => number | null | undefined,
    ): MetricFamily => ({ name, help, type: 'gauge', samples: perChain(overviews, valueOf) });
    const isHealthy = ({ condition }: ChainOverview) => condition && Number(condition.trouble === null);
    return [
      gauge(
        'gateway_chain_head_height',
        "Newest block of the chain's node.",
        (o) => o.condition?.head?.height,
      ),
      gauge(
        'gateway_chain_cursor_height',
        'Newest block that the gateway has applied.',
        (o) => o.cursor?.height,
      ),
      gauge('gateway_chain_lag_blocks', 'Blocks between the two.', (o) => lagOf(o, now)?.blocks),
      gauge(
        'gateway_chain_lag_seconds',
        'Age of the cursor where blocks wait, else 0.',
        (o) => lagOf(o, now)?.seconds,
      ),
      gauge('gateway_chain_head_age_seconds', 'Seconds since the head last rose.', (o) =>
        secondsSince(o.condition?.roseAt, now),
      ),
      gauge('gateway_chain_endpoint_healthy', '1 while the node answers as it should.', isHealthy),
      gauge('gateway_chain_halted', '1 while the chain waits for an operator.', (o) =>
        Number(o.halted !== null),
      ),
      gauge('gateway_chain_accepts_payments', '1 while customers are asked to pay on it.', (o) =>
        Number(isPayable(o.state)),
      ),
      gauge('gateway_chain_lease_held', '1 while some process watches the chain.', (o) =>
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
      {
        name: 'gateway_chain_reorgs_total',
        help: 'Times that applied blocks were taken back.',
        type: 'counter',
        samples: perChain(overviews, ({ condition }) => condition?.reorgs.count ?? 0),
      },
      gauge(
        'gateway_chain_deepest_reorg_blocks',
        'Most blocks that were taken back at once.',
        ({ condition }) => (condition ? condition.reorgs.deepest : 0),
      ),
    ];
  }

  private deliveryFamilies(counts: Counts): MetricFamily[] {
    const gauge = (name: string, help: string, value: number): MetricFamily => ({
      name,
      help,
      type: 'gauge',
      samples: [{ value }],
    });
    const age = secondsSince(counts.oldest_undelivered, this.clock.now()) ?? 0;
    return [
      gauge(
        'gateway_unattributed_deposits',
        'Transfers to deposit addresses in an asset that nobody quoted.',
        Number(counts.unattributed),
      ),
      gauge(
        'gateway_oldest_undelivered_event_age_seconds',
        'Age of the oldest event still to be delivered.',
        age,
      ),
      gauge('gateway_webhook_deliveries_pending', 'Deliveries still to be made.', Number(counts.pending)),
      gauge('gateway_webhook_deliveries_exhausted', 'Deliveries given up.', Number(counts.exhausted)),
    ];
  }
}

/** One sample a chain, where there is a value. */
function perChain(
  overviews: readonly ChainOverview[],
  valueOf: (overview: ChainOverview) => number | null | undefined,
): Sample[] {
  return overviews.flatMap((overview) => {
    const value = valueOf(overview);
    return value === null || value === undefined ? [] : [{ labels: { chain: overview.chain.slug }, value }];
  });
}

function secondsSince(time: Date | null | undefined, now: Date): number | null {
  return time ? Math.max(0, (now.getTime() - time.getTime()) / 1_000) : null;
}
