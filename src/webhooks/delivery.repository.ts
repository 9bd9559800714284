import { Injectable } from '@nestjs/common';
import { type JoinedSite, SITE_VERSION } from '../applications/joined-sites.service.js';
import type { SealedSigningSecrets } from '../applications/signing-secrets.service.js';
import { type NamedStatement, namedStatement } from '../platform/database/named-statement.pure.js';
import { type Queryable, Sql } from '../platform/database/sql.js';
import { type AnnouncedEvent, type NewTestEvent, placeSql } from '../payments/outbox.service.js';
import { AttemptMacs } from './attempt-macs.service.js';
import type { DeliveryState } from './delivery-state.pure.js';

/*
 * Lock order everywhere: payment, event, delivery. A transaction that moves a payment locks it first and may then mark
 * its events, so a holder of a delivery or an event must not wait for a payment: claims skip locked rows, and
 * recording an attempt calls into payments before it touches the delivery. Leases use the database's clock, on which
 * all instances agree; whether a delivery is due is decided by the caller's clock.
 *
 * docs/explanation/benchmarks.md (`hook-drain`) has what the statements cost and which alternatives were measured.
 */

/** A delivery that this process may send until its lease ends. */
export interface ClaimedDelivery
  extends SealedSigningSecrets, JoinedSite, Omit<AnnouncedEvent, 'id' | 'createdAt'> {
  id: string;
  eventId: string;
  /** Number of finished attempts. */
  attempts: number;
  firstAttemptAt: Date | null;
  /** Seconds by which Retry-After has postponed attempts so far. */
  deferredSeconds: number;
  leaseToken: string;
  /** When the event was created. */
  eventAt: Date;
  /** A reorg undid what the event says (specification/payment-states.md#reorganizations). */
  isSuperseded: boolean;
  /** A later event of the payment made this one obsolete. */
  isOvertaken: boolean;
}

/** A row per dispatched event. Without an id its delivery was not created or is not the caller's to send. */
export type DispatchedEvent = { applicationId: string; isMade: boolean; isMore: boolean } & (
  ClaimedDelivery | { id: null }
);
/** A claimed delivery; the number of due deliveries and the last application among them are the same in all rows. */
export type ClaimedRow = ClaimedDelivery & { ofDue: number; lastApplication: string };

/** Parameters that every claim has. */
export interface ClaimParameters {
  now: Date;
  leaseToken: string;
  leaseSeconds: number;
  /** The most deliveries that may be claimed, in all, per endpoint and per owner. */
  claimLimit: number;
  perEndpoint: number;
  perOwner: number;
  /** Endpoints and owners with fewer free slots than `perEndpoint` and `perOwner`; slots[i] belongs to ids[i]. */
  endpointIds: readonly string[];
  endpointSlots: readonly number[];
  ownerIds: readonly string[];
  ownerSlots: readonly number[];
}

export interface DispatchParameters extends ClaimParameters {
  /** The most events to dispatch. */
  limit: number;
  /** That many ids for the new deliveries, ascending. */
  newIds: readonly string[];
}

/** One array per column, with one element per delivery. Attempt columns are null where nothing was sent. */
export interface EndingColumns {
  ids: readonly string[];
  leaseTokens: readonly string[];
  states: readonly DeliveryState[];
  /** Number of finished attempts, this one included. */
  attempts: readonly number[];
  nextAttemptAts: readonly (Date | null)[];
  succeededAts: readonly (Date | null)[];
  lastErrors: readonly (string | null)[];
  deferredSeconds: readonly number[];
  startedAts: readonly (Date | null)[];
  urls: readonly (string | null)[];
  httpStatuses: readonly (number | null)[];
  errors: readonly (string | null)[];
  responseBodies: readonly (string | null)[];
  /** Milliseconds from the start of the attempt to the connection, the first byte and the end of the response. */
  connectMs: readonly (number | null)[];
  firstByteMs: readonly (number | null)[];
  durationMs: readonly (number | null)[];
}

/**
 * The oldest undispatched event of each payment, locked; events that another instance has locked are skipped.
 *
 * Here and below, a statement must read no more of a backlog than it takes, even before Postgres has statistics of it:
 * `(dispatched_at is null) is not false` is the same as `dispatched_at is null`, but no plan can use the index of the
 * undispatched events for it, which is as long as the backlog; and `limit (select …)` has no value that the planner
 * knows, so it reads an index in its order instead of sorting all that it leads to (test/webhook-backlog.e2e-spec.ts).
 */
