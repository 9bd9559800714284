-- Payments with their history and quotes.
-- Owner: src/payments.
-- Amounts are whole numbers of the smallest unit of their currency. numeric accepts 'NaN' and 'Infinity', so every
-- check names an upper bound.

-- The legal moves of a payment's status (specification/payment-states.md#transitions); the same table is in
-- src/payments/payment-status.pure.ts.
create function is_payment_move(before text, after text) returns boolean language sql immutable as $$
  select before || '>' || after = any (array[
    'OPEN>FOUND', 'OPEN>CANCELLED', 'OPEN>ERROR',
    'FOUND>RECEIVED', 'FOUND>UNDERPAID', 'FOUND>OPEN',
    'UNDERPAID>RECEIVED', 'UNDERPAID>OPEN', 'UNDERPAID>REFUND',
    'RECEIVED>CONFIRMED', 'RECEIVED>FOUND', 'RECEIVED>UNDERPAID', 'RECEIVED>OPEN', 'RECEIVED>REFUND',
    'CONFIRMED>REFUND', 'CONFIRMED>CANCELLED'
  ])
$$;

-- One row per payment that a merchant requested. Written by the payments module; refunds write refunded_amount.
-- Never deleted. What was requested never changes; what was received is derived from payment_transfers.
create table payments (
  id uuid primary key,
  user_id text not null,
  application_id uuid not null,
  status text not null default 'OPEN' check (status in
    ('OPEN', 'FOUND', 'UNDERPAID', 'RECEIVED', 'CONFIRMED', 'CANCELLED', 'ERROR', 'REFUND')),
  -- Number of the newest row in payment_status_history.
  status_seq integer not null default 1 check (status_seq >= 1),
  reference text not null check (length(reference) between 1 and 255),
  reference_label text not null check (length(reference_label) between 1 and 255),
  currency_code text not null,
  settlement_currency_code text not null,
  -- Smallest unit of currency_code, like all amounts below except settled_amount.
  amount numeric(78,0) not null check (amount > 0 and amount < 'Infinity'),
  redirect_url text,
  blockchain_slug text,
  product_id uuid,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  -- The method that the customer picked last.
  selected_provider text,
  selected_method text,
  -- Derived from the transfers at every change; kept for lists and events.
  received_amount numeric(78,0) not null default 0 check (received_amount >= 0 and received_amount < 'Infinity'),
  overpaid_amount numeric(78,0) check (overpaid_amount > 0 and overpaid_amount < 'Infinity'),
  underpaid_amount numeric(78,0) check (underpaid_amount > 0 and underpaid_amount < 'Infinity'),
  -- Smallest unit of settlement_currency_code; set on entry into RECEIVED.
  settled_amount numeric(78,0) check (settled_amount >= 0 and settled_amount < 'Infinity'),
  found_at timestamptz,
  received_at timestamptz,
  confirmed_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text,
  error_reason text,
  -- Why a person must look at it; null: no reason.
  review_reason text check (review_reason in ('overpaid', 'reorg', 'funds_after_cancel')),
  -- Decisions of the merchant that the status depends on besides the chain.
  acknowledged_at timestamptz,
  underpay_accepted_at timestamptz,
  overpay_accepted_at timestamptz,
  -- When the sweep must evaluate it again (end of the quote of an underpaid payment, a missing rate).
  recheck_at timestamptz,
  -- Sum of the completed refunds.
  refunded_amount numeric(78,0) not null default 0
    check (refunded_amount >= 0 and refunded_amount < 'Infinity'),
  -- What was confirmed when the underpayment was accepted: only less than that undoes the acceptance.
  underpay_accepted_amount numeric(78,0)
    check (underpay_accepted_amount >= 0 and underpay_accepted_amount < 'Infinity'),
  -- A flat object of strings. Postgres writes a space behind each colon and comma: 100 bytes more than the 4,096 of
  -- the API, which counts the shortest form.
  metadata jsonb not null default '{}' check (
    jsonb_typeof(metadata) = 'object'
    and octet_length(metadata::text) <= 4196
    and jsonb_array_length(jsonb_path_query_array(metadata, 'strict $.keyvalue()')) <= 50
    and not jsonb_path_exists(metadata, 'strict $.* ? (@.type() != "string")')),
  livemode boolean,
  -- A webhook endpoint of this payment's own, on a host of its application.
  callback_url text check (length(callback_url) between 1 and 2048),
  -- When to check whether it expired while OPEN: null is the end of its link, 'infinity' is never.
  expiry_check_at timestamptz,
  -- Under APP_KEYS, over what was requested (src/payments/payment.entity.ts), like those of the tables below: a writer of
  -- the database without the keys makes no payment of its own.
  mac text,
  unique (id, user_id),
  foreign key (application_id, user_id) references payment_applications (id, user_id),
  check (status <> 'CONFIRMED' or confirmed_at is not null),
  check (status <> 'CANCELLED' or cancelled_at is not null),
  check (status <> 'ERROR' or error_reason is not null),
  check (status not in ('FOUND', 'UNDERPAID', 'RECEIVED', 'CONFIRMED') or found_at is not null),
  check (confirmed_at >= found_at and found_at >= created_at),
  constraint payments_refund_check check (status <> 'REFUND' or refunded_amount > 0),
  constraint payments_accepted_amount_check
    check ((underpay_accepted_at is null) = (underpay_accepted_amount is null))
);
-- Ascending, and read backwards: in descending order every new row would come first, and Postgres would divide each full
-- page into two halves that are never filled again. At the end it leaves full pages.
create index payments_owner on payments (user_id, created_at, id);
create index payments_application on payments (application_id, created_at, id);
-- For the lists over all applications of a user (specification/overview.md), and the list of payments
-- (specification/payments.md#list). Prefixes are compared by bytes, in any collation.
create index payments_status on payments (user_id, status, created_at desc, id desc);
create index payments_review on payments (user_id, review_reason, created_at desc, id desc)
  where review_reason is not null;
create index payments_network on payments (user_id, selected_provider, created_at desc, id desc)
  where selected_provider is not null;
create index payments_amount on payments (user_id, amount, id);
create index payments_reference_prefix on payments (user_id, lower(reference) text_pattern_ops);
create index payments_label_prefix on payments (user_id, lower(reference_label) text_pattern_ops);
-- Underpaid payments need the merchant for good, and the queue begins with the oldest.
create index payments_underpaid
  on payments (user_id, date_trunc('milliseconds', coalesce(found_at, created_at) at time zone 'UTC'), id)
  where status = 'UNDERPAID';
-- For the limits of unpaid payments: both counts of a user are read from this index alone.
create index payments_unpaid on payments (user_id, expires_at, status) where found_at is null;
create index payments_reference on payments (user_id, reference, created_at desc, id desc);
create index payments_recheck on payments (recheck_at) where recheck_at is not null;
create index payments_expiry on payments ((coalesce(expiry_check_at, expires_at)))
  where status = 'OPEN' and expiry_check_at is distinct from 'infinity';
-- Paid, and the merchant has not acknowledged it: few, found without reading all other payments.
create index payments_unacknowledged on payments (application_id, received_at, id)
  where status = 'RECEIVED' and acknowledged_at is null;

create trigger payments_no_delete before delete on payments
  for each row execute function refuse_change();
create trigger payments_keep_mac before update on payments
  for each row when (new.mac is distinct from old.mac) execute function refuse_new_mac();

-- A payment begins OPEN and without money. After the row's own constraints, so that these are reported first; the
-- condition saves the call for every legal insert.
create function payments_refuse_birth() returns trigger language plpgsql as $$
begin
  raise exception 'payment %: must begin OPEN and without money', new.id using errcode = 'check_violation';
end $$;
create trigger payments_born_open after insert on payments for each row
  when (new.status <> 'OPEN' or new.status_seq <> 1
    or new.received_amount <> 0 or new.refunded_amount <> 0
    or coalesce(new.overpaid_amount, new.underpaid_amount, new.settled_amount) is not null
    or coalesce(new.found_at, new.received_at, new.confirmed_at, new.cancelled_at, new.acknowledged_at,
      new.underpay_accepted_at, new.overpay_accepted_at) is not null)
  execute function payments_refuse_birth();

-- What was requested is immutable, and the status makes legal moves only.
create function payments_guard_status() returns trigger language plpgsql as $$
begin
  if new.id <> old.id or new.user_id <> old.user_id or new.application_id <> old.application_id
     or new.amount <> old.amount or new.currency_code <> old.currency_code or new.created_at <> old.created_at then
    raise exception 'payment %: what was asked is immutable', old.id using errcode = 'check_violation';
  end if;
  if new.status = old.status then
    if new.status_seq <> old.status_seq then
      raise exception 'payment %: status_seq moves with the status only', old.id using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if new.status_seq <> old.status_seq + 1 then
    raise exception 'payment %: status_seq must grow by one', old.id using errcode = 'check_violation';
  end if;
  if not is_payment_move(old.status, new.status) then
    raise exception 'payment %: illegal move % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payments_guard_status before update on payments
  for each row execute function payments_guard_status();

-- Metadata, mode and endpoint are part of what was requested.
create function payments_keep_extras() returns trigger language plpgsql as $$
begin
  raise exception 'payment %: what was asked is immutable', old.id using errcode = 'check_violation';
end $$;
create trigger payments_keep_extras before update of metadata, livemode, callback_url on payments for each row
  when (new.metadata <> old.metadata or new.livemode is distinct from old.livemode
    or new.callback_url is distinct from old.callback_url)
  execute function payments_keep_extras();

-- The amount of an accepted underpayment is set with the acceptance and fixed until that is undone
-- (specification/payment-states.md#underpayment).
create function payments_accepted_amount() returns trigger language plpgsql as $$
begin
  if new.underpay_accepted_at is null then
    new.underpay_accepted_amount := null;
  elsif new.underpay_accepted_amount is null then
    new.underpay_accepted_amount := new.received_amount;
  else
    raise exception 'payment %: the amount that was accepted is fixed', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payments_accepted_amount before update on payments for each row
  when ((new.underpay_accepted_at is null) <> (new.underpay_accepted_amount is null)
    or new.underpay_accepted_amount <> old.underpay_accepted_amount)
  execute function payments_accepted_amount();

-- One row per status of a payment, numbered without gaps: the newest row is the status.
-- Written by the payments module with every move. Never changed, never deleted.
create table payment_status_history (
  payment_id uuid not null,
  -- As of the payment, here and in other tables that grow with payments: an account can be copied to another database by
  -- a filter of columns alone (docs/how-to/scaling.md#cells).
  user_id text not null,
  seq integer not null check (seq >= 1),
  from_status text,
  to_status text not null,
  reason text not null,
  created_at timestamptz not null,
  mac text,
  primary key (payment_id, seq),
  foreign key (payment_id, user_id) references payments (id, user_id)
);

create trigger payment_status_history_append_only before update or delete on payment_status_history
  for each row execute function refuse_change_but_mac();

-- The history begins with OPEN, and each row continues the one before by a legal move. Checked after the statement,
-- which may insert several rows of one payment in any order.
create function payment_status_history_require_move() returns trigger language plpgsql as $$
begin
  if new.seq = 1 then
    if new.from_status is null and new.to_status = 'OPEN' then return null; end if;
  elsif is_payment_move(new.from_status, new.to_status) and exists (
    select from payment_status_history before
    where before.payment_id = new.payment_id and before.seq = new.seq - 1 and before.to_status = new.from_status
  ) then
    return null;
  end if;
  raise exception 'payment %: row % of its history does not go on from the one before', new.payment_id, new.seq
    using errcode = 'check_violation';
end $$;
create trigger payment_status_history_require_move after insert on payment_status_history
  for each row execute function payment_status_history_require_move();

-- A status without its row in the history does not commit. The row of the event says it, without reading the payment
-- again: a status never returns to an earlier number (payments_guard_status), and no entry is changed or deleted, so that
-- an entry for the row of each event is also one for the row that commits.
create function payments_require_history() returns trigger language plpgsql as $$
begin
  if not exists (
    select from payment_status_history h
    where h.payment_id = new.id and h.seq = new.status_seq and h.to_status = new.status
  ) then
    raise exception 'payment %: status without history', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger payments_require_history after insert or update of status on payments
  deferrable initially deferred for each row execute function payments_require_history();

-- One row per locked rate of a payment: what it costs in one asset until expires_at; or, with accepted_transfer_id, the
-- merchant's acceptance of one transfer (specification/money.md#quotes). Written by the payments module. Never
-- changed, never deleted.
create table quotes (
  id uuid primary key,
  payment_id uuid not null,
  user_id text not null,
  chain text not null,
  -- 'native' or the token contract, lower-case.
  asset text not null,
  currency_code text not null,
  asset_decimals smallint not null check (asset_decimals between 0 and 36),
  -- Smallest units: the amount due in the pricing currency, and the amount of the asset that pays it in full.
  priced_amount numeric(78,0) not null check (priced_amount > 0 and priced_amount < 'Infinity'),
  asset_amount numeric(78,0) not null check (asset_amount > 0 and asset_amount < 'Infinity'),
  -- Units of the pricing currency for one whole coin, as decimal text; and the source prices as read.
  rate text not null,
  rate_source text not null,
  rate_inputs jsonb not null,
  -- Units of the settlement currency for one whole unit of the pricing currency; null: unknown then.
  settlement_rate text,
  -- True when made for funds that came after the last quote had ended.
  is_late boolean not null default false,
  locked_at timestamptz not null,
  expires_at timestamptz not null check (expires_at >= locked_at),
  -- The one transfer that it values. Null: a rate lock, for whatever is paid under it.
  accepted_transfer_id uuid unique,
  -- The user who accepted it, and the client token that was used; token null: an OAuth token.
  accepted_by text,
  accepted_token_id uuid,
  mac text,
  unique (id, payment_id),
  foreign key (payment_id, user_id) references payments (id, user_id),
  constraint quotes_acceptance_check check (
    (accepted_transfer_id is null) = (accepted_by is null)
    and (accepted_token_id is null or accepted_by is not null)
    and (accepted_transfer_id is null or not is_late))
);
create index quotes_payment on quotes (payment_id, locked_at desc);

create trigger quotes_append_only before update or delete on quotes
  for each row execute function refuse_change_but_mac();

-- One row per owner, span of time (UTC) and kind of payment: how many were created, for totals and far pages of the list
-- of payments (docs/explanation/performance.md#totals-and-pages-by-counts). Together with payment_count_changes, which are not added
-- yet. Written by the payments module; rows at zero are deleted.
create table payment_counts (
  user_id text not null,
  span text not null check (span in ('month', 'day', 'hour')),
  starts_at timestamptz not null,
  application_id uuid not null,
  status text not null,
  currency_code text not null,
  total bigint not null,
  primary key (user_id, span, starts_at, application_id, status, currency_code)
);

-- What the counts change by, until a loop adds it to payment_counts and deletes it. Written by the triggers below, which
-- only append, in the transaction of the payment, so that no row is waited for.
create table payment_count_changes (
  user_id text not null,
  seq bigserial,
  hour timestamptz not null,
  application_id uuid not null,
  status text not null,
  currency_code text not null,
  change bigint not null,
  primary key (user_id, seq)
);

-- Group commit writes many payments with one statement; they share rows here.
create function payments_count_insert() returns trigger language plpgsql as $$
begin
  insert into payment_count_changes (user_id, hour, application_id, status, currency_code, change)
  select n.user_id, date_trunc('hour', n.created_at, 'UTC'), n.application_id, n.status, n.currency_code, count(*)
  from fresh n group by 1, 2, 3, 4, 5;
  return null;
end $$;
create trigger payments_count_insert after insert on payments
  referencing new table as fresh for each statement execute function payments_count_insert();

create function payments_count_move() returns trigger language plpgsql as $$
begin
  insert into payment_count_changes (user_id, hour, application_id, status, currency_code, change)
  values
    (old.user_id, date_trunc('hour', old.created_at, 'UTC'), old.application_id, old.status, old.currency_code, -1),
    (new.user_id, date_trunc('hour', new.created_at, 'UTC'), new.application_id, new.status, new.currency_code, 1);
  return null;
end $$;
create trigger payments_count_move after update on payments for each row
  when ((old.user_id, old.created_at, old.application_id, old.status, old.currency_code)
    is distinct from (new.user_id, new.created_at, new.application_id, new.status, new.currency_code))
  execute function payments_count_move();
