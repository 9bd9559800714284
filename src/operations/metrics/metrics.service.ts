import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { CHAIN_STATES, isPayable } from '../../chains/chain-health.pure.js';
import { Clock } from '../../platform/runtime/clock.pure.js';
import { Meters } from '../../platform/observability/meters.pure.js';
import {
  type MetricFamily,
  renderMetrics,
  type Sample,
} from '../../platform/observability/prometheus-text.pure.js';
import { Sql } from '../../platform/database/sql.js';
import { CONFIG, type Config } from '../../config.js';
import { ChainOverviews } from './chain-overview.service.js';
import { type ChainOverview, lagOf } from './chain-presenter.js';
import { ProcessMetrics } from './process-metrics.js';

// Each from an index of its own: payment_transfers_unattributed, payment_events_undispatched, webhook_deliveries_due,
// webhook_deliveries_exhausted, webhook_deliveries_undelivered. What can grow without end is counted no further than $1. Times are the gateway's.
const COUNTS = `
  select
    (select count(*) from (select from payment_events where dispatched_at is null and superseded_at is null limit $1) t)
      as undispatched,
    (select count(*) from (select from webhook_deliveries where state = 'pending' limit $1) t) as pending,
    (select count(*) from (select from webhook_deliveries where state = 'exhausted' limit $1) t) as exhausted,
    (select count(*) from (select from webhook_deliveries where state = 'blocked' limit $1) t) as blocked,
    (select count(*) from webhook_endpoints) as paused,
    (select seq from audit_head) as audited`;
/**
 * The oldest events that their receivers do not have yet, those of paused endpoints apart: a merchant's long pause
 * must not hide that another one waits. Of a backlog only the beginning is looked at, by one index probe an application
 * that waits (some 4 microseconds). Ids of deliveries ascend as their events do; no delivery yet is no pause either.
 */
export const UNDELIVERED = `
  with recursive first as (
    (select application_id, id from webhook_deliveries
     where state in ('pending', 'blocked') and succeeded_at is null order by application_id, id limit 1)
    union all
    select next.* from first cross join lateral (
      select application_id, id from webhook_deliveries
      where state in ('pending', 'blocked') and succeeded_at is null and application_id > first.application_id
      order by application_id, id limit 1) next
  ), judged as (
    select first.id, paused.application_id is not null as is_paused
    from first left join webhook_endpoints paused on paused.application_id = first.application_id
  ), oldest as (
    (select id, is_paused from judged where not is_paused order by id limit 1)
    union all
    (select id, is_paused from judged where is_paused order by id limit 1)
  ), event as (
    select e.created_at, oldest.is_paused from oldest
    join webhook_deliveries d on d.id = oldest.id join payment_events e on e.id = d.event_id
  )
  select
    least(
      (select min(created_at) from payment_events where dispatched_at is null and superseded_at is null),
      (select created_at from event where not is_paused)) as oldest,
    (select created_at from event where is_paused) as oldest_paused,
    (select count(*) from (
      select from webhook_endpoints paused cross join lateral (
        select from webhook_deliveries d
        where d.application_id = paused.application_id and d.state in ('pending', 'blocked')
          and d.succeeded_at is null
        order by d.id limit $1) d
      limit $1) t) as paused`;
const UNATTRIBUTED = `
  select n.chain, (select count(*) from (
    select from payment_transfers t
    where t.chain = n.chain and not t.is_matched and t.state in ('pending', 'confirmed') limit $2) t) as count
  from unnest($1::text[]) n (chain)`;
const RECONCILIATION = `
  select finished_at as "finishedAt", differences, left_out as "leftOut" from reconciliation_state`;
/** Enough to know that it is too many. */
const COUNTED = 10_000;

interface Counts {
  undispatched: string;
  pending: string;
  exhausted: string;
  blocked: string;
  paused: string;
  audited: string;
}

interface Undelivered {
  oldest: Date | null;
  oldest_paused: Date | null;
  paused: string;
}

interface Reconciled {
  finishedAt: Date;
  differences: string;
  leftOut: string;
}

/**
 * What a monitoring system asks for every few seconds. What is in the database every process answers alike; what is
 * measured ({@link Meters}, {@link ProcessMetrics}) is this one's.
 */
