import { Injectable } from '@nestjs/common';
import type { EventType } from '../../applications/event-types.pure.js';
import { type NamedStatement, namedStatement } from '../../platform/database/named-statement.pure.js';
import { Sql } from '../../platform/database/sql.js';
import type { ExportOrder, ExportPlace } from '../../platform/web/http/exports.service.js';
import type { DeliveryStatus } from '../webhook-delivery.contract.js';

/** What an export of deliveries is restricted to; null: not by that. */
export interface DeliveryFilter {
  userId: string;
  applicationId: string | null;
  paymentId: string | null;
  reference: string | null;
  event: EventType | null;
  status: DeliveryStatus | null;
  from: Date | null;
  until: Date;
}

/** A delivery with its newest attempt. */
export interface ExportedDelivery {
  id: string;
  createdAt: Date;
  eventId: string;
  event: EventType;
  paymentId: string;
  applicationId: string;
  status: DeliveryStatus;
  attempt: number;
  url: string | null;
  httpStatus: number | null;
  errorMessage: string | null;
  durationMs: number | null;
  succeededAt: Date | null;
  nextAttemptAt: Date | null;
}

const STATUS = `case when d.state <> 'pending' then upper(d.state) when d.attempts = 0 then 'PENDING' else 'FAILED' end`;
/** From the index webhook_deliveries_owner, in its order: a page costs the same wherever it begins. */
const exported = (
  after: '<' | '>',
  direction: 'asc' | 'desc',
): NamedStatement<DeliveryFilter & ExportPlace & { limit: number }> =>
  namedStatement(`
  select d.id, d.created_at as "createdAt", d.event_id as "eventId", d.type as event, d.payment_id as "paymentId",
    d.application_id as "applicationId", ${STATUS} as status, d.attempts as attempt, last.url,
    last.http_status as "httpStatus", d.last_error as "errorMessage", last.duration_ms as "durationMs",
    d.succeeded_at as "succeededAt", d.next_attempt_at as "nextAttemptAt"
  from webhook_deliveries d
  left join webhook_attempts last on last.delivery_id = d.id and last.number = d.attempts
  where d.user_id = :userId and d.payment_id is not null and (d.created_at, d.id) ${after} (:at, :id)
    and d.created_at <= :until
    and (:applicationId::uuid is null or d.application_id = :applicationId)
    and (:paymentId::uuid is null or d.payment_id = :paymentId)
    and (:reference::text is null or d.payment_id = any(array(
      select id from payments where user_id = :userId and reference = :reference)))
    and (:event::text is null or d.type = :event)
    and (:status::text is null or ${STATUS} = :status)
    and (:from::timestamptz is null or d.created_at >= :from)
  order by d.created_at ${direction}, d.id ${direction} limit :limit`);
const EXPORTS = { 'newest-first': exported('<', 'desc'), 'oldest-first': exported('>', 'asc') };

/** Deliveries of all applications of a user, for exports. */
@Injectable()
export class DeliveryExportRepository {
  constructor(private readonly sql: Sql) {}

  /** The next deliveries after a place. */
  listAfter(
    filter: DeliveryFilter,
    { at, id }: ExportPlace,
    limit: number,
    order: ExportOrder,
  ): Promise<ExportedDelivery[]> {
    const { text, values } = EXPORTS[order];
    return this.sql.query(text, values({ ...filter, at, id, limit }));
  }
}
