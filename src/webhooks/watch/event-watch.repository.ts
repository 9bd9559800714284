import { Injectable } from '@nestjs/common';
import type { EventProgress } from '../../payments/audit/payment-records.pure.js';
import { type AnnouncedEvent, placeSql } from '../../payments/outbox.service.js';
import { columnsOf } from '../../platform/database/entity-sql.js';
import { Sql } from '../../platform/database/sql.js';
import { AttemptMacs } from '../attempt-macs.service.js';
import { WEBHOOK_ATTEMPTS, WebhookAttemptEntity } from '../webhook-attempt.entity.js';

/** How far an event came, as its rows say. */
export interface WatchedProgress extends EventProgress {
  isMoved: boolean;
  isFollowed: boolean;
  deliveryId: string | null;
  /** The delivery says of the event what the event says. */
  isOfEvent: boolean;
  /** The delivery says that it succeeded, now or once. */
  hasSucceeded: boolean;
  /** It waits for longer than what was answered lets it. */
  isPostponed: boolean;
}
/** Null: there is no such event. */
export interface Watched {
  id: string;
  event: AnnouncedEvent | null;
  progress: WatchedProgress;
}

export interface Asked {
  ids: readonly string[];
  /** And those that were created since. */
  since: Date;
  isOfApplicationsOnly: boolean;
  now: Date;
  /** Deliveries of events since then are still there. */
  loggedSince: Date;
  /** Between two attempts whose receiver asked for no other time. */
  longestGapSeconds: number;
}

const ATTEMPT = columnsOf(WebhookAttemptEntity, 'a', [...WEBHOOK_ATTEMPTS.fields, 'mac']);
const OF_DELIVERY = ['payment_id', 'application_id', 'user_id', 'seq', 'place', 'type', 'test_payment_id'];
const fieldsOf = (alias: string) => OF_DELIVERY.map((name) => `${alias}.${name}`).join(', ');

/** As PaymentEventRepository reads the events of payments; a first attempt is due at once. */
const READ = `
  with asked as materialized (
    select id from unnest($1::uuid[]) as watched (id)
    union
    select id from payment_events where created_at >= $2 and (not $3 or (payment_id is null and test_payment_id is null))
  ), moved as materialized (
    select of.id, max(l.at) as at from (
      select distinct e.user_id, e.application_id as id from payment_events e where e.id = any(array(select id from asked))) of
    join audit_log l on l.user_id = of.user_id and l.act = 'application.changed' and l.target_id = of.id::text
      and l.details ->> 'callbackChanged' = 'true'
    group by of.id
  )
  select asked.id as "askedId", e.id, e.payment_id as "paymentId", e.user_id as "userId", e.application_id as "applicationId",
    e.seq, e.type, e.body, e.created_at as "createdAt", e.test_payment_id as "testPaymentId", e.mac, e.dispatched_at is not null as "isDispatched",
    e.position is not null or e.payment_id is null as "hasPlace", e.superseded_at is not null as "isSuperseded",
    e.overtaken_at is not null as "isOvertaken",
    coalesce(e.created_at > $5 and (p.callback_url is not null or s.callback_url is not null)
      and (moved.at is null or moved.at < e.created_at - interval '1 minute'), false) as "isWanted",
    h.seq is not null as "isMoved", h.seq is not null or later.id is not null as "isFollowed",
    d.id as "deliveryId", d.state as "deliveryState",
    d.id is null or (${fieldsOf('d')}) is not distinct from (${fieldsOf('e')}) as "isOfEvent",
    coalesce(d.state = 'succeeded' or d.succeeded_at is not null, false) as "hasSucceeded",
    coalesce(d.state = 'pending' and d.next_attempt_at > greatest($4::timestamptz, now()) + case
      when d.attempts = 0 then interval '5 minutes'
      -- As long as it asked for: the comparison is null.
      when last.http_status in (429, 503) then null
      else make_interval(secs => $6) end, false) as "isPostponed",
    last.number is not null as "isAttempted"
  from asked left join payment_events e on e.id = asked.id
  left join payments p on p.id = e.payment_id
  left join sites s on s.application_id = e.application_id
  left join moved on moved.id = e.application_id
  left join webhook_deliveries d on d.event_id = e.id
  left join lateral (
    select h.seq from payment_status_history h
    where h.payment_id = e.payment_id and h.seq * 1000 > ${placeSql('e')} order by h.seq desc limit 1) h on true
  left join lateral (
    select later.id from payment_events later
    where later.payment_id = e.payment_id and ${placeSql('later')} > ${placeSql('e')} limit 1) later on true
  left join lateral (
    select a.number, a.http_status from webhook_attempts a
    where a.delivery_id = d.id order by a.number desc limit 1) last on true`;
const ACCEPTING = `
  select ${ATTEMPT.list} from webhook_attempts a
  where a.delivery_id = any($1::uuid[]) and a.http_status between 200 and 299`;
const OPEN = `
  (select event_id as id from webhook_deliveries where state in ('pending', 'blocked') order by id limit $1)
  union select id from (
    select id from payment_events where dispatched_at is null order by created_at limit $1) undispatched`;

/** Events and what their rows say about how far they came. */
@Injectable()
export class EventWatchRepository {
  constructor(
    private readonly sql: Sql,
    private readonly attempts: AttemptMacs,
  ) {}

  /** Events whose receivers do not have them yet. */
  async listOpen(most: number): Promise<string[]> {
    return (await this.sql.query<{ id: string }>(OPEN, [most])).map(({ id }) => id);
  }

  async read(asked: Asked): Promise<Watched[]> {
    const { ids, since, isOfApplicationsOnly, now, loggedSince, longestGapSeconds } = asked;
    const rows = await this.sql.query<
      WatchedProgress & { askedId: string } & (AnnouncedEvent | { id: null })
    >(READ, [ids, since, isOfApplicationsOnly, now, loggedSince, longestGapSeconds]);
    const succeeded = rows.flatMap(({ deliveryId, hasSucceeded }) =>
      hasSucceeded && deliveryId !== null ? deliveryId : [],
    );
    const accepted = await this.listAccepted(succeeded);
    return rows.map((row) => {
      const isAccepted = row.deliveryId !== null && accepted.has(row.deliveryId);
      return {
        id: row.askedId,
        event: row.id === null ? null : row,
        progress: { ...row, isAccepted },
      };
    });
  }

  /** Deliveries with an attempt that the gateway has made and that got a 2xx. */
  private async listAccepted(deliveryIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (deliveryIds.length === 0) return new Set();
    const attempts = (await this.sql.query<object>(ACCEPTING, [deliveryIds])).map(ATTEMPT.toEntity);
    return new Set(
      attempts.filter((row) => this.attempts.isAuthentic(row)).map(({ deliveryId }) => deliveryId),
    );
  }
}
