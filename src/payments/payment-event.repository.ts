import { Injectable } from '@nestjs/common';
import { type ApplicationEventType, type EventType, OVERTAKEN } from '../applications/event-types.pure.js';
import { bulkInsert, columnsOf, rowsOf } from '../platform/database/entity-sql.js';
import { Sql } from '../platform/database/sql.js';
import type { AuthenticatedRows } from '../platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../platform/integrity/row-authenticator.service.js';
import type { EventProgress } from './audit/payment-records.pure.js';
import { placeOf, placeSql } from './event-place.pure.js';
import { PAYMENT_EVENTS, PaymentEventEntity } from './payment-event.entity.js';

type AuthenticatedField = (typeof PAYMENT_EVENTS.fields)[number];
/** The place of an event among those of its payment. */
export interface EventPlace {
  paymentId: string;
  /** Of the move that it announces; null: of payment.updated, which has a place instead. */
  seq: number | null;
  place: number | null;
}
/** What is announced, with its MAC. */
export type AnnouncedEvent = Pick<PaymentEventEntity, AuthenticatedField | 'mac'>;
/** What every event has. */
type AnyEvent = Pick<PaymentEventEntity, 'id' | 'userId' | 'applicationId' | 'body' | 'createdAt'>;
/** An event of a move of a payment. */
export interface NewEvent extends AnyEvent, EventPlace {
  type: EventType;
}
/** An event that follows no move. */
export interface NewApplicationEvent extends AnyEvent {
  type: ApplicationEventType;
}
/** An event that did not happen, of a payment that does not exist. Its delivery is created with it. */
export interface NewTestEvent extends AnyEvent {
  type: EventType;
  testPaymentId: string;
}

const INSERT = bulkInsert(PaymentEventEntity, [...PAYMENT_EVENTS.fields, 'place', 'dispatchedAt', 'mac']);
/** What an event that follows no move, or that happened, does not have. */
const NOTHING = { paymentId: null, seq: null, place: null, testPaymentId: null };
const GONE = rowsOf(PaymentEventEntity, ['paymentId', 'type'], { after: 1, as: 'gone' });
const LATER = rowsOf(PaymentEventEntity, ['paymentId', 'place'], { after: 2, as: 'later' });
const LATER_DELIVERY = rowsOf(PaymentEventEntity, ['paymentId', 'place'], { after: 3, as: 'later' });
// Not before it was dispatched: from then on it is in the feed, and stays there.
const SUPERSEDE = `
  update payment_events e set superseded_at = greatest($1, e.dispatched_at) from ${GONE.from}
  where e.payment_id = gone.payment_id and e.type = gone.type and e.superseded_at is null`;
// Two statements: the first waits for a dispatcher that is creating the delivery of the event at the same time, and the
// second then sees that delivery. An attempt that is under way may end.
const OVERTAKE_EVENTS = `
  update payment_events e set overtaken_at = $1 from ${LATER.from}
  where e.payment_id = later.payment_id and ${placeSql('e')} < later.place and e.overtaken_at is null and e.type = any($2)`;
const OVERTAKE_DELIVERIES = `
  with moment as materialized (select clock_timestamp() as now)
  update webhook_deliveries d set overtaken_at = $1,
    state = case when d.lease_until >= moment.now then d.state else 'superseded' end,
    next_attempt_at = case when d.lease_until >= moment.now then d.next_attempt_at end,
    last_error = case when d.lease_until >= moment.now then d.last_error else $3 end,
    lease_token = case when d.lease_until >= moment.now then d.lease_token end,
    lease_until = case when d.lease_until >= moment.now then d.lease_until end
  from moment
  where d.state in ('pending', 'blocked') and d.id = any(array(
    select o.id from webhook_deliveries o
    join ${LATER_DELIVERY.from} on o.payment_id = later.payment_id
    where ${placeSql('o')} < later.place and o.state in ('pending', 'blocked') and o.type = any($2)
    order by o.id for no key update of o))`;

const STANDING = `
  select payment_id as "paymentId" from payment_events
  where id = any($1::uuid[]) and type = 'payment.received' and superseded_at is null and payment_id is not null`;
const LISTENING = `
  select s.application_id as id from sites s join payment_applications a on a.id = s.application_id
  where s.application_id = any ($1::uuid[]) and $2 = any (s.events) and s.callback_url is not null
    and a.deleted_at is null`;
