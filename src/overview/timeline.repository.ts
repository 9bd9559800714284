import { Injectable } from '@nestjs/common';
import { namedStatement } from '../platform/database/named-statement.pure.js';
import { Sql } from '../platform/database/sql.js';
import type { TimelineKind } from './timeline.contract.js';

/** One thing that happened, as it is stored. */
export interface TimelineRow {
  kind: TimelineKind;
  at: Date;
  code: string;
  previous: string | null;
  reason: string | null;
  actor: string | null;
  actorId: string | null;
  blockchain: string | null;
  coin: string | null;
  /** In the smallest unit of the coin, of so many places. */
  amount: string | null;
  decimals: number | null;
  txHash: string | null;
  objectId: string | null;
  deliveryStatus: string | null;
  attempts: number | null;
}

interface TimelineParameters {
  paymentId: string;
  transferIds: readonly string[];
  /** An event dispatched later has its delivery still, unless there was no endpoint to make one for. */
  keptSince: Date;
  limit: number;
}

const NO_ASSET = `null as chain, null as currency, null::numeric as amount, null::integer as decimals`;
const NO_ACTOR = `null as actor, null as actor_id`;
const NO_DELIVERY = `null as delivery_status, null::integer as attempts`;

// `place` orders what happened in the same millisecond: causes before effects.
const TIMELINE = namedStatement<TimelineParameters>(`
  with listed as materialized (
    select t.* from payment_transfers t where t.id = any(:transferIds::uuid[]) and t.payment_id = :paymentId
  ), entries as (
    select 'quote' as kind, 1 as place, q.locked_at as at, case when q.is_late then 'late_rate' else 'rate_locked' end as code,
      null as previous, q.rate as reason, case when q.accepted_by is null then null else 'user' end as actor,
      q.accepted_by as actor_id, q.chain, q.currency_code as currency, q.asset_amount as amount,
      q.asset_decimals::integer as decimals, null as tx_hash, q.id as object_id, ${NO_DELIVERY}, 0 as seq
    from quotes q where q.payment_id = :paymentId
    union all
    select 'address', 0, d.created_at, d.family, null, null, ${NO_ACTOR}, ${NO_ASSET}, null, d.id, ${NO_DELIVERY}, 0
    from deposit_addresses d where d.payment_id = :paymentId
    union all
    select 'transfer', 2, t.seen_at, 'seen', null, case when not t.is_matched then 'unmatched' when t.is_late then 'late' end,
      ${NO_ACTOR}, t.chain, t.currency_code, t.amount, t.asset_decimals::integer, t.tx_hash, t.id, ${NO_DELIVERY}, 0
    from listed t
    union all
    select 'transfer', 2, t.confirmed_at, 'confirmed', null, null, ${NO_ACTOR}, t.chain, t.currency_code, t.amount,
      t.asset_decimals::integer, t.tx_hash, t.id, ${NO_DELIVERY}, 1
    from listed t where t.confirmed_at is not null
    union all
    select 'status', case when h.seq = 1 then -1 else 4 end, h.created_at, h.to_status, h.from_status, h.reason, ${NO_ACTOR}, ${NO_ASSET}, null, null::uuid,
      ${NO_DELIVERY}, h.seq
    from payment_status_history h where h.payment_id = :paymentId
    union all
    select 'event', 5, e.created_at, e.type, null, d.last_error, ${NO_ACTOR}, ${NO_ASSET}, null, d.id,
      case when d.state <> 'pending' then upper(d.state)
        when e.superseded_at is not null or (d.id is null and e.overtaken_at is not null) then 'SUPERSEDED'
        when d.attempts > 0 then 'FAILED' when d.id is not null or e.dispatched_at is null then 'PENDING'
        when e.dispatched_at > :keptSince then 'SKIPPED' end, d.attempts,
      coalesce(e.seq, e.place / 1000)
    from payment_events e left join webhook_deliveries d on d.event_id = e.id where e.payment_id = :paymentId
    union all
    select 'refund', 4, h.created_at, h.to_status, h.from_status, h.reason, ${NO_ACTOR}, r.chain, r.payout_currency_code,
      r.payout_amount, r.payout_decimals::integer, h.tx_hash, r.id, ${NO_DELIVERY}, h.seq
    from refunds r join refund_history h on h.refund_id = r.id where r.payment_id = :paymentId
    union all
    select 'act', 3, l.at, l.act, null, null, l.actor_kind, l.actor_id, ${NO_ASSET}, null, null::uuid, ${NO_DELIVERY},
      l.seq
    from audit_log l where l.target_kind in ('payment', 'refund', 'transfer', 'delivery') and l.target_id in (
      select :paymentId::text
      union all select r.id::text from refunds r where r.payment_id = :paymentId
      union all select t.id::text from listed t
      union all select d.id::text from webhook_deliveries d where d.payment_id = :paymentId)
  ), newest as (
    select * from entries order by at desc, place desc, seq desc limit :limit
  )
  select kind, at, code, previous, reason, actor, actor_id as "actorId", chain as blockchain, currency as coin, amount,
    decimals, tx_hash as "txHash", object_id as "objectId", delivery_status as "deliveryStatus", attempts
  from newest order by at, place, seq`);

/** Everything that is stored about a payment, in its order, in one statement. */
@Injectable()
export class TimelineRepository {
  constructor(private readonly sql: Sql) {}

  /**
   * The newest entries, oldest first.
   * @param asked of a payment that the caller may see, and of its transfers that have entries
   */
  list(asked: TimelineParameters): Promise<TimelineRow[]> {
    return this.sql.query(TIMELINE.text, TIMELINE.values(asked));
  }
}
