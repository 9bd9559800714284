/**
 * The statements of the outbox. Lock order everywhere: payment, event, delivery. A transaction that moves a
 * payment locks it first and may then mark its events; so whoever holds a delivery or an event never waits for
 * a payment: claims skip what is locked, and recording an answer calls into payments before it touches the
 * delivery. Leases run on the database's clock (all instances agree); what is due is judged by the caller's.
 */

/**
 * Undispatched events become deliveries; `dispatched_at` is the claim. No delivery for an event that a reorg took
 * back, nor without an endpoint; except a payment.received that still waits for an acknowledgement (its URL was
 * removed in between): its delivery will find no endpoint, and acknowledge (api.md H1).
 * $1 now, $2 limit, $3 that many new ids.
 */
export const DISPATCH_EVENTS = `
  with picked as (
    select id, payment_id, application_id, user_id, seq, type, superseded_at
    from payment_events where dispatched_at is null
    order by created_at, seq limit $2
    for no key update skip locked
  ), made as (
    insert into webhook_deliveries
      (id, event_id, payment_id, application_id, user_id, seq, type, created_at, next_attempt_at)
    select ($3::uuid[])[row_number() over (order by picked.payment_id, picked.seq)],
      picked.id, picked.payment_id, picked.application_id, picked.user_id, picked.seq, picked.type, $1, $1
    from picked
    join sites on sites.application_id = picked.application_id
    join payments on payments.id = picked.payment_id
    where picked.superseded_at is null
      and (sites.callback_url is not null
        or (picked.type = 'payment.received' and payments.status = 'RECEIVED' and payments.acknowledged_at is null))
  )
  update payment_events set dispatched_at = $1 from picked where payment_events.id = picked.id
  returning payment_events.id`;

/**
 * Claims due deliveries, at most $4 in flight an endpoint and the oldest of each first, so that one merchant's
 * backlog cannot fill a claim. Held back are paused endpoints, and every delivery of a payment whose earlier one
 * is open, blocked or not even made yet.
 * $1 now, $2 limit, $3 and $5 applications with their deliveries in flight here, $4 limit an endpoint,
 * $6 lease token, $7 lease seconds.
 */
export const CLAIM_DUE = `
  with recursive endpoint as (
    -- One index probe an application that has something pending, instead of a walk through all backlogs.
    (select application_id as id from webhook_deliveries
     where state = 'pending' order by application_id limit 1)
    union all
    select (select application_id from webhook_deliveries
            where state = 'pending' and application_id > endpoint.id order by application_id limit 1)
    from endpoint where endpoint.id is not null
  ), due as (
    select oldest.id, oldest.next_attempt_at, coalesce(busy.in_flight, 0) as in_flight,
      row_number() over (partition by endpoint.id order by oldest.next_attempt_at) as place
    from endpoint
    left join unnest($3::uuid[], $5::integer[]) as busy (id, in_flight) on busy.id = endpoint.id
    cross join lateral (
      select d.id, d.next_attempt_at from webhook_deliveries d
      where d.application_id = endpoint.id and d.state = 'pending' and d.next_attempt_at <= $1
        and (d.lease_until is null or d.lease_until < clock_timestamp())
        and not exists (
          select from webhook_deliveries earlier
          where earlier.payment_id = d.payment_id and earlier.seq < d.seq and earlier.state in ('pending', 'blocked'))
        and not exists (
          select from payment_events earlier
          where earlier.payment_id = d.payment_id and earlier.seq < d.seq and earlier.dispatched_at is null)
      order by d.next_attempt_at limit $4
    ) oldest
    where not exists (select from webhook_endpoints paused where paused.application_id = endpoint.id)
  ), claimed as (
    -- Judged once more: another instance may have claimed, sent and recorded since the snapshot.
    select d.id from webhook_deliveries d join due on due.id = d.id
    where due.place <= $4 - due.in_flight and d.state = 'pending' and d.next_attempt_at <= $1
      and (d.lease_until is null or d.lease_until < clock_timestamp())
    order by due.place, due.next_attempt_at limit $2
    for no key update of d skip locked
  )
  update webhook_deliveries d set lease_token = $6, lease_until = clock_timestamp() + make_interval(secs => $7)
  from claimed, payment_events e
  where d.id = claimed.id and e.id = d.event_id
  returning d.id, d.event_id as "eventId", d.payment_id as "paymentId", d.application_id as "applicationId",
    d.type, d.attempts, d.first_attempt_at as "firstAttemptAt", d.lease_token as "leaseToken",
    e.body, e.superseded_at is not null as "isSuperseded"`;

/** Ends a claim; answers nothing when the lease is another holder's by now. */
export const FINISH_CLAIM = `
  update webhook_deliveries set state = $3, attempts = $4, first_attempt_at = coalesce(first_attempt_at, $5),
    next_attempt_at = $6, succeeded_at = coalesce($7, succeeded_at), last_error = $8,
    lease_token = null, lease_until = null
  where id = $1 and lease_token = $2
  returning id`;

export const INSERT_ATTEMPT = `
  insert into webhook_attempts
    (id, delivery_id, number, url, http_status, error, response_body, duration_ms, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

/** Only while the URL that answered 410 is still the saved one: a new URL must not inherit the pause. */
export const PAUSE_ENDPOINT = `
  insert into webhook_endpoints (application_id, paused_at, reason)
  select application_id, $3, 'the endpoint answered 410 Gone' from sites
  where application_id = $1 and callback_url = $2
  on conflict (application_id) do nothing`;

export const BLOCKED_APPLICATIONS = `
  select distinct application_id as id from webhook_deliveries where state = 'blocked'`;

export const RELEASE_BLOCKED = `
  update webhook_deliveries set state = 'pending', next_attempt_at = $2, last_error = null
  where application_id = $1 and state = 'blocked'
  returning id`;
