-- What an application's `events` may list.
alter table sites drop constraint sites_events_check, add constraint sites_events_check check (
  events @> '{payment.received,payment.completed,payment.underpaid,payment.refund}'
  and events <@ '{payment.received,payment.completed,payment.underpaid,payment.refund,payment.found,payment.expired,payment.cancelled,wallet.changed}'
);

-- Events that are about an application and not about a payment, with their deliveries: written in the transaction of
-- what they report, sent at least once. Never deleted; they are rare.
-- Owner: src/webhooks.
create table application_events (
  id uuid primary key,
  application_id uuid not null references payment_applications (id),
  type text not null check (type in ('wallet.changed')),
  -- JSON text as it is sent.
  body text not null,
  created_at timestamptz not null,
  state text not null check (state in ('pending', 'succeeded', 'exhausted', 'skipped')),
  attempts integer not null default 0 check (attempts >= 0),
  first_attempt_at timestamptz,
  next_attempt_at timestamptz,
  deferred_seconds integer not null default 0 check (deferred_seconds >= 0),
  lease_token uuid,
  -- On the database's clock.
  lease_until timestamptz,
  last_error text,
  check ((next_attempt_at is not null) = (state = 'pending')),
  check ((lease_token is null) = (lease_until is null)),
  check ((first_attempt_at is null) = (attempts = 0))
);
create index application_events_due on application_events (next_attempt_at) where state = 'pending';
create index application_events_leased on application_events (application_id) where lease_until is not null;

create trigger application_events_no_delete before delete on application_events
  for each row execute function refuse_change();

-- What happened does not change, and what has ended is not sent again.
create function application_events_guard() returns trigger language plpgsql as $$
begin
  if old.state <> 'pending'
     or (new.id, new.application_id, new.type, new.body, new.created_at)
        is distinct from (old.id, old.application_id, old.type, old.body, old.created_at) then
    raise exception 'application event %: immutable but for its delivery', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger application_events_guard before update on application_events
  for each row execute function application_events_guard();