const PICKED_EVENTS = `
  oldest as materialized (
    -- Ids alone, and no more than are taken: a long backlog must not make a poll slower. MATERIALIZED and OFFSET 0
    -- keep the planner from reading all of it, because the statistics do not know a fresh backlog yet.
    select id, payment_id, seq, place from payment_events where dispatched_at is null order by created_at limit (select :limit::bigint)
  ), first as materialized (
    select id from oldest
    where not exists (
      select from payment_events earlier
      where earlier.payment_id = oldest.payment_id and ${placeSql('earlier')} < ${placeSql('oldest')}
        and (earlier.dispatched_at is null) is not false
      offset 0)
  ), heads as materialized (
    select id from first
    union all (
      -- After a clock was set back, any number of later events can precede their earlier ones by time.
      select id from payment_events e
      where not exists (select from first) and dispatched_at is null
        and not exists (
          select from payment_events earlier
          where earlier.payment_id = e.payment_id and ${placeSql('earlier')} < ${placeSql('e')}
            and (earlier.dispatched_at is null) is not false
          offset 0)
      order by created_at limit (select :limit::bigint))
  ), picked as (
    select id, payment_id, application_id, user_id, seq, place, type, body, superseded_at, overtaken_at, created_at, mac,
      test_payment_id
    from payment_events where id = any(array(select id from heads)) and (dispatched_at is null) is not false
    for no key update skip locked)`;

/**
 * The picked events, those of moves of payments with their place in the feed. `is_needed`: there is something to deliver; `is_next`: nothing holds
 * the delivery back; `is_claimed`: the caller has capacity for it.
 */
const READY_EVENTS = `
  feed as (
    update event_feed set last_position = last_position + (select count(payment_id) from picked)
    where is_only and exists (select from picked)
    returning last_position - (select count(payment_id) from picked) as before
  ), assessed as (
    select picked.*, ${SITE_VERSION} as site_version,
      a.sealed_secret, a.sealed_previous_secret, a.previous_secret_until,
      row_number() over w as nth, case when picked.payment_id is not null and picked.superseded_at is null then feed.before + count(picked.payment_id) over w end as position,
      picked.superseded_at is null and picked.overtaken_at is null
        and (coalesce(p.callback_url, s.callback_url) is not null
          or (picked.type = 'payment.received' and p.status = 'RECEIVED' and p.acknowledged_at is null)) as is_needed,
      (coalesce(p.callback_url, s.callback_url) is null
          or not exists (select from webhook_endpoints paused where paused.application_id = picked.application_id))
        and not exists (
          select from webhook_deliveries earlier where earlier.payment_id = picked.payment_id
            and ${placeSql('earlier')} < ${placeSql('picked')} and earlier.state in ('pending', 'blocked') offset 0) as is_next
    from picked cross join feed
    left join payments p on p.id = picked.payment_id
    left join sites s on s.application_id = picked.application_id
    left join payment_applications a on a.id = picked.application_id
    window w as (order by picked.created_at, picked.id)
  ), ranked as (
    -- At most one event per payment, so delivery ids of a payment ascend in the order of its events.
    select assessed.*,
      row_number() over (partition by is_needed and is_next order by nth) as place_in_all,
      row_number() over (partition by is_needed and is_next, application_id order by nth) as place_at_endpoint,
      row_number() over (partition by is_needed and is_next, user_id order by nth) as place_of_owner
    from assessed
  ), ready as (
    select ranked.*, (:newIds::uuid[])[nth] as delivery_id,
      is_needed and is_next and place_in_all <= :claimLimit and place_at_endpoint <= coalesce(endpoint.slots, :perEndpoint)
        and place_of_owner <= coalesce(owner.slots, :perOwner) as is_claimed
    from ranked
    left join unnest(:endpointIds::uuid[], :endpointSlots::integer[]) as endpoint (id, slots)
      on endpoint.id = ranked.application_id
    left join unnest(:ownerIds::text[], :ownerSlots::integer[]) as owner (id, slots) on owner.id = ranked.user_id)`;

