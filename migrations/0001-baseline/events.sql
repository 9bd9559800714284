-- The outbox: what is announced to merchants' servers.
-- Owner: src/payments.

-- One row per announced event; the bytes of its body never change (specification/events.md#body). Three kinds: of a move
-- of a payment (payment_id); about an application and in no feed (neither id); a test that a merchant asked for
-- (test_payment_id). Written in the transaction of what it announces; the webhooks module sends it. Only tests are
-- deleted, with their deliveries.
create table payment_events (
  id uuid primary key,
  payment_id uuid,
  user_id text not null,
  application_id uuid not null,
  -- Number of the status move that caused it, and the order of delivery inside the payment.
  seq integer check (seq >= 1),
  type text not null check (type in
    ('payment.received', 'payment.completed', 'payment.underpaid', 'payment.refund',
     'payment.found', 'payment.expired', 'payment.cancelled', 'wallet.changed', 'payment.refund_requested')),
  body text not null,
  created_at timestamptz not null,
  -- Null: its delivery is not made yet.
  dispatched_at timestamptz,
  -- Set when a reorg took back what it announces before it was delivered.
  superseded_at timestamptz,
  -- Place in the feed of GET /events; null until it is dispatched.
  position bigint check (position >= 1),
  -- Set on an opt-in event when a standard one of its payment was born: it is not worth a webhook any more, and stays
  -- in the feed.
  overtaken_at timestamptz,
  -- Of a test: the payment that its body makes up; unique, so that a receiver may store it like a real one.
  test_payment_id uuid,
  -- Over what was announced.
  mac text,
  foreign key (payment_id, user_id) references payments (id, user_id),
  foreign key (payment_id, seq) references payment_status_history (payment_id, seq),
  unique (payment_id, seq),
  constraint payment_events_kind check (
    (payment_id is null) = (seq is null) and (payment_id is null or test_payment_id is null)
    and (type in ('wallet.changed', 'payment.refund_requested')) = (payment_id is null and test_payment_id is null)),
  -- The feed, reorganizations and overtaking are about moves of payments.
  constraint payment_events_of_moves check (
    payment_id is not null or (position is null and superseded_at is null and overtaken_at is null))
);
create unique index payment_events_tests on payment_events (test_payment_id) where test_payment_id is not null;
create index payment_events_undispatched on payment_events (created_at) where dispatched_at is null;
create unique index payment_events_of_user on payment_events (user_id, position) where position is not null;
create index payment_events_of_application on payment_events (application_id, position)
  where position is not null;
create index payment_events_overtakable on payment_events (payment_id)
  where type in ('payment.found', 'payment.expired', 'payment.cancelled') and overtaken_at is null;
create unique index payment_events_expired_once on payment_events (payment_id) where type = 'payment.expired';

create trigger payment_events_no_delete before delete on payment_events
  for each row when (old.test_payment_id is null) execute function refuse_change();
create trigger payment_events_keep_mac before update on payment_events
  for each row when (new.mac is distinct from old.mac) execute function refuse_new_mac();

-- What was announced keeps its bytes and its place in the feed.
create function payment_events_guard_body() returns trigger language plpgsql as $$
begin
  if (new.id, new.payment_id, new.seq, new.type, new.body, new.created_at, new.test_payment_id)
     is distinct from (old.id, old.payment_id, old.seq, old.type, old.body, old.created_at, old.test_payment_id) then
    raise exception 'event %: what was announced is immutable', old.id using errcode = 'check_violation';
  end if;
  if old.position is not null and new.position is distinct from old.position then
    raise exception 'event %: its place in the feed is fixed', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payment_events_guard_body before update on payment_events
  for each row execute function payment_events_guard_body();

-- An opt-in event belongs to a row of the history: to the move that it announces, or to OPEN for an expired link. A
-- payment expires only while it is OPEN, after its link ended, and without funds that matter and that nobody gives back.
create function payment_events_guard_opt_in() returns trigger language plpgsql as $$
declare
  entered text;
begin
  select to_status into entered from payment_status_history h
  where h.payment_id = new.payment_id and h.seq = new.seq;
  if entered is distinct from (case new.type
       when 'payment.found' then 'FOUND' when 'payment.cancelled' then 'CANCELLED' else 'OPEN' end) then
    raise exception 'event %: % does not belong to an entry into %', new.id, new.type, entered
      using errcode = 'check_violation';
  end if;
  if new.type = 'payment.expired' and (
    exists (
      select from payments p where p.id = new.payment_id
        and (p.status <> 'OPEN' or p.status_seq <> new.seq or p.expires_at >= new.created_at))
    or exists (
      select from payment_transfers t where t.payment_id = new.payment_id and not t.is_dust
        and t.state in ('pending', 'confirmed') and (t.is_matched or not exists (
          select from refunds g where g.transfer_id = t.id and g.status not in ('CANCELLED', 'EXPIRED'))))
  ) then
    raise exception 'event %: payment % has not expired unpaid', new.id, new.payment_id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payment_events_guard_opt_in before insert on payment_events for each row
  when (new.type in ('payment.found', 'payment.expired', 'payment.cancelled') and new.payment_id is not null)
  execute function payment_events_guard_opt_in();
