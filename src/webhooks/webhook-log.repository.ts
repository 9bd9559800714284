import { Injectable } from '@nestjs/common';
import type { EventType } from '../applications/event-types.pure.js';
import { namedStatement } from '../platform/database/named-statement.pure.js';
import { type Queryable, Sql } from '../platform/database/sql.js';
import {
  DELIVERY_COLUMNS,
  DELIVERY_PAGE,
  DELIVERY_PARTS,
  DELIVERY_STATUS,
  type LogFilter,
  type Slice,
} from './delivery-pages.repository.js';
import type {
  DeliveryStatus,
  ReplayableStatus,
  WebhookAttemptContract,
  WebhookDeliveryContract,
} from './webhook-delivery.contract.js';

/** A delivery of a payment's event or of a test, with its newest attempt. */
export interface DeliveryRecord extends Omit<
  WebhookDeliveryContract,
  'nextAttemptAt' | 'createdAt' | 'test'
> {
  nextAttemptAt: Date | null;
  createdAt: Date;
  isTest: boolean;
}

/** One HTTP attempt of a delivery, with the parts of its event that were sent. */
export interface AttemptRecord extends Omit<
  WebhookAttemptContract,
  'attempt' | 'requestHeaders' | 'startedAt'
> {
  number: number;
  startedAt: Date;
  eventId: string;
  event: EventType;
  isTest: boolean;
}

type Counted<T> = T & { total: string };
/** Beyond the last delivery there is a row with nothing but the total. */
type PageRow = Counted<DeliveryRecord> | { id: null; total: string };

/** Which failed deliveries to make due, oldest first. */
export interface Replay {
  userId: string;
  applicationId: string;
  since: Date;
  until: Date | null;
  /** Null: both. */
  status: ReplayableStatus | null;
  /** Continue after this delivery. */
  after: string | null;
  now: Date;
  limit: number;
}

/** The newest delivery of a payment's payment.received, with its last attempt. */
export interface NewestDelivery {
  paymentId: string;
  deliveryId: string;
  deliveryStatus: DeliveryStatus;
  attempt: number;
  lastAttemptAt: Date | null;
  httpStatus: number | null;
  errorMessage: string | null;
  nextAttemptAt: Date | null;
}

/** Of a payment, which has a few. $1 user, $2 application, $3 payment, $4 event, $5 status, $6 limit, $7 offset. */
const OF_PAYMENT = `
  select ${DELIVERY_COLUMNS}, count(*) over () as total
  from webhook_deliveries d ${DELIVERY_PARTS}
  where d.user_id = $1 and d.application_id = $2 and d.payment_id = $3
    and ($4::text is null or d.type = $4) and ($5::text is null or ${DELIVERY_STATUS} = $5)
  order by d.created_at desc, d.id desc limit $6 offset $7`;

/**
 * Tests, of which few are kept: read by their own index alone, and attempts for a page of them. Parameters as above.
 */
const LIST_TESTS = `
  select ${DELIVERY_COLUMNS}, d.total
  from (
    select d.*, count(*) over () as total
    from (select * from webhook_deliveries where application_id = $2 and test_payment_id is not null offset 0) d
    where d.user_id = $1 and ($3::uuid is null or d.test_payment_id = $3)
      and ($4::text is null or d.type = $4) and ($5::text is null or ${DELIVERY_STATUS} = $5)
    order by d.created_at desc, d.id desc limit $6 offset $7
  ) d ${DELIVERY_PARTS}
  order by d.created_at desc, d.id desc`;
/** Of a payment or of a test: events of applications are not in the log. $1 user, $2 application, $3 id. */
const FIND = `
  select ${DELIVERY_COLUMNS} from webhook_deliveries d ${DELIVERY_PARTS}
  where d.user_id = $1 and d.application_id = $2 and d.id = $3
    and (d.payment_id is not null or d.test_payment_id is not null)`;

