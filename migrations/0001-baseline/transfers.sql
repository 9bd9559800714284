-- Deposit addresses and the transfers to them.
-- Owners: src/wallets (deposit_addresses), src/payments (the others).

-- One row per address handed out: one key per family and payment (specification/wallets.md#deposit-addresses).
-- Written by the wallets module. Never changed, never deleted.
create table deposit_addresses (
  id uuid primary key,
  payment_id uuid not null,
  user_id text not null,
  family text not null,
  -- What a block is matched on: the 20 address bytes for evm, the output script for bitcoin.
  key bytea not null,
  -- What people see.
  address text not null,
  wallet_id uuid not null references wallets (id),
  derivation_index bigint not null check (derivation_index >= 0),
  created_at timestamptz not null,
  -- Over id, payment, user, wallet, family, index, key and address. Written once, and again under a newer key of
  -- APP_KEYS.
  mac text not null check (mac ~ '^m1[.]'),
  unique (payment_id, family),
  unique (family, key),
  unique (wallet_id, derivation_index),
  unique (id, payment_id),
  foreign key (payment_id, user_id) references payments (id, user_id)
);

-- Prefixes are compared by bytes, in any collation.
create index deposit_addresses_prefix on deposit_addresses (user_id, lower(address) text_pattern_ops);

-- An address is append-only but for its MAC.
create function deposit_addresses_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('gateway.resealing', true) = 'on'
     and to_jsonb(new) - 'mac' = to_jsonb(old) - 'mac' then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'check_violation';
end $$;
create trigger deposit_addresses_append_only before update or delete on deposit_addresses
  for each row execute function deposit_addresses_guard();

-- An address lies below its wallet's counter, so the counter tells which addresses there are
-- (src/wallets/watched-keys.service.ts).
create function deposit_addresses_require_counter() returns trigger language plpgsql as $$
begin
  if not exists (select from wallets where id = new.wallet_id and next_index > new.derivation_index) then
    raise exception 'address %: its number was not taken from its wallet', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger deposit_addresses_require_counter after insert on deposit_addresses
  deferrable initially deferred for each row execute function deposit_addresses_require_counter();

-- One row per transfer to a deposit address, as observed on its chain. Written by the payments module as the chain
-- watcher reports. Never deleted; identity and amount never change. A transfer that a reorg, a replacement or the
-- mempool took back stays, with its state.
create table payment_transfers (
  id uuid primary key,
  payment_id uuid not null,
  user_id text not null,
  deposit_address_id uuid not null,
  chain text not null,
  tx_hash text not null,
  -- Place inside the transaction: 'value', 'call:<trace path>', 'log:<position in its receipt>'. When a block executes
  -- the same transaction again with another effect, the old row keeps '<place>~<id>', orphaned for good.
  ordinal text not null,
  asset text not null,
  currency_code text not null,
  asset_decimals smallint not null check (asset_decimals between 0 and 36),
  -- Smallest unit of the asset.
  amount numeric(78,0) not null check (amount > 0 and amount < 'Infinity'),
  -- In the same unit, when it was first seen: less than this of the asset, alone or in sum, is dust
  -- (specification/payment-states.md#dust). A setting that changes later decides about later transfers only.
  floor numeric(78,0) not null default 1 check (floor >= 1 and floor < 'Infinity'),
  -- It and those like it are too little to matter; follows from the amounts and states of the payment's transfers.
  is_dust boolean not null default false,
  state text not null check (state in ('pending', 'confirmed', 'orphaned', 'replaced', 'dropped')),
  -- Null: seen in the mempool only.
  block_height bigint,
  block_hash text,
  block_time timestamptz,
  -- Depth at which it counts. It only rises, and is fixed once it is confirmed.
  confirmations_required integer not null check (confirmations_required >= 1),
  -- The quote that values it. Null: not priced yet, or an asset without a quote (is_matched false).
  quote_id uuid,
  is_matched boolean not null,
  is_late boolean not null default false,
  seen_at timestamptz not null,
  confirmed_at timestamptz,
  -- UTXO chains: the outpoints '<tx hash>:<vout>' that it spends, so that another transaction that spends one of them
  -- replaces it. Null on account chains.
  inputs text[],
  -- It also waits for a block that the chain itself calls so (specification/chains.md#finality); null: for its number of
  -- blocks only.
  finality_required text check (finality_required in ('safe', 'finalized')),
  -- Until a second node has shown it (specification/chains.md#agreement).
  awaits_agreement boolean not null default false,
  mac text,
  foreign key (payment_id, user_id) references payments (id, user_id),
  foreign key (deposit_address_id, payment_id) references deposit_addresses (id, payment_id),
  foreign key (quote_id, payment_id) references quotes (id, payment_id),
  unique (id, payment_id),
  check ((block_height is null) = (block_hash is null)),
  check ((block_height is null) = (block_time is null)),
  check (state <> 'confirmed' or block_height is not null),
  check (state not in ('orphaned', 'replaced', 'dropped') or block_height is null),
  constraint payment_transfers_inputs_check
    check (inputs is null or (cardinality(inputs) > 0 and array_position(inputs, null) is null)),
  constraint payment_transfers_unmatched_check check (is_matched or quote_id is null),
  constraint payment_transfers_given_up_check
    check (position('~' in ordinal) = 0 or (state = 'orphaned' and block_height is null)),
  constraint payment_transfers_dust_check check (not is_dust or amount < floor or is_matched),
  constraint payment_transfers_agreement_check check (not (awaits_agreement and state = 'confirmed'))
);
-- The identity of a credit (specification/chains.md#transfers): never the block-wide log index, which changes when a
-- block is replaced.
create unique index payment_transfers_identity on payment_transfers (chain, tx_hash, ordinal);
-- Anybody can send thousands of transfers to a payment. A page of them is in the order of its index, with the ids; below,
-- payments with funds that were not asked for, or late, are found one by one, past their other transfers.
create index payment_transfers_payment on payment_transfers (payment_id, seen_at, id);
create index payment_transfers_unconfirmed on payment_transfers (chain, block_height) where state = 'pending';
create index payment_transfers_block on payment_transfers (chain, block_height) where block_height is not null;
-- What waits in the mempool, read at every block and every poll.
create index payment_transfers_unmined on payment_transfers (chain)
  where state = 'pending' and block_height is null and inputs is not null;
-- Counted by the metrics every few seconds.
create index payment_transfers_unattributed on payment_transfers (chain, seen_at, id)
  where not is_matched and not is_dust;
create index payment_transfers_awaiting_agreement on payment_transfers (chain)
  where awaits_agreement and state = 'pending';
-- For the lists over all applications of a user (specification/overview.md), exports and reports.
create index payment_transfers_owner on payment_transfers (user_id, seen_at, id);
create index payment_transfers_hash on payment_transfers (user_id, tx_hash text_pattern_ops);
create index payment_transfers_unmatched on payment_transfers (user_id, payment_id, seen_at)
  where not is_matched and not is_dust;
create index payment_transfers_late on payment_transfers (user_id, payment_id, seen_at)
  where is_late and not is_dust;

create trigger payment_transfers_no_delete before delete on payment_transfers
  for each row execute function refuse_change();
create trigger payment_transfers_keep_mac before update on payment_transfers
  for each row when (new.mac is distinct from old.mac) execute function refuse_new_mac();

-- What was observed keeps its identity and amount, and its quote once it has one.
create function payment_transfers_guard_facts() returns trigger language plpgsql as $$
begin
  if (new.id, new.payment_id, new.user_id, new.deposit_address_id, new.chain, new.tx_hash, new.asset,
      new.currency_code, new.asset_decimals, new.amount, new.floor, new.seen_at, new.inputs)
     is distinct from
     (old.id, old.payment_id, old.user_id, old.deposit_address_id, old.chain, old.tx_hash, old.asset,
      old.currency_code, old.asset_decimals, old.amount, old.floor, old.seen_at, old.inputs) then
    raise exception 'transfer %: facts are immutable', old.id using errcode = 'check_violation';
  end if;
  -- '<place>~<id>': the place is free again, and the row is done with (payment_transfers_given_up_check).
  if new.ordinal <> old.ordinal
     and (position('~' in old.ordinal) > 0 or new.ordinal <> old.ordinal || '~' || old.id) then
    raise exception 'transfer %: facts are immutable', old.id using errcode = 'check_violation';
  end if;
  if old.quote_id is not null and new.quote_id is distinct from old.quote_id then
    raise exception 'transfer %: its quote is fixed', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payment_transfers_guard_facts before update on payment_transfers
  for each row execute function payment_transfers_guard_facts();

-- Required confirmations only rise, and only while the transfer waits (specification/chains.md#required-confirmations).
create function payment_transfers_guard_confirmations() returns trigger language plpgsql as $$
declare
  tags constant text[] := array['safe', 'finalized'];
begin
  if new.confirmations_required < old.confirmations_required
     or coalesce(array_position(tags, new.finality_required), 0)
        < coalesce(array_position(tags, old.finality_required), 0)
     or (old.state = 'confirmed' and (new.confirmations_required, new.finality_required)
        is distinct from (old.confirmations_required, old.finality_required)) then
    raise exception 'transfer %: its required confirmations only rise, and only while it waits', old.id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payment_transfers_guard_confirmations
  before update of confirmations_required, finality_required on payment_transfers
  for each row execute function payment_transfers_guard_confirmations();

-- An unmatched transfer counts only by a quote that accepts it, and what counts is never taken out again
-- (specification/payment-states.md#unmatched-funds); and what a refund gives back is not accepted as well.
create function payment_transfers_guard_acceptance() returns trigger language plpgsql as $$
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
create trigger payment_transfers_guard_acceptance before update on payment_transfers for each row
  when (old.is_matched <> new.is_matched or old.quote_id is distinct from new.quote_id)
  execute function payment_transfers_guard_acceptance();

-- An acceptance without its effect does not commit.
alter table quotes add foreign key (accepted_transfer_id, payment_id) references payment_transfers (id, payment_id);
create function quotes_require_accepted_transfer() returns trigger language plpgsql as $$
begin
  if not exists (
    select from payment_transfers t where t.id = new.accepted_transfer_id and t.is_matched and t.quote_id = new.id
  ) then
    raise exception 'quote %: the transfer it accepts does not count', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger quotes_require_accepted_transfer after insert on quotes
  deferrable initially deferred for each row when (new.accepted_transfer_id is not null)
  execute function quotes_require_accepted_transfer();

-- application_holdings follows the transfers by statement, not by row: a block that pays a hundred payments costs one
-- update per asset. Only moves into and out of a state count, because amounts are immutable. Insert and update are two
-- steps: a check sees the proposed row of an upsert, and a difference may be negative. An upsert of transfers fires both
-- triggers, one of them without a row, and a transfer that only gains a block changes no holdings: they return at once
-- then, because the statement costs 0.1 to 0.3 ms even without a row.
create function payment_transfers_hold_new() returns trigger language plpgsql as $$
declare
  change record;
begin
  if not exists (select from added) then
    return null;
  end if;
  for change in
      with changed as (
        select payment_id, deposit_address_id, chain, asset, currency_code, asset_decimals, seen_at,
          case when state = 'confirmed' then amount else 0 end as confirmed,
          case when state = 'pending' then amount else 0 end as pending,
          (state = 'confirmed')::integer as transfers
        from added
      ), by_address as (
        select payment_id, deposit_address_id, chain, asset, currency_code, asset_decimals, sum(confirmed) as confirmed,
          sum(pending) as pending, sum(transfers) as transfers, max(seen_at) as seen_at
        from changed group by 1, 2, 3, 4, 5, 6
      ), judged as (
        select p.application_id, a.*,
          -- Confirmed transfers of the address as they are now, those of this statement included.
          case when a.transfers = 0 then 0 else (
            select count(*) from payment_transfers t
            where t.payment_id = a.payment_id and t.deposit_address_id = a.deposit_address_id and t.chain = a.chain
              and t.asset = a.asset and t.currency_code = a.currency_code and t.asset_decimals = a.asset_decimals
              and t.state = 'confirmed') end as held
        from by_address a join payments p on p.id = a.payment_id
      )
      select application_id, chain, asset, currency_code, asset_decimals, sum(confirmed) as confirmed,
        sum(pending) as pending, sum((held > 0)::integer - (held - transfers > 0)::integer) as addresses,
        max(seen_at) as seen_at
      from judged group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  loop
    insert into application_holdings (application_id, chain, asset, currency_code, asset_decimals, last_seen_at)
    values (change.application_id, change.chain, change.asset, change.currency_code, change.asset_decimals,
      change.seen_at)
    on conflict do nothing;
    update application_holdings h set confirmed = h.confirmed + change.confirmed,
      pending = h.pending + change.pending, addresses = h.addresses + change.addresses,
      last_seen_at = greatest(h.last_seen_at, change.seen_at)
    where h.application_id = change.application_id and h.chain = change.chain and h.asset = change.asset
      and h.currency_code = change.currency_code and h.asset_decimals = change.asset_decimals;
  end loop;
  return null;
end $$;
create trigger payment_transfers_hold_new after insert on payment_transfers
  referencing new table as added for each statement execute function payment_transfers_hold_new();

create function payment_transfers_hold_changed() returns trigger language plpgsql as $$
declare
  change record;
begin
  if not exists (select from new_rows n join old_rows b on b.id = n.id where b.state <> n.state) then
    return null;
  end if;
  for change in
      with changed as (
        select n.payment_id, n.deposit_address_id, n.chain, n.asset, n.currency_code, n.asset_decimals, n.seen_at,
          n.amount * ((n.state = 'confirmed')::integer - (b.state = 'confirmed')::integer) as confirmed,
          n.amount * ((n.state = 'pending')::integer - (b.state = 'pending')::integer) as pending,
          (n.state = 'confirmed')::integer - (b.state = 'confirmed')::integer as transfers
        from new_rows n join old_rows b on b.id = n.id where b.state <> n.state
      ), by_address as (
        select payment_id, deposit_address_id, chain, asset, currency_code, asset_decimals, sum(confirmed) as confirmed,
          sum(pending) as pending, sum(transfers) as transfers, max(seen_at) as seen_at
        from changed group by 1, 2, 3, 4, 5, 6
      ), judged as (
        select p.application_id, a.*,
          -- Confirmed transfers of the address as they are now, those of this statement included.
          case when a.transfers = 0 then 0 else (
            select count(*) from payment_transfers t
            where t.payment_id = a.payment_id and t.deposit_address_id = a.deposit_address_id and t.chain = a.chain
              and t.asset = a.asset and t.currency_code = a.currency_code and t.asset_decimals = a.asset_decimals
              and t.state = 'confirmed') end as held
        from by_address a join payments p on p.id = a.payment_id
      )
      select application_id, chain, asset, currency_code, asset_decimals, sum(confirmed) as confirmed,
        sum(pending) as pending, sum((held > 0)::integer - (held - transfers > 0)::integer) as addresses,
        max(seen_at) as seen_at
      from judged group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  loop
    insert into application_holdings (application_id, chain, asset, currency_code, asset_decimals, last_seen_at)
    values (change.application_id, change.chain, change.asset, change.currency_code, change.asset_decimals,
      change.seen_at)
    on conflict do nothing;
    update application_holdings h set confirmed = h.confirmed + change.confirmed,
      pending = h.pending + change.pending, addresses = h.addresses + change.addresses,
      last_seen_at = greatest(h.last_seen_at, change.seen_at)
    where h.application_id = change.application_id and h.chain = change.chain and h.asset = change.asset
      and h.currency_code = change.currency_code and h.asset_decimals = change.asset_decimals;
  end loop;
  return null;
end $$;
create trigger payment_transfers_hold_changed after update on payment_transfers
  referencing old table as old_rows new table as new_rows
  for each statement execute function payment_transfers_hold_changed();

-- One row per transaction that a customer named because the page does not show the payment
-- (specification/checkout.md#already-paid): a request to look, never a fact. It credits nothing, so it has no MAC. At most
-- ten of a payment, counted under its lock. Written by the payments module, updated as the watcher asks the chain. Never
-- deleted.
create table reported_transactions (
  id uuid primary key,
  payment_id uuid not null,
  user_id text not null,
  chain text not null,
  tx_hash text not null check (length(tx_hash) <= 66),
  state text not null check (
    state in ('SEARCHING', 'UNKNOWN', 'WAITING', 'FOUND', 'FAILED', 'OTHER_ADDRESS', 'NOT_FOUND')),
  checks integer not null check (checks >= 0),
  reported_at timestamptz not null,
  checked_at timestamptz,
  next_check_at timestamptz,
  foreign key (payment_id, user_id) references payments (id, user_id),
  constraint reported_transactions_once unique (payment_id, chain, tx_hash),
  constraint reported_transactions_due_check check (
    (next_check_at is not null) = (state in ('SEARCHING', 'UNKNOWN', 'WAITING')))
);
create index reported_transactions_due on reported_transactions (next_check_at) where next_check_at is not null;
