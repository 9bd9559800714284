import { namedStatement } from '../platform/database/named-statement.pure.js';
import type { EventType } from '../applications/event-types.pure.js';
import type { DeliveryStatus } from './webhook-delivery.contract.js';

// The statement of WebhookLogRepository for a page of an application's deliveries.

/** A log entry's filter; null: any. */
export interface LogFilter {
  userId: string;
  applicationId: string;
  paymentId: string | null;
  event: EventType | null;
  status: DeliveryStatus | null;
}

export interface Slice {
  limit: number;
  offset: number;
}

/** As the log shows it, of `webhook_deliveries d`. */
export const DELIVERY_STATUS = `
  case when d.state <> 'pending' then upper(d.state) when d.attempts = 0 then 'PENDING' else 'FAILED' end`;
/** What a page shows of `d`, of its event `e` and of its newest attempt `last`. */
export const DELIVERY_COLUMNS = `
  d.id, d.event_id as "eventId", d.type as event, coalesce(d.payment_id, d.test_payment_id) as "paymentId",
    d.attempts as attempt, last.url,
    ${DELIVERY_STATUS} as status, last.http_status as "httpStatus", d.last_error as "errorMessage",
    e.body as "requestBody", last.response_body as "responseBody", last.duration_ms as "durationMs",
    case when d.next_attempt_at = '-infinity' then d.created_at else d.next_attempt_at end as "nextAttemptAt",
    d.created_at as "createdAt", d.test_payment_id is not null as "isTest"`;
export const DELIVERY_PARTS = `
  join payment_events e on e.id = d.event_id
  left join webhook_attempts last on last.delivery_id = d.id and last.number = d.attempts`;

const isCounted = `c.user_id = :userId and c.application_id = :applicationId
      and (:event::text is null or c.type = :event) and (:status::text is null or c.status = :status)`;
const matches = `d.user_id = :userId and d.application_id = :applicationId and d.payment_id is not null
        and (:event::text is null or d.type = :event) and (:status::text is null or ${DELIVERY_STATUS} = :status)`;

/**
 * A page, newest first, and its total, of the same moment (explanation/performance.md#totals-and-pages-by-counts). The counts, which
 * leave out the few that are claimed, lead to the hours of the page, and only the deliveries of these hours are read.
 * Without a delivery there is one row with the total.
 */
export const DELIVERY_PAGE = namedStatement<LogFilter & Slice>(`
  with hours as materialized (
    select hour, n, sum(n) over (order by hour desc) - n as before from (
      select hour, sum(n) as n from (
        select c.hour, c.total as n from webhook_delivery_counts c where ${isCounted}
        union all
        select c.hour, c.change from webhook_delivery_count_changes c where ${isCounted}
        union all
        select date_trunc('hour', d.created_at, 'UTC'), count(*) from webhook_deliveries d
        where d.lease_token is not null and ${matches} group by 1
      ) counted group by hour
    ) whole where n > 0
  ), page_hours as materialized (
    select hour, before from hours where before < :offset::bigint + :limit::bigint and before + n > :offset::bigint
  ), page as materialized (
    select d.* from page_hours h cross join lateral (
      select d.* from webhook_deliveries d
      where ${matches} and d.created_at >= h.hour and d.created_at < h.hour + interval '1 hour'
      order by d.created_at desc, d.id desc limit :offset::bigint + :limit::bigint - h.before
    ) d
    order by d.created_at desc, d.id desc
    offset (select greatest(:offset::bigint - coalesce(min(before), 0), 0) from page_hours) limit :limit
  )
  select counted.total, ${DELIVERY_COLUMNS}
  from (select coalesce(sum(n), 0) as total from hours) counted
  left join (page d ${DELIVERY_PARTS}) on true
  order by d.created_at desc, d.id desc`);
