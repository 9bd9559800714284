/**
 * The statements of the outbox. Lock order everywhere: payment, event, delivery. A transaction that moves a
 * payment locks it first and may then mark its events; so whoever holds a delivery or an event never waits for
 * a payment: claims skip what is locked, and recording an answer calls into payments before it touches the
 * delivery. Leases run on the database's clock (all instances agree); what is due is judged by the caller's.
 */

/**
 * Turns undispatched events into deliveries. `dispatched_at` is the claim and `position` the place in the feed: the
 * events of a payment keep their order, and later dispatches get later places, because the feed's row is locked until
 * the commit. (In a restored database a trigger makes that row skip the lost places, so the update returns the result.)
 *
 * There is no delivery for an event that a reorg superseded or a standard event overtook, nor without an endpoint. The
 * exception is a payment.received that still awaits acknowledgement because its URL was removed meanwhile: its
 * delivery finds no endpoint and acknowledges (specification/payment-states.md#confirmed).
 *
 * The caller claims as many new deliveries as it has capacity for and sends them without another query. The others
 * wait for {@link CLAIM_RING}: those of a paused endpoint, and those whose payment has an earlier one open. A pause
 * matters only where there is an endpoint; without one, payments are confirmed at once.
 *
 * Returns a row per event; `id` is null unless the caller is to send its delivery.
 * $1 now, $2 limit, $3 that many new ids, $4 lease token, $5 lease seconds, $6 how many may be claimed, $7 of one
 * endpoint, $8 and $9 endpoints with less capacity, $10 of one owner, $11 and $12 owners with less capacity.
 */
export const DISPATCH_EVENTS = `
  with oldest as materialized (
    -- Ids alone, and no more than are taken: a long backlog must cost a turn no more than a short one. What keeps
    -- the plan from reading all of it is written out, because a fresh backlog is not in the statistics.
    select id, payment_id, seq from payment_events where dispatched_at is null order by created_at limit $2
  ), first as materialized (
    select id from oldest
    where not exists (
      select from payment_events earlier
      where earlier.payment_id = oldest.payment_id and earlier.seq < oldest.seq and earlier.dispatched_at is null
      offset 0)
  ), heads as materialized (
    select id from first
    union all (
      -- A clock that was set back can put any number of later events before their earlier ones.
      select id from payment_events e
      where not exists (select from first) and dispatched_at is null
        and not exists (
          select from payment_events earlier
          where earlier.payment_id = e.payment_id and earlier.seq < e.seq and earlier.dispatched_at is null
          offset 0)
      order by created_at limit $2)
  ), picked as (
    select id, payment_id, application_id, user_id, seq, type, body, superseded_at, overtaken_at, created_at
    from payment_events where id = any(array(select id from heads)) and dispatched_at is null
    for no key update skip locked
  ), feed as (
    update event_feed set last_position = last_position + (select count(*) from picked)
    where exists (select from picked)
    returning last_position - (select count(*) from picked) as before
  ), judged as (
    select picked.*, s.callback_url, s.url as site_url, p.callback_url as own_callback_url, a.sealed_secret, a.sealed_previous_secret, a.previous_secret_until,
      feed.before, row_number() over (order by picked.created_at, picked.id) as nth,
      picked.superseded_at is null and picked.overtaken_at is null
        and (coalesce(p.callback_url, s.callback_url) is not null
          or (picked.type = 'payment.received' and p.status = 'RECEIVED' and p.acknowledged_at is null)) as is_wanted,
      (coalesce(p.callback_url, s.callback_url) is null
          or not exists (select from webhook_endpoints paused where paused.application_id = picked.application_id))
        and not exists (
          select from webhook_deliveries earlier where earlier.payment_id = picked.payment_id
            and earlier.seq < picked.seq and earlier.state in ('pending', 'blocked') offset 0) as is_next
    from picked cross join feed
    left join payments p on p.id = picked.payment_id
    left join sites s on s.application_id = picked.application_id
    left join payment_applications a on a.id = picked.application_id
  ), ranked as (
    -- One of a payment at most: the ids of its deliveries ascend as its events do.
    select judged.*, before + nth as position,
      row_number() over (partition by is_wanted and is_next order by nth) as place,
      row_number() over (partition by is_wanted and is_next, application_id order by nth) as place_at_endpoint,
      row_number() over (partition by is_wanted and is_next, user_id order by nth) as place_of_owner
    from judged
  ), ready as (
    select ranked.*, ($3::uuid[])[nth] as delivery_id,
      is_wanted and is_next and place <= $6 and place_at_endpoint <= coalesce(endpoint.room, $7)
        and place_of_owner <= coalesce(owner.room, $10) as is_claimed
    from ranked
    left join unnest($8::uuid[], $9::integer[]) as endpoint (id, room) on endpoint.id = ranked.application_id
    left join unnest($11::text[], $12::integer[]) as owner (id, room) on owner.id = ranked.user_id
  ), made as (
    insert into webhook_deliveries
      (id, event_id, payment_id, application_id, user_id, seq, type, created_at, next_attempt_at, lease_token, lease_until)
    select delivery_id, id, payment_id, application_id, user_id, seq, type, $1, $1,
      case when is_claimed then $4::uuid end,
      case when is_claimed then clock_timestamp() + make_interval(secs => $5) end
    from ready where is_wanted
  ), dispatched as (
    update payment_events set dispatched_at = $1, position = ready.position
    from ready where payment_events.id = ready.id
  )
  select application_id as "applicationId", is_wanted as "isMade", case when is_claimed then delivery_id end as id,
    id as "eventId", payment_id as "paymentId", user_id as "userId", type, 0 as attempts,
    null::timestamptz as "firstAttemptAt", 0 as "deferredSeconds", $4::uuid as "leaseToken",
    case when is_claimed then body end as body, created_at as "eventAt",
    superseded_at is not null as "isSuperseded", overtaken_at is not null as "isOvertaken",
    callback_url as "callbackUrl", site_url as "siteUrl",
    own_callback_url as "ownCallbackUrl", sealed_secret as "sealedSecret",
    sealed_previous_secret as "sealedPreviousSecret", previous_secret_until as "previousSecretUntil",
    (select count(*) from oldest) = $2 or (select count(*) from oldest) > (select count(*) from picked) as "isMore"
  from ready`;

