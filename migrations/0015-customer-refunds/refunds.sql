-- Refunds that the customer asked for, and refunds of transfers that do not count.
-- Owner: src/refunds.
lock table refunds in access exclusive mode;

-- Null: the customer asked for it, by the link of the payment.
alter table refunds alter column requested_by drop not null;

-- The unmatched transfer that is given back. Such a refund pays back that amount, and nothing that the payment has
-- received: its own amount is zero, so that no sum of the payment changes.
alter table refunds
  add column transfer_id uuid,
  add constraint refunds_transfer_id_payment_id_fkey
    foreign key (transfer_id, payment_id) references payment_transfers (id, payment_id),
  drop constraint refunds_amount_check,
  add constraint refunds_amount_check check (
    case when transfer_id is null then amount > 0 else amount = 0 end and amount < 'Infinity');

-- A transfer is given back once.
create unique index refunds_transfer on refunds (transfer_id) where status not in ('CANCELLED', 'EXPIRED');

-- As in the baseline; and a refund of a transfer pays back exactly what does not count.
create or replace function refunds_guard_sum() returns trigger language plpgsql as $$
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

-- As in the baseline, with the transfer.
create or replace function refunds_guard_status() returns trigger language plpgsql as $$
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

-- As in the baseline; and what a refund gives back is not accepted as well.
create or replace function payment_transfers_guard_acceptance() returns trigger language plpgsql as $$
declare
  accepted uuid := (select accepted_transfer_id from quotes where id = new.quote_id);
begin
  if old.is_matched and not new.is_matched then
    raise exception 'transfer %: what counts is never taken out', old.id using errcode = 'check_violation';
  end if;
  if new.is_matched and not old.is_matched and accepted is distinct from new.id then
    raise exception 'transfer %: it counts only once it is accepted', old.id using errcode = 'check_violation';
  end if;
  if accepted <> new.id then
    raise exception 'transfer %: the quote accepts another one', old.id using errcode = 'check_violation';
  end if;
  if new.is_matched and not old.is_matched then
    -- As for a new refund: one of the two waits here for the other.
    perform from payments where id = new.payment_id for no key update;
    if exists (select from refunds where transfer_id = new.id and status not in ('CANCELLED', 'EXPIRED')) then
      raise exception 'transfer %: a refund gives it back', new.id using errcode = 'check_violation';
    end if;
  end if;
  return new;
end $$;
