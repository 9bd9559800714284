-- What open dashboards are told of changes (docs/decisions/0512-hints-of-changes-by-triggers.md). Triggers write it, so that
-- no change is forgotten and no writer needs a statement more.
-- Owner: src/overview.

-- One row per change: that something changed, for dashboards to fetch it. Deliveries are told of by webhooks.sql. Deleted
-- after minutes.
create table changes (
  -- With seq, the order of commits as far as readers need it.
  transaction_id bigint not null default pg_current_xact_id()::text::bigint,
  seq bigserial,
  user_id text not null,
  type text not null check (type in ('payment', 'refund', 'delivery', 'application')),
  -- Null: several, or all.
  object_id uuid,
  application_id uuid,
  payment_id uuid,
  at timestamptz not null default now(),
  primary key (transaction_id, seq)
);

-- A payment as merchants see it; the times at which loops look at it again are left out.
create function payments_tell_insert() returns trigger language plpgsql as $$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'payment', n.id, n.application_id, null
  from fresh n;
  return null;
end $$;
create trigger payments_tell_insert after insert on payments
  referencing new table as fresh for each statement execute function payments_tell_insert();

create function payments_tell_update() returns trigger language plpgsql as $$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'payment', n.id, n.application_id, null
  from fresh n join former o on o.id = n.id
  where (n.status, n.status_seq, n.selected_provider, n.selected_method, n.received_amount,
    n.refunded_amount, n.cancel_reason, n.review_reason, n.acknowledged_at, n.underpay_accepted_at,
    n.overpay_accepted_at)
    is distinct from (o.status, o.status_seq, o.selected_provider, o.selected_method, o.received_amount,
      o.refunded_amount, o.cancel_reason, o.review_reason, o.acknowledged_at, o.underpay_accepted_at,
      o.overpay_accepted_at);
  return null;
end $$;
create trigger payments_tell_update after update on payments
  referencing old table as former new table as fresh
  for each statement execute function payments_tell_update();

-- An upsert of transfers fires both triggers, one of them without a row: it returns at once.
-- Of a payment with more than 25 transfers, sums are remembered by the version of its row (0835), so whoever writes a
-- transfer of it writes that row, in the order in which payments are locked. Others are not written: their transfers are
-- read each time.
create function payment_transfers_tell_insert() returns trigger language plpgsql as $$
begin
  if not exists (select from fresh) then
    return null;
  end if;
  update payments p set recheck_at = p.recheck_at
  from (
    select f.id from payments f
    where f.id in (select payment_id from fresh)
      and (select count(*) from (select from payment_transfers t where t.payment_id = f.id limit 26) counted) > 25
    order by f.id for no key update
  ) flooded
  where p.id = flooded.id;
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select distinct n.user_id, 'payment', n.payment_id, p.application_id, null::uuid
  from fresh n join payments p on p.id = n.payment_id;
  return null;
end $$;
create trigger payment_transfers_tell_insert after insert on payment_transfers
  referencing new table as fresh for each statement execute function payment_transfers_tell_insert();

create function payment_transfers_tell_update() returns trigger language plpgsql as $$
begin
  if not exists (select from fresh) then
    return null;
  end if;
  update payments p set recheck_at = p.recheck_at
  from (
    select f.id from payments f
    where f.id in (select payment_id from fresh)
      and (select count(*) from (select from payment_transfers t where t.payment_id = f.id limit 26) counted) > 25
    order by f.id for no key update
  ) flooded
  where p.id = flooded.id;
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select distinct n.user_id, 'payment', n.payment_id, p.application_id, null::uuid
  from fresh n join former o on o.id = n.id join payments p on p.id = n.payment_id
  where (n.state, n.block_height, n.quote_id, n.is_matched, n.is_dust, n.awaits_agreement)
    is distinct from (o.state, o.block_height, o.quote_id, o.is_matched, o.is_dust, o.awaits_agreement);
  return null;
end $$;
create trigger payment_transfers_tell_update after update on payment_transfers
  referencing old table as former new table as fresh
  for each statement execute function payment_transfers_tell_update();

create function reported_transactions_tell_insert() returns trigger language plpgsql as $$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select p.user_id, 'payment', n.payment_id, p.application_id, null
  from fresh n join payments p on p.id = n.payment_id;
  return null;
end $$;
create trigger reported_transactions_tell_insert after insert on reported_transactions
  referencing new table as fresh for each statement execute function reported_transactions_tell_insert();

