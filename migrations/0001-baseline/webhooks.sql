-- The event feed, and webhooks: event -> delivery -> attempt.
-- Owner: src/webhooks.

-- One row: the place of the newest event in the feed. The dispatcher holds its lock until it commits, so no reader sees
-- a place before all smaller ones; a sequence could not promise that. Written by the webhooks module. Never deleted.
create table event_feed (
  is_only boolean primary key default true check (is_only),
  last_position bigint not null check (last_position >= 0),
  -- database_lineage() when the feed last moved. after-restore sets it to null.
  lineage text
);

-- Behind every place that any history of this feed has given out so far: microseconds since 1970. No feed gives out a
-- million places a second, so none has overtaken the clock since it began. A fixed step would not do: the same backup,
-- restored twice, would give the same places twice. Good for bigint and for the 18 digits of a cursor, and exact as a
-- JSON number until the year 2255. If the clock is behind the feed, the clock is wrong: then the step is a billion
-- places, more than a feed is likely to lose.
create function event_feed_place_behind(place bigint) returns bigint language sql as $$
  select case when clock > place then clock else place + 1000000000 end
  from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as clock) now
$$;

insert into event_feed (last_position, lineage)
  values (event_feed_place_behind(0), database_lineage('event_feed'::regclass));

-- A restored backup, or a replica that took over without the newest commits, has lost places that readers keep as their
-- cursors: new events must stand behind them, or they are never read.
create function event_feed_skip_lost_places() returns trigger language plpgsql as $$
declare
  here constant text := database_lineage(tg_relid);
  place bigint;
begin
  -- A backup carries the value of the place that it came from; after-restore leaves null.
  if old.lineage is not distinct from here then return new; end if;
  place := event_feed_place_behind(old.last_position);
  new.last_position := place + (new.last_position - old.last_position);
  new.lineage := here;
  raise warning 'event feed: the database is a restored one, or a replica that took over; the places % to % are skipped',
    old.last_position + 1, place;
  return new;
end $$;
create trigger event_feed_skip_lost_places before update of last_position on event_feed
  for each row execute function event_feed_skip_lost_places();

