import { Injectable } from '@nestjs/common';
import { Sql } from '../../platform/database/sql.js';

// Each from an index of its own: payment_events_undispatched, webhook_deliveries_due, webhook_deliveries_failed,
// webhook_deliveries_undelivered. Tests are the merchants' own affair. What can grow without bound is counted up to $1.
const COUNTS = `
  select
    (select count(*)::int from (
      select from payment_events where dispatched_at is null and superseded_at is null limit $1) t) as undispatched,
    (select count(*)::int from (select from webhook_deliveries where state = 'pending' and test_payment_id is null limit $1) t) as pending,
    (select count(*)::int from (select from webhook_deliveries where state = 'exhausted' and test_payment_id is null limit $1) t) as exhausted,
    (select count(*)::int from (select from webhook_deliveries where state = 'blocked' and test_payment_id is null limit $1) t) as blocked,
    (select count(*)::int from webhook_endpoints) as "pausedEndpoints",
    (select seq from audit_head) as "auditRows",
    (select ('x' || left(encode(hash, 'hex'), 12))::bit(48)::bigint from audit_head) as "auditHead"`;
/**
 * The oldest events that their receivers do not have yet, those of paused endpoints apart: a long pause of one merchant
 * must not hide that another one waits. Of a backlog only the beginning is read, by one index probe per application
 * that waits (about 4 microseconds). Ids of deliveries ascend in the order of their events. Events without a delivery
 * yet are never those of a paused endpoint.
 */
export const UNDELIVERED = `
  with recursive first as (
    (select application_id, id from webhook_deliveries
     where state in ('pending', 'blocked') and succeeded_at is null and test_payment_id is null order by application_id, id limit 1)
    union all
    select next.* from first cross join lateral (
      select application_id, id from webhook_deliveries
      where state in ('pending', 'blocked') and succeeded_at is null and test_payment_id is null and application_id > first.application_id
      order by application_id, id limit 1) next
  ), waiting as (
    select first.id, paused.application_id is not null as is_paused
    from first left join webhook_endpoints paused on paused.application_id = first.application_id
  ), oldest as (
    (select id, is_paused from waiting where not is_paused order by id limit 1)
    union all
    (select id, is_paused from waiting where is_paused order by id limit 1)
  ), event as (
    select e.created_at, oldest.is_paused from oldest
    join webhook_deliveries d on d.id = oldest.id join payment_events e on e.id = d.event_id
  )
  select
    least(
      (select min(created_at) from payment_events where dispatched_at is null and superseded_at is null),
      (select created_at from event where not is_paused)) as "oldestAt",
    (select created_at from event where is_paused) as "oldestPausedAt",
    (select count(*)::int from (
      select from webhook_endpoints paused cross join lateral (
        select from webhook_deliveries d
        where d.application_id = paused.application_id and d.state in ('pending', 'blocked')
          and d.succeeded_at is null and d.test_payment_id is null
        order by d.id limit $1) d
      limit $1) t) as "pausedDeliveries"`;
/** From the index payment_transfers_unattributed. */
const UNATTRIBUTED = `
  select n.chain, (select count(*)::int from (
    select from payment_transfers t
    where t.chain = n.chain and not t.is_matched and not t.is_dust and t.state in ('pending', 'confirmed') limit $2) t) as count
  from unnest($1::text[]) n (chain)`;
const LAST_RECONCILIATION = `
  select finished_at as "finishedAt", differences, left_out as "leftOut" from reconciliation_state`;
const CURRENT_RECONCILIATION = `
  select compared from reconciliation_schedule where started_at is not null`;

/** Counts stop here: enough to see that there are too many. */
const MAX_COUNT = 10_000;

/** Numbers of rows; those of events and deliveries count up to 10,000. */
export interface RecordCounts {
  /** Events without a delivery yet. */
  undispatched: number;
  pending: number;
  exhausted: number;
  blocked: number;
  pausedEndpoints: number;
  auditRows: number;
  /** The first 48 bits of the newest entry's hash. */
  auditHead: number;
}

/** Events that their receivers do not have yet; null: none waits. */
export interface UndeliveredEvents {
  oldestAt: Date | null;
  /** Of paused endpoints. */
  oldestPausedAt: Date | null;
  /** Of paused endpoints, up to 10,000. */
  pausedDeliveries: number;
}

/** How the last reconciliation ended. */
export interface LastReconciliation {
  finishedAt: Date;
  differences: number;
  leftOut: number;
}

/** Reads the numbers that only the database knows. */
@Injectable()
export class MetricsRepository {
  constructor(private readonly sql: Sql) {}

  async counts(): Promise<RecordCounts> {
    const [row] = await this.sql.query<RecordCounts>(COUNTS, [MAX_COUNT]);
    if (!row) throw new Error('a select without a table returned no row');
    // The driver returns a bigint as text.
    return { ...row, auditRows: Number(row.auditRows), auditHead: Number(row.auditHead) };
  }

  async undelivered(): Promise<UndeliveredEvents> {
    const [row] = await this.sql.query<UndeliveredEvents>(UNDELIVERED, [MAX_COUNT]);
    if (!row) throw new Error('a select without a table returned no row');
    return row;
  }

  /** Transfers that are credited to no payment, up to 10,000 per chain. */
  unattributed(chains: readonly string[]): Promise<{ chain: string; count: number }[]> {
    return this.sql.query(UNATTRIBUTED, [chains, MAX_COUNT]);
  }

  /** Null before the first one. */
  async findLastReconciliation(): Promise<LastReconciliation | null> {
    const [row] = await this.sql.query<{ finishedAt: Date; differences: string; leftOut: string }>(
      LAST_RECONCILIATION,
    );
    return row
      ? { finishedAt: row.finishedAt, differences: Number(row.differences), leftOut: Number(row.leftOut) }
      : null;
  }

  /** Payments that the scheduled reconciliation in progress has compared; null: none is in progress. */
  async findCompared(): Promise<number | null> {
    const [row] = await this.sql.query<{ compared: string }>(CURRENT_RECONCILIATION);
    return row ? Number(row.compared) : null;
  }
}