/** One index probe an application that has something pending, from one on, instead of a walk through all backlogs. */
const RING = `
    (select application_id as id from webhook_deliveries
     where state = 'pending' and application_id > $11 order by application_id limit 1)
    union all
    select (select application_id from webhook_deliveries
            where state = 'pending' and application_id > endpoint.id order by application_id limit 1)
    from endpoint where endpoint.id is not null`;
const NAMED = `select unnest($11::uuid[]) as id`;

/**
 * Claims due deliveries, the oldest of each endpoint first and no more than it has room for, so that one
 * merchant's backlog cannot fill a claim. Held back are paused endpoints, and every delivery of a payment whose
 * earlier one is open, blocked or not even made yet. Endpoints are visited in the order of their ids until the
 * limit is reached, and no further: the next claim goes on behind the last of them.
 * $1 now, $2 limit, $3 and $4 endpoints with less room than $5, $6 and $7 owners with less room than $8,
 * $9 lease token, $10 lease seconds, $11 which endpoints.
 */
const claimOf = (endpoints: string) => `
  with recursive endpoint as (${endpoints}
  ), due as (
    select oldest.*, row_number() over (partition by oldest.user_id order by oldest.next_attempt_at) as place_of_owner
    from (
      select oldest.* from endpoint
      cross join lateral (
        select d.id, d.application_id, d.user_id, d.next_attempt_at from webhook_deliveries d
        where d.application_id = endpoint.id and d.state = 'pending' and d.next_attempt_at <= $1
          and (d.lease_until is null or d.lease_until < clock_timestamp())
          and not exists (
            select from webhook_deliveries earlier
            where earlier.payment_id = d.payment_id and earlier.seq < d.seq and earlier.state in ('pending', 'blocked'))
          and not exists (
            select from payment_events earlier
            where earlier.payment_id = d.payment_id and earlier.seq < d.seq and earlier.dispatched_at is null)
          and not exists (
            select from unnest($6::text[], $7::integer[]) as full_owner (id, room)
            where full_owner.id = d.user_id and full_owner.room = 0)
          -- A pause holds back what goes to a payment's own URL also where the application has none.
          and not exists (
            select from webhook_endpoints paused join payments p on p.id = d.payment_id
            where paused.application_id = d.application_id and p.callback_url is not null offset 0)
        order by d.next_attempt_at
        limit coalesce(
          (select room from unnest($3::uuid[], $4::integer[]) as less (id, room) where less.id = endpoint.id), $5)
      ) oldest
      where not exists (
        select from webhook_endpoints paused join sites s on s.application_id = paused.application_id
        where paused.application_id = endpoint.id and s.callback_url is not null)
      limit $2
    ) oldest
  ), claimed as (
    -- Judged once more: another instance may have claimed, sent and recorded since the snapshot.
    select id from webhook_deliveries
    where id = any(array(
        select due.id from due
        left join unnest($6::text[], $7::integer[]) as owner (id, room) on owner.id = due.user_id
        where due.place_of_owner <= coalesce(owner.room, $8)))
      and state = 'pending' and next_attempt_at <= $1
      and (lease_until is null or lease_until < clock_timestamp())
    for no key update skip locked
  )
  update webhook_deliveries d set lease_token = $9, lease_until = clock_timestamp() + make_interval(secs => $10)
  from claimed, payment_events e, payments p, sites s, payment_applications a
  where d.id = claimed.id and e.id = d.event_id and p.id = d.payment_id and s.application_id = d.application_id and a.id = d.application_id
  returning d.id, d.event_id as "eventId", d.payment_id as "paymentId", d.application_id as "applicationId",
    d.user_id as "userId", d.type, d.attempts, d.first_attempt_at as "firstAttemptAt",
    d.deferred_seconds as "deferredSeconds", d.lease_token as "leaseToken",
    e.body, e.created_at as "eventAt", e.superseded_at is not null as "isSuperseded",
    d.overtaken_at is not null as "isOvertaken", s.callback_url as "callbackUrl",
    s.url as "siteUrl", p.callback_url as "ownCallbackUrl", a.sealed_secret as "sealedSecret", a.sealed_previous_secret as "sealedPreviousSecret",
    a.previous_secret_until as "previousSecretUntil",
    (select count(*)::integer from due) as "ofDue", (select max(application_id::text) from due) as "lastApplication"`;