/** $1 user, $2 delivery or test, $3 limit, $4 offset. */
const LIST_ATTEMPTS = `
  select a.number, a.url, a.http_status as "httpStatus", a.error as "errorMessage", a.response_body as "responseBody",
    a.connect_ms as "connectMs", a.first_byte_ms as "firstByteMs", a.duration_ms as "durationMs",
    a.created_at as "startedAt", d.event_id as "eventId", d.type as event, e.body as "requestBody",
    d.test_payment_id is not null as "isTest", count(*) over () as total
  from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id join payment_events e on e.id = d.event_id
  where a.delivery_id = $2 and d.user_id = $1
  order by a.number desc limit $3 offset $4`;

const NEWEST_DELIVERIES = `
  select d.payment_id as "paymentId", d.id as "deliveryId", d.attempts as attempt, d.last_error as "errorMessage",
    d.next_attempt_at as "nextAttemptAt", last.created_at as "lastAttemptAt", last.http_status as "httpStatus",
    case when d.state <> 'pending' then upper(d.state) when d.attempts = 0 then 'PENDING' else 'FAILED'
      end as "deliveryStatus"
  from (select distinct on (payment_id) * from webhook_deliveries
    where payment_id = any($1::uuid[]) and type = 'payment.received' order by payment_id, seq desc) d
  left join webhook_attempts last on last.delivery_id = d.id and last.number = d.attempts`;

/** A delivery in flight keeps its claim, and the result of that attempt decides its next state. */
const MAKE_DUE = `
  update webhook_deliveries set state = 'pending', next_attempt_at = $4
  where user_id = $1 and application_id = $2 and id = $3 and state <> 'superseded'
  returning id`;

/**
 * In the order of dispatch, which for each payment is the order of its events. Locked rows are waited for, not skipped,
 * so that of two concurrent replays neither makes a later event due before an earlier one.
 */
const MAKE_FAILED_DUE = namedStatement<Replay>(`
  with picked as (
    select d.id, d.created_at from webhook_deliveries d
    where d.user_id = :userId and d.application_id = :applicationId and d.payment_id is not null
      and d.created_at >= :since and (:until::timestamptz is null or d.created_at <= :until)
      and ((d.state = 'exhausted' and coalesce(:status, 'EXHAUSTED') = 'EXHAUSTED')
        or (d.state = 'pending' and d.attempts > 0 and coalesce(:status, 'FAILED') = 'FAILED'))
      and (:after::uuid is null or (d.created_at, d.id) > (
        select last.created_at, last.id from webhook_deliveries last where last.id = :after and last.application_id = :applicationId))
      and not exists (select from payment_events e where e.id = d.event_id and e.superseded_at is not null)
    order by d.created_at, d.id limit :limit
    for no key update of d
  ), due as (
    update webhook_deliveries d set state = 'pending', next_attempt_at = :now
    from picked where d.id = picked.id
    returning d.id, d.created_at
  )
  select id from due order by created_at, id`);

const LIST_FAILED = `
  select distinct d.user_id as "userId", d.application_id as "applicationId" from webhook_deliveries d
  where d.created_at >= $1 and d.payment_id is not null and (d.state = 'exhausted' or (d.state = 'pending' and d.attempts > 0))
  order by 2`;

/**
 * Ids begin with their time, so the primary key finds the oldest. Open deliveries stay, and so do exhausted ones of a
 * payment that still awaits acknowledgement: a merchant may redeliver them. A test goes with its event. Arrays, since for
 * a join Postgres would read all attempts with every batch. $1 first id to keep, $2 limit.
 */
const DELETE_OLD_DELIVERIES = `
  with old as (
    select d.id, d.event_id, d.test_payment_id from webhook_deliveries d left join payments p on p.id = d.payment_id
    where d.id < $1
      and (d.state in ('succeeded', 'exhausted', 'superseded', 'skipped')
        or (d.state = 'blocked' and d.test_payment_id is not null))
      and (d.state = 'exhausted' and p.status = 'RECEIVED' and p.acknowledged_at is null) is not true
    order by d.id limit $2 for update of d skip locked
  ), attempts as (
    delete from webhook_attempts where delivery_id = any (array(select id from old))
  ), tests as (
    delete from payment_events where id = any (array(select event_id from old where test_payment_id is not null))
  )
  delete from webhook_deliveries where id = any (array(select id from old)) returning id`;