/**
 * Turns undispatched events into deliveries. `dispatched_at` is the claim and `position` the place in the feed: the
 * events of a payment keep their order, and later dispatches get later places, because the feed's row is locked until
 * the commit. (In a restored database a trigger makes that row skip the lost places, so the update returns the result.)
 *
 * There is no delivery for an event that a reorg superseded, which gets no place in the feed either, or that a later event
 * overtook, nor without an endpoint. The
 * exception is a payment.received that still awaits acknowledgement because its URL was removed meanwhile: its
 * delivery finds no endpoint and acknowledges (specification/payment-states.md#confirmed).
 *
 * The caller claims as many new deliveries as it has capacity for and sends them without another query. The others
 * wait for {@link CLAIM_FROM_ALL}: those of a paused endpoint, and those whose payment has an earlier one open. A pause
 * matters only where there is an endpoint; without one, payments are confirmed at once.
 */
const DISPATCH_EVENTS = namedStatement<DispatchParameters>(`
  with ${PICKED_EVENTS}, ${READY_EVENTS}, made as (
    insert into webhook_deliveries
      (id, event_id, payment_id, application_id, user_id, seq, place, type, created_at, next_attempt_at, lease_token, lease_until)
    select delivery_id, id, payment_id, application_id, user_id, seq, place, type, :now, :now,
      case when is_claimed then :leaseToken::uuid end,
      case when is_claimed then clock_timestamp() + make_interval(secs => :leaseSeconds) end
    from ready where is_needed
  ), dispatched as (
    update payment_events set dispatched_at = :now, position = ready.position
    from ready where payment_events.id = any(array(select id from ready)) and payment_events.id = ready.id
  )
  select application_id as "applicationId", is_needed as "isMade", case when is_claimed then delivery_id end as id,
    id as "eventId", payment_id as "paymentId", test_payment_id as "testPaymentId", seq, mac, user_id as "userId", type, 0 as attempts,
    null::timestamptz as "firstAttemptAt", 0 as "deferredSeconds", :leaseToken::uuid as "leaseToken",
    case when is_claimed then body end as body, created_at as "eventAt",
    superseded_at is not null as "isSuperseded", overtaken_at is not null as "isOvertaken",
    site_version as "siteVersion", sealed_secret as "sealedSecret",
    sealed_previous_secret as "sealedPreviousSecret", previous_secret_until as "previousSecretUntil",
    (select count(*) from oldest) = :limit or (select count(*) from oldest) > (select count(*) from picked) as "isMore"
  from ready`);

/** Nobody is sending it. A lease that lies further ahead than any process writes, whatever its settings, holds nothing. */
const isFree = (row: 'd.' | '') =>
  `(${row}lease_until is null or ${row}lease_until not between clock_timestamp() and clock_timestamp() + interval '1 hour')`;

/** The due deliveries, oldest first per endpoint, with their rank within their owner's. */
const DUE_DELIVERIES = `
  due as (
    select oldest.*, row_number() over (partition by oldest.user_id order by oldest.next_attempt_at) as place_of_owner
    from (
      select oldest.* from (
        select id, case when exists (
            select from webhook_endpoints paused join sites s on s.application_id = paused.application_id
            where paused.application_id = endpoint.id and s.callback_url is not null) then '-infinity'::timestamptz else :now::timestamptz end as until
        from endpoint where id is not null
      ) endpoint cross join lateral (
        select d.id, d.application_id, d.user_id, d.next_attempt_at from webhook_deliveries d
        where d.application_id = endpoint.id and d.state = 'pending' and d.next_attempt_at <= endpoint.until
          and ${isFree('d.')}
          and not exists (
            select from webhook_deliveries earlier
            where earlier.payment_id = d.payment_id and ${placeSql('earlier')} < ${placeSql('d')} and earlier.state in ('pending', 'blocked'))
          and not exists (
            select from payment_events earlier
            where earlier.payment_id = d.payment_id and ${placeSql('earlier')} < ${placeSql('d')} and (earlier.dispatched_at is null) is not false)
          and not exists (
            select from unnest(:ownerIds::text[], :ownerSlots::integer[]) as full_owner (id, slots)
            where full_owner.id = d.user_id and full_owner.slots = 0)
          -- A pause also holds back deliveries to a payment's own URL, even where the application has none.
          and not exists (
            select from webhook_endpoints paused join payments p on p.id = d.payment_id
            where paused.application_id = d.application_id and p.callback_url is not null offset 0)
        order by d.next_attempt_at
        limit coalesce((
          select slots from unnest(:endpointIds::uuid[], :endpointSlots::integer[]) as less (id, slots)
          where less.id = endpoint.id), :perEndpoint)
      ) oldest
      limit :claimLimit
    ) oldest)`;

