import { Injectable } from '@nestjs/common';
import type { EventType } from '../applications/event-types.pure.js';
import { namedStatement } from '../platform/database/named-statement.pure.js';
import { Sql } from '../platform/database/sql.js';
import type { Place } from '../platform/web/http/keyset-cursor.pure.js';
import type { DeliveryStatus, DeliverySummaryContract } from './webhook-delivery.contract.js';

/** A delivery with the outcome of its newest attempt, without bodies. */
export interface ListedDelivery extends Omit<DeliverySummaryContract, 'nextAttemptAt' | 'createdAt'> {
  nextAttemptAt: Date | null;
  createdAt: Date;
}

/** What the list is restricted to; null: not by that. */
export interface DeliveryListFilter {
  userId: string;
  applicationIds: readonly string[] | null;
  paymentId: string | null;
  reference: string | null;
  event: EventType | null;
  status: DeliveryStatus | null;
  from: Date | null;
  to: Date | null;
}

const STATUS = `case when d.state <> 'pending' then upper(d.state) when d.attempts = 0 then 'PENDING' else 'FAILED' end`;
// The page first, so that attempts are read for its rows only.
const PAGE = namedStatement<DeliveryListFilter & { afterAt: Date; afterId: string; limit: number }>(`
  with page as materialized (
    select d.*, ${STATUS} as status from webhook_deliveries d
    where d.user_id = :userId and d.payment_id is not null and (d.created_at, d.id) < (:afterAt::timestamptz, :afterId::uuid)
      and (:applicationIds::uuid[] is null or d.application_id = any(:applicationIds))
      and (:paymentId::uuid is null or d.payment_id = :paymentId)
      and (:reference::text is null or d.payment_id = any(array(
        select id from payments where user_id = :userId and reference = :reference)))
      and (:event::text is null or d.type = :event)
      and (:status::text is null or ${STATUS} = :status)
      and (:from::timestamptz is null or d.created_at >= :from)
      and (:to::timestamptz is null or d.created_at <= :to)
    order by d.created_at desc, d.id desc limit :limit
  )
  select d.id, d.event_id as "eventId", d.type as event, d.payment_id as "paymentId",
    d.application_id as "paymentApplicationId", p.reference, d.attempts as attempt, d.status, last.http_status as "httpStatus",
    d.last_error as "errorMessage", last.duration_ms as "durationMs", d.next_attempt_at as "nextAttemptAt",
    d.created_at as "createdAt"
  from page d join payments p on p.id = d.payment_id
  left join webhook_attempts last on last.delivery_id = d.id and last.number = d.attempts
  order by d.created_at desc, d.id desc`);

/** The deliveries of all applications of a user, by time. */
@Injectable()
export class DeliveryListRepository {
  constructor(private readonly sql: Sql) {}

  /** Newest first, after a place. */
  list(filter: DeliveryListFilter, after: Place, limit: number): Promise<ListedDelivery[]> {
    const values = PAGE.values({ ...filter, afterAt: after.at, afterId: after.id, limit });
    return this.sql.query(PAGE.text, values);
  }
}
