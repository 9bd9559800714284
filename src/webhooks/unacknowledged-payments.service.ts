import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { Clock, toIsoSeconds, toIsoSecondsOrNull } from '../platform/runtime/clock.pure.js';
import { Page, type PageQuery } from '../platform/http/pagination.js';
import { Sql } from '../platform/database/sql.js';
import { PaymentPresenter } from '../payments/payment-presenter.service.js';
import { type PaymentRow, toPayment } from '../payments/payment-rows.pure.js';

/** A payment in RECEIVED with the newest delivery of its payment.received, where there is one already. */
interface Row extends PaymentRow {
  received_at: Date;
  delivery_id: string | null;
  delivery_status: string | null;
  attempt: number;
  last_attempt_at: Date | null;
  http_status: number | null;
  last_error: string | null;
  next_attempt_at: Date | null;
}

const WHICH = `
  from payments p
  where p.user_id = $1 and p.application_id = $2 and p.status = 'RECEIVED' and p.acknowledged_at is null`;
const COUNT = `select count(*) as total ${WHICH}`;
const LIST = `
  select p.*, d.id as delivery_id, coalesce(d.attempts, 0) as attempt, d.last_error, d.next_attempt_at,
    case when d.state <> 'pending' then upper(d.state) when d.attempts = 0 then 'PENDING' when d.attempts > 0 then 'FAILED'
      end as delivery_status,
    last.created_at as last_attempt_at, last.http_status
  from (select p.* ${WHICH} order by p.received_at, p.id limit $3 offset $4) p
  left join lateral (
    select d.* from webhook_deliveries d where d.payment_id = p.id and d.type = 'payment.received'
    order by d.seq desc limit 1) d on true
  left join webhook_attempts last on last.delivery_id = d.id and last.number = d.attempts
  order by p.received_at, p.id`;

/**
 * Payments that are RECEIVED and not acknowledged by the merchant's endpoint
 * (specification/payment-states.md#confirmed).
 */
@Injectable()
export class UnacknowledgedPaymentsService {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly applications: ApplicationsService,
    private readonly presenter: PaymentPresenter,
  ) {}

  /** Those that wait longest first. @throws NotFoundError for a foreign application */
  async list(userId: string, applicationId: string, page: PageQuery) {
    const { id } = await this.applications.getOwned(userId, applicationId);
    const [rows, [counted]] = await Promise.all([
      this.sql.query<Row>(LIST, [userId, id, page.limit, page.offset]),
      this.sql.query<{ total: string }>(COUNT, [userId, id]),
    ]);
    return Page.of(
      rows.map((row) => this.toDto(row)),
      Number(counted?.total ?? 0),
      page,
    );
  }

  private toDto(row: Row) {
    const waitedMs = this.clock.now().getTime() - row.received_at.getTime();
    return {
      payment: this.presenter.listItem(toPayment(row)),
      receivedAt: toIsoSeconds(row.received_at),
      waitingSeconds: Math.max(0, Math.floor(waitedMs / 1000)),
      deliveryId: row.delivery_id,
      deliveryStatus: row.delivery_status,
      attempt: row.attempt,
      lastAttemptAt: toIsoSecondsOrNull(row.last_attempt_at),
      httpStatus: row.http_status,
      errorMessage: row.last_error,
      nextAttemptAt: toIsoSecondsOrNull(row.next_attempt_at),
    };
  }
}