@Injectable()
export class MetricsService implements OnModuleDestroy {
  private readonly process: ProcessMetrics;
  private running: Promise<string> | null = null;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly overviews: ChainOverviews,
    private readonly meters: Meters,
  ) {
    this.process = new ProcessMetrics(config.role);
  }

  onModuleDestroy(): void {
    this.process.stop();
  }

  /** Scrapes at the same time share one answer, so that no number of them is a load. */
  render(): Promise<string> {
    this.running ??= this.read().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async read(): Promise<string> {
    const overviews = await this.overviews.list();
    const slugs = overviews.map(({ chain }) => chain.slug);
    const [[counts], [undelivered], unattributed, [reconciled]] = await Promise.all([
      this.sql.query<Counts>(COUNTS, [COUNTED]),
      this.sql.query<Undelivered>(UNDELIVERED, [COUNTED]),
      this.sql.query<{ chain: string; count: string }>(UNATTRIBUTED, [slugs, COUNTED]),
      this.sql.query<Reconciled>(RECONCILIATION),
    ]);
    if (!counts || !undelivered) throw new Error('unexpected empty result');
    return renderMetrics([
      ...this.chainFamilies(overviews),
      {
        name: 'gateway_unattributed_deposits',
        help: 'Transfers to deposit addresses in an asset that nobody quoted.',
        type: 'gauge',
        samples: unattributed.map(({ chain, count }) => ({ labels: { chain }, value: Number(count) })),
      },
      ...this.undeliveredFamilies(undelivered),
      ...deliveryFamilies(counts),
      ...this.bookFamilies(counts, reconciled),
      ...this.meters.families(),
      ...this.process.families(this.sql.connections()),
    ]);
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
      {
        name: 'gateway_chain_node_healthy',
        help: '1 for an endpoint, by its place in the configuration, that is asked; 0 while it rests or is refused.',
        type: 'gauge',
        samples: overviews.flatMap(({ chain, condition }) =>
          (condition?.endpoints ?? []).map(({ position, state }) => ({
            labels: { chain: chain.slug, position: String(position) },
            value: Number(state === 'ok' || state === 'unasked'),
          })),
        ),
      },
      gauge('gateway_chain_halted', '1 while the chain waits for an operator.', (o) =>
        Number(o.halted !== null),
      ),
      gauge('gateway_chain_accepts_payments', '1 while customers are asked to pay on it.', (o) =>
        Number(isPayable(o.state)),
      ),
      {
        name: 'gateway_chain_lease_info',
        help: '1 for the process that watches the chain, or was the last to.',
        type: 'gauge',
        samples: overviews.flatMap(({ chain, lease }) =>
          lease ? [{ labels: { chain: chain.slug, holder: lease.holder }, value: 1 }] : [],
        ),
      },
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

  private undeliveredFamilies(undelivered: Undelivered): MetricFamily[] {
    const ageOf = (time: Date | null) => secondsSince(time, this.clock.now()) ?? 0;
    return [
      single(
        'gateway_oldest_undelivered_event_age_seconds',
        'Age of the oldest event that its receiver does not have yet, without those of paused endpoints.',
        ageOf(undelivered.oldest),
      ),
      single(
        'gateway_oldest_paused_event_age_seconds',
        'Age of the oldest event that waits for a paused endpoint.',
        ageOf(undelivered.oldest_paused),
      ),
      single(
        'gateway_webhook_deliveries_paused',
        'Deliveries that wait for paused endpoints.',
        Number(undelivered.paused),
      ),
    ];
  }

  /** No samples before the first run: an alert on absence covers that. */
  private bookFamilies(counts: Counts, run: Reconciled | undefined): MetricFamily[] {
    const families = [single('gateway_audit_log_rows', 'Acts in the audit log.', Number(counts.audited))];
    if (!run) return families;
    return [
      ...families,
      single(
        'gateway_reconciliation_differences',
        'Differences that the last verify found.',
        Number(run.differences),
      ),
      single(
        'gateway_reconciliation_left_out',
        'What the last verify could not compare.',
        Number(run.leftOut),
      ),
      single(
        'gateway_reconciliation_age_seconds',
        'Since the end of the last verify.',
        secondsSince(run.finishedAt, this.clock.now()) ?? 0,
      ),
    ];
  }
}

function deliveryFamilies(counts: Counts): MetricFamily[] {
  return [
    single('gateway_outbox_events', 'Events that are no deliveries yet.', Number(counts.undispatched)),
    single('gateway_webhook_deliveries_pending', 'Deliveries still to be made.', Number(counts.pending)),
    single('gateway_webhook_deliveries_exhausted', 'Deliveries given up.', Number(counts.exhausted)),
    single(
      'gateway_webhook_deliveries_blocked',
      'Deliveries whose signing secret cannot be opened.',
      Number(counts.blocked),
    ),
    single(
      'gateway_webhook_endpoints_paused',
      'Applications whose endpoint is paused.',
      Number(counts.paused),
    ),
  ];
}

function single(name: string, help: string, value: number): MetricFamily {
  return { name, help, type: 'gauge', samples: [{ value }] };
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