const EVENT = columnsOf(PaymentEventEntity, 'e', [
  'paymentId',
  'id',
  'seq',
  'place',
  'type',
  'body',
  'createdAt',
]);
/** $2: deliveries of events since then are still there. A changed address takes effect within a minute. */
const LIST = `
  with moved as materialized (
    select of.id, max(l.at) as at from (
      select distinct user_id, application_id as id from payment_events where payment_id = any($1::uuid[])) of
    join audit_log l on l.user_id = of.user_id and l.act = 'application.changed' and l.target_id = of.id::text
      and l.details ->> 'callbackChanged' = 'true'
    group by of.id
  )
  select ${EVENT.list}, e.dispatched_at is not null as "isDispatched", e.position is not null as "hasPlace",
    e.superseded_at is not null as "isSuperseded", e.overtaken_at is not null as "isOvertaken",
    e.created_at > $2 and (p.callback_url is not null or s.callback_url is not null
      and (moved.at is null or moved.at < e.created_at - interval '1 minute')) as "isWanted",
    d.state as "deliveryState",
    exists (select from webhook_attempts a where a.delivery_id = d.id) as "isAttempted",
    exists (select from webhook_attempts a where a.delivery_id = d.id and a.http_status between 200 and 299)
      as "isAccepted"
  from payment_events e
  join payments p on p.id = e.payment_id
  left join sites s on s.application_id = e.application_id
  left join moved on moved.id = e.application_id
  left join webhook_deliveries d on d.event_id = e.id
  where e.payment_id = any($1::uuid[]) order by e.payment_id, ${placeSql('e')}`;

/** An event, and how far its announcement came. */
export interface EventWithDelivery
  extends EventPlace, Pick<PaymentEventEntity, 'id' | 'body' | 'createdAt'>, EventProgress {
  type: EventType;
}

/**
 * The outbox (payment_events). The module `webhooks` sends what is in it; what is written here to deliveries must be
 * part of the payment's transaction. Every statement is sent at once.
 */
@Injectable()
export class PaymentEventRepository {
  private readonly authenticated: AuthenticatedRows<PaymentEventEntity, AuthenticatedField>;

  constructor(
    private readonly sql: Sql,
    authenticator: RowAuthenticator,
  ) {
    this.authenticated = authenticator.register(PAYMENT_EVENTS);
  }

  async insert(events: readonly (NewEvent | NewApplicationEvent | NewTestEvent)[]): Promise<void> {
    const rows = events
      .map((event) => ({ ...NOTHING, ...event }))
      .map((event) => ({
        ...event,
        dispatchedAt: event.testPaymentId === null ? null : event.createdAt,
        mac: this.authenticated.mac(event),
      }));
    await this.sql.query(INSERT.text, INSERT.values(rows));
  }

  /**
   * Withdraws events that are no longer true: they are not sent any more
   * (specification/payment-states.md#reorganizations).
   */
  async supersede(events: readonly { paymentId: string; type: EventType }[], at: Date): Promise<void> {
    await this.sql.query(SUPERSEDE, [at, ...GONE.values(events)]);
  }

  /** Withdraws events of these types that precede later events, so that they never hold those back. */
  async overtake(types: readonly EventType[], later: readonly EventPlace[], at: Date): Promise<void> {
    const places = later.map((event) => ({ ...event, place: placeOf(event) }));
    await Promise.all([
      this.sql.query(OVERTAKE_EVENTS, [at, types, ...LATER.values(places)]),
      this.sql.query(OVERTAKE_DELIVERIES, [at, types, OVERTAKEN, ...LATER_DELIVERY.values(places)]),
    ]);
  }

  /** Whether the gateway wrote it as it is; otherwise it is reported. */
  isAuthentic(event: AnnouncedEvent): boolean {
    return this.authenticated.isAuthentic(event);
  }

  /** Those of the applications that list the event and have a callback URL; deleted ones do not listen. */
  async listListening(applicationIds: readonly string[], type: ApplicationEventType): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(LISTENING, [applicationIds, type]);
    return rows.map(({ id }) => id);
  }

  /** Ids of the payments of those `payment.received` events that no reorganization has superseded. */
  async listPaymentsReceived(eventIds: readonly string[]): Promise<string[]> {
    const rows = await this.sql.query<{ paymentId: string }>(STANDING, [eventIds]);
    return rows.map(({ paymentId }) => paymentId);
  }

  /** The events of some payments, each in order. @param loggedSince the log of deliveries goes back that far */
  async listByPayments(paymentIds: readonly string[], loggedSince: Date): Promise<EventWithDelivery[]> {
    const rows = await this.sql.query<EventProgress>(LIST, [paymentIds, loggedSince]);
    return rows.map((row) => ({
      ...row,
      ...(EVENT.toEntity(row) as Omit<EventWithDelivery, keyof EventProgress>),
    }));
  }
}