/** Of the endpoints behind $11, all around the ring of them. */
export const CLAIM_RING = claimOf(RING);
/** As {@link CLAIM_RING}, of the endpoints that $11 names. */
export const CLAIM_NAMED = claimOf(NAMED);

/**
 * Ends claims, with the attempt of each where it was tried; nothing of that happens where the lease is another
 * holder's by now. Answers the deliveries that were still the caller's.
 * Lists with one place a delivery: $1 id, $2 lease token, $3 state, $4 attempts, $5 next attempt, $6 succeeded at,
 * $7 last error; its attempt or null: $8 begun, $9 url, $10 HTTP status, $11 error, $12 answer, milliseconds until $13
 * there was a connection, $14 the answer began, $15 it ended. Of each delivery again: $16 for how many seconds Retry-After
 * has put off tries.
 */
export const END_CLAIMS = `
  with ending as (
    select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::integer[], $5::timestamptz[], $6::timestamptz[],
      $7::text[], $8::timestamptz[], $9::text[], $10::integer[], $11::text[], $12::text[], $13::integer[],
      $14::integer[], $15::integer[], $16::integer[])
      as ending (id, lease_token, state, attempts, next_attempt_at, succeeded_at, last_error, begun_at, url,
        http_status, error, response_body, connect_ms, first_byte_ms, duration_ms, deferred_seconds)
  ), ended as (
    -- No other try of what was overtaken meanwhile.
    update webhook_deliveries d set attempts = ending.attempts,
      state = case when d.overtaken_at is not null and ending.state in ('pending', 'blocked') then 'superseded'
        else ending.state end,
      first_attempt_at = coalesce(d.first_attempt_at, ending.begun_at),
      next_attempt_at = case when d.overtaken_at is null then ending.next_attempt_at end, deferred_seconds = ending.deferred_seconds,
      succeeded_at = coalesce(ending.succeeded_at, d.succeeded_at),
      last_error = ending.last_error, lease_token = null, lease_until = null
    from ending where d.id = ending.id and d.lease_token = ending.lease_token
    returning d.id, ending.attempts, ending.begun_at, ending.url, ending.http_status, ending.error,
      ending.response_body, ending.connect_ms, ending.first_byte_ms, ending.duration_ms
  ), logged as (
    insert into webhook_attempts
      (delivery_id, number, url, http_status, error, response_body, connect_ms, first_byte_ms, duration_ms, created_at)
    select id, attempts, url, http_status, error, response_body, connect_ms, first_byte_ms, duration_ms, begun_at
    from ended where begun_at is not null
  )
  select id from ended`;

/**
 * Pauses an endpoint that answered 410: only while the URL that did is still the saved one, because a new URL must not
 * inherit the pause. $1 now, $2 application, $3 url.
 */
export const PAUSE_GONE = `
  insert into webhook_endpoints (application_id, paused_at, reason)
  select application_id, $1::timestamptz, 'the endpoint answered 410 Gone' from sites
  where application_id = $2 and callback_url = $3
  on conflict (application_id) do nothing
  returning application_id`;

export const BLOCKED_APPLICATIONS = `
  select d.application_id as id, bool_or(coalesce(p.callback_url, s.callback_url) is not null) as "hasEndpoint"
  from webhook_deliveries d join sites s on s.application_id = d.application_id join payments p on p.id = d.payment_id
  where d.state = 'blocked' group by d.application_id`;

export const RELEASE_BLOCKED = `
  update webhook_deliveries set state = 'pending', next_attempt_at = $2, last_error = null
  where application_id = $1 and state = 'blocked'
  returning id`;
