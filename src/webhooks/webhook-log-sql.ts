/** The statements of the log. Tests and deliveries are read by twins of the same columns and parameters. */

const DELIVERIES = `
  with records as (
    select d.*, case when d.state <> 'pending' then upper(d.state) when d.attempts = 0 then 'PENDING' else 'FAILED' end
      as status
    from webhook_deliveries d where d.user_id = $1 and d.application_id = $2
  )`;
const SELECT_DELIVERIES = `${DELIVERIES}
  select d.id, d.event_id as "eventId", d.type as event, d.payment_id as "paymentId", d.attempts as attempt, last.url,
    d.status, last.http_status as "httpStatus", d.last_error as "errorMessage", e.body as "requestBody",
    last.response_body as "responseBody", last.duration_ms as "durationMs", d.next_attempt_at as "nextAttemptAt",
    d.created_at as "createdAt", false as "isTest"
  from records d
  join payment_events e on e.id = d.event_id
  left join webhook_attempts last on last.delivery_id = d.id and last.number = d.attempts`;

const TESTS = `
  with records as (
    select t.*, upper(t.state) as status, case when t.url is null then 0 else 1 end as attempts
    from webhook_tests t where t.user_id = $1 and t.application_id = $2
  )`;
const SELECT_TESTS = `${TESTS}
  select d.id, d.event_id as "eventId", d.type as event, d.payment_id as "paymentId", d.attempts as attempt, d.url,
    d.status, d.http_status as "httpStatus",
    coalesce(d.error, case when d.state = 'exhausted' then 'HTTP ' || d.http_status end) as "errorMessage",
    d.body as "requestBody", d.response_body as "responseBody", d.duration_ms as "durationMs",
    case when d.state = 'pending' then d.created_at end as "nextAttemptAt", d.created_at as "createdAt", true as "isTest"
  from records d`;

const FILTER = `
  where ($3::uuid is null or d.payment_id = $3)
    and ($4::text is null or d.type = $4)
    and ($5::text is null or d.status = $5)`;
const PAGE = 'order by d.created_at desc, d.id desc limit $6 offset $7';

/** $1 user, $2 application, $3 payment, $4 event, $5 status, $6 limit, $7 offset. */
export const LIST_DELIVERIES = `${SELECT_DELIVERIES} ${FILTER} ${PAGE}`;
export const LIST_TESTS = `${SELECT_TESTS} ${FILTER} ${PAGE}`;
export const COUNT_DELIVERIES = `${DELIVERIES} select count(*) as total from records d ${FILTER}`;
export const COUNT_TESTS = `${TESTS} select count(*) as total from records d ${FILTER}`;
/** $1 user, $2 application, $3 id. */
export const FIND_DELIVERY = `${SELECT_DELIVERIES} where d.id = $3`;
export const FIND_TEST = `${SELECT_TESTS} where d.id = $3`;

/** $1 user, $2 delivery or test, $3 limit, $4 offset. */
export const LIST_ATTEMPTS = `
  with tries as (
    select a.number, a.url, a.http_status, a.error, a.response_body, a.connect_ms, a.first_byte_ms, a.duration_ms,
      a.created_at as started_at, d.event_id, d.type, e.body, false as is_test
    from webhook_attempts a
    join webhook_deliveries d on d.id = a.delivery_id
    join payment_events e on e.id = d.event_id
    where a.delivery_id = $2 and d.user_id = $1
    union all
    select 1, t.url, t.http_status, t.error, t.response_body, t.connect_ms, t.first_byte_ms, t.duration_ms, t.started_at,
      t.event_id, t.type, t.body, true
    from webhook_tests t where t.id = $2 and t.user_id = $1 and t.url is not null
  )
  select number, url, http_status as "httpStatus", error as "errorMessage", response_body as "responseBody",
    connect_ms as "connectMs", first_byte_ms as "firstByteMs", duration_ms as "durationMs", started_at as "startedAt",
    event_id as "eventId", type as event, body as "requestBody",
    is_test as "isTest", count(*) over () as total
  from tries order by number desc limit $3 offset $4`;

// A delivery that is under way keeps its claim; whoever holds it decides what comes next.
export const MAKE_DUE = `
  update webhook_deliveries set state = 'pending', next_attempt_at = $4
  where user_id = $1 and application_id = $2 and id = $3 and state <> 'superseded'
  returning id`;

/**
 * The order is that of dispatch, which for each payment is the order of its events; rows are waited for, not
 * skipped, so that of two replays none makes a later event due before an earlier one.
 * $1 user, $2 application, $3 since, $4 until, $5 status, $6 behind this delivery, $7 now, $8 limit.
 */
export const MAKE_FAILED_DUE = `
  with picked as (
    select d.id, d.created_at from webhook_deliveries d
    where d.user_id = $1 and d.application_id = $2
      and d.created_at >= $3 and ($4::timestamptz is null or d.created_at <= $4)
      and ((d.state = 'exhausted' and coalesce($5, 'EXHAUSTED') = 'EXHAUSTED')
        or (d.state = 'pending' and d.attempts > 0 and coalesce($5, 'FAILED') = 'FAILED'))
      and ($6::uuid is null or (d.created_at, d.id) > (
        select last.created_at, last.id from webhook_deliveries last where last.id = $6 and last.application_id = $2))
      and not exists (select from payment_events e where e.id = d.event_id and e.superseded_at is not null)
    order by d.created_at, d.id limit $8
    for no key update of d
  ), due as (
    update webhook_deliveries d set state = 'pending', next_attempt_at = $7
    from picked where d.id = picked.id
    returning d.id, d.created_at
  )
  select id from due order by created_at, id`;