/** The delivery log: reads deliveries, makes them due again and deletes old ones. */
@Injectable()
export class WebhookLogRepository {
  constructor(private readonly sql: Sql) {}

  /** Newest first; test events or deliveries. */
  async list(
    isTest: boolean,
    filter: LogFilter,
    { limit, offset }: Slice,
  ): Promise<{ items: DeliveryRecord[]; total: number }> {
    if (!isTest && filter.paymentId === null) {
      const rows = await this.sql.query<PageRow>(
        DELIVERY_PAGE.text,
        DELIVERY_PAGE.values({ ...filter, limit, offset }),
      );
      const items = rows.flatMap((row) => (row.id === null ? [] : withoutTotal(row)));
      return { items, total: Number(rows[0]?.total ?? 0) };
    }
    const { userId, applicationId, paymentId, event, status } = filter;
    const values = [userId, applicationId, paymentId, event, status];
    return this.listCounted<DeliveryRecord>(isTest ? LIST_TESTS : OF_PAYMENT, values, { limit, offset });
  }

  /** A delivery or a test event. */
  async find(userId: string, applicationId: string, id: string): Promise<DeliveryRecord | null> {
    const [record] = await this.sql.query<DeliveryRecord>(FIND, [userId, applicationId, id]);
    return record ?? null;
  }

  /** Newest first. */
  async listAttempts(
    userId: string,
    id: string,
    { limit, offset }: Slice,
  ): Promise<{ items: AttemptRecord[]; total: number }> {
    return this.listCounted<AttemptRecord>(LIST_ATTEMPTS, [userId, id], { limit, offset });
  }

  /** Every row has the total; beyond the last page there is no row, so the first one is read for it. */
  private async listCounted<T>(
    statement: string,
    values: readonly unknown[],
    { limit, offset }: Slice,
  ): Promise<{ items: Omit<Counted<T>, 'total'>[]; total: number }> {
    const read = (first: number, skipped: number) =>
      this.sql.query<Counted<T>>(statement, [...values, first, skipped]);
    const items = await read(limit, offset);
    const [first] = items.length > 0 ? items : await read(1, 0);
    return { items: items.map(withoutTotal), total: Number(first?.total ?? 0) };
  }

  /** The newest payment.received delivery of each of the payments that has one. */
  newestOfReceivedPayments(paymentIds: readonly string[]): Promise<NewestDelivery[]> {
    return this.sql.query(NEWEST_DELIVERIES, [paymentIds]);
  }

  /** False: the delivery is superseded. */
  async makeDue(
    tx: Queryable,
    { userId, applicationId, id, now }: { userId: string; applicationId: string; id: string; now: Date },
  ): Promise<boolean> {
    return (await tx.query(MAKE_DUE, [userId, applicationId, id, now])).length > 0;
  }

  /** Returns the ids of the deliveries, oldest first. */
  async makeFailedDue(tx: Queryable, replay: Replay): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(MAKE_FAILED_DUE.text, MAKE_FAILED_DUE.values(replay));
    return rows.map(({ id }) => id);
  }

  /** Applications with deliveries that {@link makeFailedDue} could pick. */
  listFailed(since: Date): Promise<{ userId: string; applicationId: string }[]> {
    return this.sql.query(LIST_FAILED, [since]);
  }

  /** Deletes up to `limit` deliveries before an id. True if there may be more. */
  async deleteBefore(firstIdToKeep: string, limit: number): Promise<boolean> {
    return (await this.sql.query(DELETE_OLD_DELIVERIES, [firstIdToKeep, limit])).length === limit;
  }
}

function withoutTotal<T extends { total: string }>({ total: _total, ...row }: T): Omit<T, 'total'> {
  return row;
}