/**
 * Claims due deliveries, the oldest of each endpoint first and no more than its capacity, so that one merchant's backlog
 * cannot fill a claim. Tests are due before all else. Other deliveries of paused endpoints are held back, and every delivery of a payment that has an
 * earlier one open or blocked, or an earlier event not yet dispatched. Endpoints are visited in the order of their ids
 * until the limit is reached; the next claim continues after the last of them.
 * @param endpoints selects the ids of the applications to visit
 */
function claimFrom<Parameters extends ClaimParameters>(endpoints: string): NamedStatement<Parameters> {
  return namedStatement(`
  with recursive endpoint as (${endpoints}), ${DUE_DELIVERIES}, claimed as (
    -- Checked again under the row lock: another instance may have claimed and finished it since the snapshot.
    select id from webhook_deliveries
    where id = any(array(
        select due.id from due
        left join unnest(:ownerIds::text[], :ownerSlots::integer[]) as owner (id, slots) on owner.id = due.user_id
        where due.place_of_owner <= coalesce(owner.slots, :perOwner)))
      and (state = 'pending') is not false and next_attempt_at <= :now
      and ${isFree('')}
    for no key update skip locked
  )
  update webhook_deliveries d set lease_token = :leaseToken,
    lease_until = clock_timestamp() + make_interval(secs => :leaseSeconds)
  from claimed, payment_events e, sites s, payment_applications a
  where d.id = claimed.id and e.id = d.event_id and s.application_id = d.application_id and a.id = d.application_id
  returning d.id, d.event_id as "eventId", d.payment_id as "paymentId", d.test_payment_id as "testPaymentId", d.seq, e.mac,
    d.application_id as "applicationId", d.user_id as "userId", d.type, d.attempts, d.first_attempt_at as "firstAttemptAt",
    d.deferred_seconds as "deferredSeconds", d.lease_token as "leaseToken",
    e.body, e.created_at as "eventAt", e.superseded_at is not null as "isSuperseded",
    d.overtaken_at is not null as "isOvertaken", ${SITE_VERSION} as "siteVersion",
    a.sealed_secret as "sealedSecret", a.sealed_previous_secret as "sealedPreviousSecret", a.previous_secret_until as "previousSecretUntil",
    (select count(*)::integer from due) as "ofDue", (select max(application_id::text) from due) as "lastApplication"`);
}

/** All applications with a pending delivery after :after, by one index probe each instead of a scan of the backlog. */
const CLAIM_FROM_ALL = claimFrom<ClaimParameters & { after: string }>(`
    (select application_id as id from webhook_deliveries
     where state = 'pending' and application_id > :after order by application_id limit 1)
    union all
    select (select application_id from webhook_deliveries
            where state = 'pending' and application_id > endpoint.id order by application_id limit 1)
    from endpoint where endpoint.id is not null`);

const CLAIM_FROM_NAMED = claimFrom<ClaimParameters & { applicationIds: readonly string[] }>(
  'select unnest(:applicationIds::uuid[]) as id',
);

/**
 * Ends claims and inserts their attempts, except where another process holds the lease by now. Returns the deliveries
 * whose lease was still valid.
 */
