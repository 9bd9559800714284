-- Refunds: what is owed back, to which address, and the transaction that paid it. The gateway holds no key: it records
-- and verifies.
-- Owner: src/refunds.

-- One row per refund that a merchant promised, or that a customer asked for (specification/refunds.md#requests). Written by the refunds module. Never deleted; what was promised never
-- changes.
create table refunds (
  id uuid primary key,
  payment_id uuid not null,
  user_id text not null,
  type text not null check (type in ('FULL', 'PARTIAL', 'OVERPAYMENT', 'UNDERPAYMENT', 'UNEXPECTED')),
  status text not null check (status in
    ('AWAITING_ADDRESS', 'AWAITING_PAYMENT', 'PROCESSING', 'COMPLETED', 'CANCELLED', 'FAILED', 'EXPIRED')),
  -- Number of the newest row in refund_history.
  status_seq integer not null default 1 check (status_seq >= 1),
  -- Smallest unit of the payment's currency. Zero for a refund of a transfer.
  amount numeric(78,0) not null,
  chain text not null,
  -- 'native' or the token contract, lower-case.
  asset text not null,
  payout_currency_code text not null,
  payout_decimals smallint not null check (payout_decimals between 0 and 36),
  -- Smallest unit of the asset on its chain.
  payout_amount numeric(78,0) not null check (payout_amount > 0 and payout_amount < 'Infinity'),
  -- Units of the payment's currency for one whole coin, as decimal text, and when it was locked.
  -- Null: the merchant named the payout amount.
  rate text,
  rate_locked_at timestamptz,
  confirmations_required integer not null check (confirmations_required >= 1),
  -- What people see, and what a transaction is matched on (the 20 address bytes for evm).
  address text,
  address_key bytea,
  address_set_by text check (address_set_by in ('merchant', 'customer')),
  tx_hash text,
  tx_recorded_at timestamptz,
  -- When a node last knew the transaction.
  tx_seen_at timestamptz,
  confirmations integer not null default 0 check (confirmations >= 0),
  -- When the transaction is checked next; a check moves it ahead first, so that one instance at a time checks.
  next_check_at timestamptz,
  reason text check (length(reason) between 1 and 255),
  note text check (length(note) <= 2000),
  -- Null: the customer asked for it, by the link of the payment.
  requested_by text,
  created_at timestamptz not null,
  -- Until then the customer can name an address.
  expires_at timestamptz not null check (expires_at > created_at),
  completed_at timestamptz,
  failure_reason text,
  -- The unmatched transfer that is given back. Such a refund pays back that amount, and nothing that the payment has
  -- received: its own amount is zero, so that no sum of the payment changes.
  transfer_id uuid,
  foreign key (payment_id, user_id) references payments (id, user_id),
  foreign key (transfer_id, payment_id) references payment_transfers (id, payment_id),
  constraint refunds_amount_check check (
    case when transfer_id is null then amount > 0 else amount = 0 end and amount < 'Infinity'),
  check ((rate is null) = (rate_locked_at is null)),
  check ((address is null) = (address_key is null) and (address is null) = (address_set_by is null)),
  check ((tx_hash is null) = (tx_recorded_at is null)),
  constraint refunds_address_check check (
    case status when 'AWAITING_ADDRESS' then address is null when 'EXPIRED' then address is null
      when 'CANCELLED' then true else address is not null end),
  constraint refunds_transaction_check check (
    case status when 'AWAITING_ADDRESS' then tx_hash is null when 'AWAITING_PAYMENT' then tx_hash is null
      when 'EXPIRED' then tx_hash is null when 'CANCELLED' then true else tx_hash is not null end),
  constraint refunds_completed_check check ((status = 'COMPLETED') = (completed_at is not null)),
  constraint refunds_failed_check check ((status = 'FAILED') = (failure_reason is not null)),
  constraint refunds_processing_check check ((status = 'PROCESSING') = (next_check_at is not null))
);
-- One transaction pays one refund. A failed refund releases its hash, which may have been mistyped.
create unique index refunds_transaction on refunds (chain, tx_hash) where status in ('PROCESSING', 'COMPLETED');
-- A transfer is given back once.
create unique index refunds_transfer on refunds (transfer_id) where status not in ('CANCELLED', 'EXPIRED');
create index refunds_payment on refunds (payment_id, created_at desc, id desc);
create index refunds_owner on refunds (user_id, created_at desc, id desc);
create index refunds_status on refunds (user_id, status, created_at desc, id desc);
create index refunds_to_check on refunds (next_check_at) where status = 'PROCESSING';
create index refunds_unclaimed on refunds (expires_at) where status = 'AWAITING_ADDRESS';

create trigger refunds_no_delete before delete on refunds
  for each row execute function refuse_change();

-- Refunds of a payment never exceed what it received (specification/refunds.md#refundable-payments). The lock on the
-- payment's row makes the sum safe from races. A refund of a transfer pays back exactly what does not count.
create function refunds_guard_sum() returns trigger language plpgsql as $$
declare
  received numeric;
  promised numeric;
  given_back record;
begin
  if new.status not in ('AWAITING_ADDRESS', 'AWAITING_PAYMENT') or new.status_seq <> 1 then
    raise exception 'refund %: illegal first status %', new.id, new.status using errcode = 'check_violation';
  end if;
  select received_amount into received from payments where id = new.payment_id for no key update;
  select coalesce(sum(amount), 0) into promised from refunds
    where payment_id = new.payment_id and status not in ('CANCELLED', 'EXPIRED');
  -- Not for a transfer, whatever a reorganization has taken of the rest.
  if new.transfer_id is null and promised + new.amount > received then
    raise exception 'refund %: refunds exceed what was received', new.id using errcode = 'check_violation';
  end if;
  if new.transfer_id is not null then
    select * into given_back from payment_transfers where id = new.transfer_id;
    if given_back.is_matched or given_back.state <> 'confirmed' then
      raise exception 'refund %: its transfer counts, or is not confirmed', new.id using errcode = 'check_violation';
    end if;
    if (given_back.chain, given_back.asset, given_back.asset_decimals, given_back.amount)
       is distinct from (new.chain, new.asset, new.payout_decimals::integer, new.payout_amount) then
      raise exception 'refund %: it does not pay its transfer back', new.id using errcode = 'check_violation';
    end if;
  end if;
  return new;
end $$;
create trigger refunds_guard_sum before insert on refunds
  for each row execute function refunds_guard_sum();

-- What was promised is immutable, and the status makes legal moves only (specification/refunds.md#refund-states); the
-- same table is in src/refunds/refund-status.pure.ts.
create function refunds_guard_status() returns trigger language plpgsql as $$
begin
  if (new.id, new.payment_id, new.user_id, new.type, new.amount, new.chain, new.asset, new.payout_currency_code,
      new.payout_decimals, new.payout_amount, new.rate, new.rate_locked_at, new.confirmations_required, new.requested_by,
      new.created_at, new.expires_at, new.transfer_id)
     is distinct from
     (old.id, old.payment_id, old.user_id, old.type, old.amount, old.chain, old.asset, old.payout_currency_code,
      old.payout_decimals, old.payout_amount, old.rate, old.rate_locked_at, old.confirmations_required, old.requested_by,
      old.created_at, old.expires_at, old.transfer_id) then
    raise exception 'refund %: what was promised is immutable', old.id using errcode = 'check_violation';
  end if;
  if old.status in ('COMPLETED', 'CANCELLED', 'EXPIRED') then
    raise exception 'refund %: illegal change of a % refund', old.id, old.status using errcode = 'check_violation';
  end if;
  if old.status = 'PROCESSING' and new.address is distinct from old.address then
    raise exception 'refund %: its address was paid already', old.id using errcode = 'check_violation';
  end if;
  if (new.status, new.address, new.tx_hash) is distinct from (old.status, old.address, old.tx_hash) then
    if new.status_seq <> old.status_seq + 1 then
      raise exception 'refund %: status_seq must grow by one', old.id using errcode = 'check_violation';
    end if;
  elsif new.status_seq <> old.status_seq then
    raise exception 'refund %: status_seq moves with a change only', old.id using errcode = 'check_violation';
  end if;
  if new.status <> old.status and not (old.status || '>' || new.status = any (array[
    'AWAITING_ADDRESS>AWAITING_PAYMENT', 'AWAITING_ADDRESS>CANCELLED', 'AWAITING_ADDRESS>EXPIRED',
    'AWAITING_PAYMENT>PROCESSING', 'AWAITING_PAYMENT>CANCELLED',
    'PROCESSING>COMPLETED', 'PROCESSING>FAILED',
    'FAILED>PROCESSING', 'FAILED>CANCELLED'
  ])) then
    raise exception 'refund %: illegal move % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger refunds_guard_status before update on refunds
  for each row execute function refunds_guard_status();

-- One row per change of a refund, numbered without gaps: the newest row is the status.
-- Written by the refunds module with every change. Never changed, never deleted.
create table refund_history (
  refund_id uuid not null references refunds (id),
  -- That of the refund (refunds_require_history).
  user_id text not null,
  seq integer not null check (seq >= 1),
  from_status text,
  to_status text not null,
  reason text not null,
  -- What the refund held after the change; a new address is a row of its own, from a status to itself.
  address text,
  tx_hash text,
  created_at timestamptz not null,
  primary key (refund_id, seq)
);

create trigger refund_history_append_only before update or delete on refund_history
  for each row execute function refuse_change();

-- A change without its row in the history does not commit.
create function refunds_require_history() returns trigger language plpgsql as $$
begin
  if not exists (
    select from refund_history h join refunds r on r.id = h.refund_id
    where r.id = new.id and h.seq = r.status_seq and h.user_id = r.user_id and h.to_status = r.status
      and h.address is not distinct from r.address and h.tx_hash is not distinct from r.tx_hash
  ) then
    raise exception 'refund %: change without history', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger refunds_require_history after insert or update of status_seq on refunds
  deferrable initially deferred for each row execute function refunds_require_history();

-- refunded_amount of a payment is the sum of its completed refunds, whichever of the two changes.
create function payments_require_refunds(payment uuid) returns void language plpgsql as $$
begin
  if (select refunded_amount from payments where id = payment) <>
     (select coalesce(sum(amount), 0) from refunds where payment_id = payment and status = 'COMPLETED') then
    raise exception 'payment %: refunded amount without its refunds', payment using errcode = 'check_violation';
  end if;
end $$;

create function payments_check_refunds() returns trigger language plpgsql as $$
begin
  perform payments_require_refunds(new.id);
  return null;
end $$;
create constraint trigger payments_check_refunds after update of refunded_amount on payments
  deferrable initially deferred for each row
  when (new.refunded_amount is distinct from old.refunded_amount) execute function payments_check_refunds();

create function refunds_check_payment() returns trigger language plpgsql as $$
begin
  perform payments_require_refunds(new.payment_id);
  return null;
end $$;
create constraint trigger refunds_check_payment after update of status on refunds
  deferrable initially deferred for each row
  when (new.status = 'COMPLETED') execute function refunds_check_payment();
