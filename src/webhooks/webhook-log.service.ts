import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { Clock } from '../common/clock.js';
import { ConflictError, NotFoundError } from '../common/errors.js';
import { UUID } from '../common/ids.js';
import { PollingLoops } from '../common/polling-loop.js';
import { Sql } from '../common/sql.js';
import { WEBHOOKS_LOOP } from './webhook-dispatcher.service.js';
import type { DeliveryRecord, ListDeliveriesQuery } from './webhook-log.dto.js';

const RECORDS = `
  with records as (
    select d.*, case when d.state <> 'pending' then upper(d.state) when d.attempts = 0 then 'PENDING' else 'FAILED' end
      as status
    from webhook_deliveries d where d.user_id = $1 and d.application_id = $2
  )`;
const SELECT = `${RECORDS}
  select d.id, d.event_id as "eventId", d.type as event, d.payment_id as "paymentId", d.attempts as attempt, last.url,
    d.status, last.http_status as "httpStatus", d.last_error as "errorMessage", e.body as "requestBody",
    last.response_body as "responseBody", last.duration_ms as "durationMs", d.next_attempt_at as "nextAttemptAt",
    d.created_at as "createdAt"
  from records d
  join payment_events e on e.id = d.event_id
  left join webhook_attempts last on last.delivery_id = d.id and last.number = d.attempts`;
const FILTER = `
  where ($3::uuid is null or d.payment_id = $3)
    and ($4::text is null or d.type = $4)
    and ($5::text is null or d.status = $5)`;
const LIST = `${SELECT} ${FILTER} order by d.created_at desc, d.id desc limit $6 offset $7`;
const COUNT = `${RECORDS} select count(*) as total from records d ${FILTER}`;
const FIND = `${SELECT} where d.id = $3`;
// A delivery that is under way keeps its claim; whoever holds it decides what comes next.
const MAKE_DUE = `
  update webhook_deliveries set state = 'pending', next_attempt_at = $4
  where user_id = $1 and application_id = $2 and id = $3 and state <> 'superseded'
  returning id`;

/** What merchants see of their webhooks, and the one thing that they can do about them (api.md G6). */
@Injectable()
export class WebhookLogService {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly applications: ApplicationsService,
    private readonly loops: PollingLoops,
  ) {}

  /** Newest first. @throws NotFoundError for a foreign application */
  async list(
    userId: string,
    applicationId: string,
    query: ListDeliveriesQuery,
  ): Promise<{ items: DeliveryRecord[]; total: number }> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    const filter = [userId, id, query.paymentId ?? null, query.event ?? null, query.status ?? null];
    const [items, [counted]] = await Promise.all([
      this.sql.query<DeliveryRecord>(LIST, [...filter, query.limit, query.offset]),
      this.sql.query<{ total: string }>(COUNT, filter),
    ]);
    return { items, total: Number(counted?.total ?? 0) };
  }

  /** @throws NotFoundError */
  async get(userId: string, applicationId: string, deliveryId: string): Promise<DeliveryRecord> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    const [record] = UUID.test(deliveryId)
      ? await this.sql.query<DeliveryRecord>(FIND, [userId, id, deliveryId])
      : [];
    if (!record) throw new NotFoundError('not_found', 'Webhook delivery not found');
    return record;
  }

  /**
   * Makes a delivery due at once, also one that has succeeded. One that ran out of attempts gets one more.
   * @throws ConflictError when a reorganisation of the chain took back what it says
   */
  async redeliver(userId: string, applicationId: string, deliveryId: string): Promise<DeliveryRecord> {
    const { id } = await this.get(userId, applicationId, deliveryId);
    const due = await this.sql.query(MAKE_DUE, [userId, applicationId, id, this.clock.now()]);
    if (due.length === 0)
      throw new ConflictError('invalid_state_transition', 'What this webhook says is no longer true');
    this.loops.wake(WEBHOOKS_LOOP);
    return this.get(userId, applicationId, id);
  }
}