const END_CLAIMS = namedStatement<EndingColumns & { macs: readonly (string | null)[] }>(`
  with ending as (
    select * from unnest(
      :ids::uuid[], :leaseTokens::uuid[], :states::text[], :attempts::integer[],
      :nextAttemptAts::timestamptz[], :succeededAts::timestamptz[], :lastErrors::text[], :deferredSeconds::integer[],
      :startedAts::timestamptz[], :urls::text[], :httpStatuses::integer[], :errors::text[], :responseBodies::text[],
      :connectMs::integer[], :firstByteMs::integer[], :durationMs::integer[], :macs::text[])
    as ending (
      id, lease_token, state, attempts,
      next_attempt_at, succeeded_at, last_error, deferred_seconds,
      started_at, url, http_status, error, response_body,
      connect_ms, first_byte_ms, duration_ms, mac)
  ), locked as materialized (
    -- In the order of ids, as replays lock, to avoid deadlocks: each costs the deadlock timeout of a second. And by
    -- ids, because a join would read the whole table until it has statistics.
    select id from webhook_deliveries where id = any(array(select id from ending)) order by id for no key update
  ), ended as (
    -- An overtaken delivery is not retried.
    update webhook_deliveries d set attempts = ending.attempts,
      state = case when d.overtaken_at is not null and ending.state in ('pending', 'blocked') then 'superseded'
        else ending.state end,
      first_attempt_at = coalesce(d.first_attempt_at, ending.started_at),
      next_attempt_at = case when d.overtaken_at is null then ending.next_attempt_at end,
      deferred_seconds = ending.deferred_seconds,
      succeeded_at = coalesce(ending.succeeded_at, d.succeeded_at),
      last_error = ending.last_error, lease_token = null, lease_until = null
    from ending
    where d.id = any(array(select id from locked)) and d.id = ending.id and d.lease_token = ending.lease_token
    returning d.id, d.user_id, ending.attempts, ending.started_at, ending.url, ending.http_status, ending.error,
      ending.response_body, ending.connect_ms, ending.first_byte_ms, ending.duration_ms, ending.mac
  ), logged as (
    insert into webhook_attempts
      (delivery_id, user_id, number, url, http_status, error, response_body, connect_ms, first_byte_ms, duration_ms,
       created_at, mac)
    select id, user_id, attempts, url, http_status, error, response_body, connect_ms, first_byte_ms, duration_ms,
      started_at, mac
    from ended where started_at is not null
  )
  select id from ended`);

/** Newest tests of an application that are kept, beside those that still wait. */
export const KEPT_TESTS = 1_000;
const INSERT_TEST = `
  insert into webhook_deliveries (id, event_id, application_id, user_id, type, created_at, next_attempt_at, test_payment_id)
  values ($1, $2, $3, $4, $5, $6, '-infinity', $7)`;
/** $1 application, $2 how many to keep. */
const DELETE_SURPLUS_TESTS = `
  with surplus as (
    select id, event_id from webhook_deliveries
    where state <> 'pending' and id = any(array(
      select id from webhook_deliveries where application_id = $1 and test_payment_id is not null
      order by created_at desc, id desc offset $2))
    for update skip locked
  ), attempts as (
    delete from webhook_attempts where delivery_id = any(array(select id from surplus))
  ), deliveries as (
    delete from webhook_deliveries where id = any(array(select id from surplus))
  )
  delete from payment_events where id = any(array(select event_id from surplus))`;

/** Deliveries and their attempts: the only place of SQL that changes them, but for retention and redelivery. */
@Injectable()
export class DeliveryRepository {
  constructor(
    private readonly sql: Sql,
    private readonly attempts: AttemptMacs,
  ) {}

  /** Creates deliveries of new events and claims some of them; a row per dispatched event. */
  dispatch(parameters: DispatchParameters): Promise<DispatchedEvent[]> {
    return this.sql.query(DISPATCH_EVENTS.text, DISPATCH_EVENTS.values(parameters));
  }

  /** @param after an application id; only those after it are visited */
  claimFromAll(parameters: ClaimParameters & { after: string }): Promise<ClaimedRow[]> {
    return this.sql.query(CLAIM_FROM_ALL.text, CLAIM_FROM_ALL.values(parameters));
  }

  claimFromNamed(parameters: ClaimParameters & { applicationIds: readonly string[] }): Promise<ClaimedRow[]> {
    return this.sql.query(CLAIM_FROM_NAMED.text, CLAIM_FROM_NAMED.values(parameters));
  }

  /** Due at once. A person makes them one by one, so there is time to delete the oldest beyond {@link KEPT_TESTS}. */
  async insertTest(id: string, event: NewTestEvent): Promise<void> {
    const { applicationId, userId, type, createdAt, testPaymentId } = event;
    await this.sql.query(INSERT_TEST, [id, event.id, applicationId, userId, type, createdAt, testPaymentId]);
    await this.sql.query(DELETE_SURPLUS_TESTS, [applicationId, KEPT_TESTS]);
  }

  /** Returns the deliveries whose lease was still valid. */
  endClaims(on: Queryable, endings: EndingColumns): Promise<{ id: string }[]> {
    return on.query(END_CLAIMS.text, END_CLAIMS.values({ ...endings, macs: this.attempts.macsOf(endings) }));
  }
}