create function reported_transactions_tell_update() returns trigger language plpgsql as $$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select p.user_id, 'payment', n.payment_id, p.application_id, null
  from fresh n join former o on o.id = n.id join payments p on p.id = n.payment_id
  where (n.state) is distinct from (o.state);
  return null;
end $$;
create trigger reported_transactions_tell_update after update on reported_transactions
  referencing old table as former new table as fresh
  for each statement execute function reported_transactions_tell_update();

create function refunds_tell_insert() returns trigger language plpgsql as $$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'refund', n.id, p.application_id, n.payment_id
  from fresh n join payments p on p.id = n.payment_id;
  return null;
end $$;
create trigger refunds_tell_insert after insert on refunds
  referencing new table as fresh for each statement execute function refunds_tell_insert();

create function refunds_tell_update() returns trigger language plpgsql as $$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'refund', n.id, p.application_id, n.payment_id
  from fresh n join former o on o.id = n.id join payments p on p.id = n.payment_id
  where (n.status_seq, n.address, n.tx_hash, n.tx_seen_at, n.confirmations)
    is distinct from (o.status_seq, o.address, o.tx_hash, o.tx_seen_at, o.confirmations);
  return null;
end $$;
create trigger refunds_tell_update after update on refunds
  referencing old table as former new table as fresh
  for each statement execute function refunds_tell_update();

-- Settings, each change of which is told. The id is that of the application; null: of all applications of the user.
create function payment_applications_tell_insert() returns trigger language plpgsql as $$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'application', n.id, n.id, null
  from fresh n;
  return null;
end $$;
create trigger payment_applications_tell_insert after insert on payment_applications
  referencing new table as fresh for each statement execute function payment_applications_tell_insert();

create function payment_applications_tell_update() returns trigger language plpgsql as $$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'application', n.id, n.id, null
  from fresh n;
  return null;
end $$;
create trigger payment_applications_tell_update after update on payment_applications
  referencing old table as former new table as fresh
  for each statement execute function payment_applications_tell_update();

create function sites_tell_insert() returns trigger language plpgsql as $$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'application', n.application_id, n.application_id, null
  from fresh n;
  return null;
end $$;
create trigger sites_tell_insert after insert on sites
  referencing new table as fresh for each statement execute function sites_tell_insert();

create function sites_tell_update() returns trigger language plpgsql as $$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'application', n.application_id, n.application_id, null
  from fresh n;
  return null;
end $$;
create trigger sites_tell_update after update on sites
  referencing old table as former new table as fresh
  for each statement execute function sites_tell_update();

create function wallet_choices_tell_insert() returns trigger language plpgsql as $$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'application', n.application_id, n.application_id, null
  from fresh n;
  return null;
end $$;
create trigger wallet_choices_tell_insert after insert on wallet_choices
  referencing new table as fresh for each statement execute function wallet_choices_tell_insert();

create function wallet_choices_tell_update() returns trigger language plpgsql as $$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select n.user_id, 'application', n.application_id, n.application_id, null
  from fresh n;
  return null;
end $$;
create trigger wallet_choices_tell_update after update on wallet_choices
  referencing old table as former new table as fresh
  for each statement execute function wallet_choices_tell_update();

-- An endpoint without a row is not paused.
create function webhook_endpoints_tell_insert() returns trigger language plpgsql as $$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select a.user_id, 'application', n.application_id, n.application_id, null
  from fresh n join payment_applications a on a.id = n.application_id;
  return null;
end $$;
create trigger webhook_endpoints_tell_insert after insert on webhook_endpoints
  referencing new table as fresh for each statement execute function webhook_endpoints_tell_insert();

create function webhook_endpoints_tell_update() returns trigger language plpgsql as $$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select a.user_id, 'application', n.application_id, n.application_id, null
  from fresh n join payment_applications a on a.id = n.application_id;
  return null;
end $$;
create trigger webhook_endpoints_tell_update after update on webhook_endpoints
  referencing old table as former new table as fresh
  for each statement execute function webhook_endpoints_tell_update();

create function webhook_endpoints_tell_delete() returns trigger language plpgsql as $$
begin
  insert into changes (user_id, type, object_id, application_id, payment_id)
  select a.user_id, 'application', n.application_id, n.application_id, null
  from former n join payment_applications a on a.id = n.application_id;
  return null;
end $$;
create trigger webhook_endpoints_tell_delete after delete on webhook_endpoints
  referencing old table as former for each statement execute function webhook_endpoints_tell_delete();