-- One row per event to deliver. Written by the webhooks module, and by the payments module where a new event overtakes
-- an older one. Old rows that are done are deleted by the retention.
create table webhook_deliveries (
  id uuid primary key,
  event_id uuid not null unique references payment_events (id),
  -- As on the event; null: of an event that is not about a payment, or of a test.
  payment_id uuid,
  application_id uuid not null,
  user_id text not null,
  -- Order inside the payment: the event's number.
  seq integer,
  type text not null,
  state text not null default 'pending' check (state in
    ('pending', 'succeeded', 'exhausted', 'superseded', 'blocked', 'skipped')),
  attempts integer not null default 0 check (attempts >= 0),
  created_at timestamptz not null,
  first_attempt_at timestamptz,
  -- When the next attempt is due; only while pending. A test is due at -infinity: before all else, also while the endpoint
  -- is paused.
  next_attempt_at timestamptz,
  -- A claim: its holder may send; the claim of a crashed process expires by itself.
  lease_token uuid,
  lease_until timestamptz,
  succeeded_at timestamptz,
  last_error text,
  -- Seconds for which the endpoint put off the attempts by Retry-After.
  deferred_seconds integer not null default 0 check (deferred_seconds >= 0),
  -- As on the event; here too, because the sender locks this row.
  overtaken_at timestamptz,
  -- As on the event: not null for a test.
  test_payment_id uuid,
  foreign key (payment_id, user_id) references payments (id, user_id),
  check ((state = 'pending') = (next_attempt_at is not null)),
  check ((payment_id is null) = (seq is null)),
  check (payment_id is null or test_payment_id is null),
  constraint webhook_deliveries_tests_first check ((test_payment_id is not null) = (next_attempt_at = '-infinity'))
);
-- Vacuumed twice a day instead of once a week, so that its size stays flat: a thirtieth of the log is deleted every day
-- (docs/explanation/performance.md#old-rows-and-bytes-of-a-payment).
alter table webhook_deliveries set (autovacuum_vacuum_scale_factor = 0.02);
-- The oldest due of each endpoint is one probe, however long its backlog is.
create index webhook_deliveries_due on webhook_deliveries (application_id, next_attempt_at)
  where state = 'pending';
create index webhook_deliveries_payment on webhook_deliveries (payment_id, seq);
-- The log of tests, and which of them are deleted.
create index webhook_deliveries_tests on webhook_deliveries (application_id, created_at, id)
  where test_payment_id is not null;
create index webhook_deliveries_blocked on webhook_deliveries (application_id) where state = 'blocked';
-- Ascending, as payments_owner.
create index webhook_deliveries_application on webhook_deliveries (application_id, created_at, id);
create index webhook_deliveries_owner on webhook_deliveries (user_id, created_at, id);
-- Those that are not in the counts.
create index webhook_deliveries_claimed on webhook_deliveries (application_id) where lease_token is not null;
-- Replays walk the exhausted ones of an application by age.
create index webhook_deliveries_exhausted on webhook_deliveries (application_id, created_at desc, id desc)
  where state = 'exhausted';
-- The newest success of an endpoint is one probe.
create index webhook_deliveries_succeeded on webhook_deliveries (application_id, succeeded_at)
  where succeeded_at is not null;
-- The oldest undelivered event of an application; ids are ordered by time. "succeeded_at is null" is more than the
-- claims of the outbox ask for, so that none of their plans walks this index.
create index webhook_deliveries_undelivered on webhook_deliveries (application_id, id)
  where state in ('pending', 'blocked') and succeeded_at is null and test_payment_id is null;
create index webhook_deliveries_overtakable on webhook_deliveries (payment_id)
  where type in ('payment.found', 'payment.expired', 'payment.cancelled') and state in ('pending', 'blocked');

-- One row per HTTP request of a delivery. Written by the webhooks module. Never changed; deleted with its delivery.
create table webhook_attempts (
  delivery_id uuid not null references webhook_deliveries (id),
  -- That of the delivery, in the statement that ends it.
  user_id text not null,
  number integer not null check (number >= 1),
  url text not null,
  http_status integer,
  error text,
  -- At most the first 4 KiB of the response, as UTF-8 text.
  response_body text,
  -- Milliseconds of the whole attempt; until it was connected; until the head of the response.
  duration_ms integer not null check (duration_ms >= 0),
  created_at timestamptz not null,
  connect_ms integer check (connect_ms >= 0),
  first_byte_ms integer check (first_byte_ms >= 0),
  primary key (delivery_id, number)
);
alter table webhook_attempts set (autovacuum_vacuum_scale_factor = 0.02);

-- One row per application, hour (UTC) of creation and kind: how many deliveries, for totals and far pages of the delivery
-- log (docs/explanation/performance.md#totals-and-pages-by-counts). Together with webhook_delivery_count_changes, which are not added
-- yet. Written by the webhooks module; rows at zero are deleted.
create table webhook_delivery_counts (
  user_id text not null,
  application_id uuid not null,
  hour timestamptz not null,
  type text not null,
  status text not null,
  total bigint not null,
  primary key (user_id, application_id, hour, type, status)
);

-- What the counts change by, until a loop adds it to webhook_delivery_counts and deletes it. Written by triggers, which
-- only append, so that no row is waited for.
create table webhook_delivery_count_changes (
  user_id text not null,
  application_id uuid not null,
  seq bigserial,
  hour timestamptz not null,
  type text not null,
  status text not null,
  change bigint not null,
  primary key (user_id, application_id, seq)
);

-- Once for each statement: deliveries are made, finished and deleted in batches, which share rows here; rows of one
-- statement mostly have the same time and state, so the costly expressions see few of them. Counts leave out what a
-- process has claimed: most deliveries are made, claimed at once and finished, which is one row instead of three. They are
-- of payments: the log lists no others but tests, which are few.
-- Dashboards are told in the same statement (changes.sql), when an attempt has ended or a delivery waits: one row for all
-- deliveries of an account, without ids if there are several. A statement without rows returns at once: withdrawing
-- overtaken deliveries runs with every event and seldom finds one.
create function webhook_deliveries_tell_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from fresh) then
    return null;
  end if;
  with counted as (
    insert into webhook_delivery_count_changes (user_id, application_id, hour, type, status, change)
    select d.user_id, d.application_id, date_trunc('hour', d.created_at, 'UTC'), d.type,
      case when d.state <> 'pending' then upper(d.state) when d.is_new then 'PENDING' else 'FAILED' end, sum(d.change)
    from (
      select r.user_id, r.application_id, r.created_at, r.type, r.state, r.attempts = 0 as is_new,
        sum(r.change) as change
      from (
        select user_id, application_id, created_at, type, state, attempts, 1 as change
        from fresh where lease_token is null and payment_id is not null
      ) r group by 1, 2, 3, 4, 5, 6 having sum(r.change) <> 0
    ) d group by 1, 2, 3, 4, 5 having sum(d.change) <> 0
  )
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select d.user_id, 'delivery', case d.many when 1 then d.ids[1] end, case d.many when 1 then d.applications[1] end,
    case d.many when 1 then d.payments[1] end
  from (
    select n.user_id, count(*) as many, array_agg(n.id) as ids, array_agg(n.application_id) as applications,
      array_agg(n.payment_id) as payments
    from fresh n where n.lease_token is null and n.payment_id is not null group by n.user_id) d;
  return null;
end $$;
create trigger webhook_deliveries_tell_insert after insert on webhook_deliveries
  referencing new table as fresh for each statement execute function webhook_deliveries_tell_insert();

create function webhook_deliveries_tell_update() returns trigger language plpgsql as $$
begin
  if not exists (select from fresh) then
    return null;
  end if;
  with counted as (
    insert into webhook_delivery_count_changes (user_id, application_id, hour, type, status, change)
    select d.user_id, d.application_id, date_trunc('hour', d.created_at, 'UTC'), d.type,
      case when d.state <> 'pending' then upper(d.state) when d.is_new then 'PENDING' else 'FAILED' end, sum(d.change)
    from (
      select r.user_id, r.application_id, r.created_at, r.type, r.state, r.attempts = 0 as is_new,
        sum(r.change) as change
      from (
        select user_id, application_id, created_at, type, state, attempts, -1 as change
        from former where lease_token is null and payment_id is not null
        union all
        select user_id, application_id, created_at, type, state, attempts, 1 as change
        from fresh where lease_token is null and payment_id is not null
      ) r group by 1, 2, 3, 4, 5, 6 having sum(r.change) <> 0
    ) d group by 1, 2, 3, 4, 5 having sum(d.change) <> 0
  )
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select d.user_id, 'delivery', case d.many when 1 then d.ids[1] end, case d.many when 1 then d.applications[1] end,
    case d.many when 1 then d.payments[1] end
  from (
    select n.user_id, count(*) as many, array_agg(n.id) as ids, array_agg(n.application_id) as applications,
      array_agg(n.payment_id) as payments
    from fresh n where n.lease_token is null and n.payment_id is not null group by n.user_id) d;
  return null;
end $$;
create trigger webhook_deliveries_tell_update after update on webhook_deliveries
  referencing old table as former new table as fresh
  for each statement execute function webhook_deliveries_tell_update();

create function webhook_deliveries_count_delete() returns trigger language plpgsql as $$
begin
  insert into webhook_delivery_count_changes (user_id, application_id, hour, type, status, change)
  select d.user_id, d.application_id, date_trunc('hour', d.created_at, 'UTC'), d.type,
    case when d.state <> 'pending' then upper(d.state) when d.is_new then 'PENDING' else 'FAILED' end, sum(d.change)
  from (
    select r.user_id, r.application_id, r.created_at, r.type, r.state, r.attempts = 0 as is_new,
      sum(r.change) as change
    from (
      select user_id, application_id, created_at, type, state, attempts, -1 as change
      from former where lease_token is null and payment_id is not null
    ) r group by 1, 2, 3, 4, 5, 6 having sum(r.change) <> 0
  ) d group by 1, 2, 3, 4, 5 having sum(d.change) <> 0;
  return null;
end $$;
create trigger webhook_deliveries_count_delete after delete on webhook_deliveries
  referencing old table as former for each statement execute function webhook_deliveries_count_delete();

-- One row per application whose deliveries are paused. Written when an endpoint answers 410 or the merchant pauses it.
-- Deleted when it resumes: after a 410 by saving the URL again, after the merchant's pause by resuming.
create table webhook_endpoints (
  application_id uuid primary key references payment_applications (id),
  paused_at timestamptz not null,
  reason text not null,
  paused_by text not null default 'gone' check (paused_by in ('gone', 'merchant'))
);
