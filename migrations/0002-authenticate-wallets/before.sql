-- Wallets and deposit addresses carry a MAC under APP_KEYS, so that a writer of the database without the keys cannot
-- change where money goes (specification/wallets.md#integrity). First part: the columns, still empty.
-- Owner: src/wallets.

-- No wallet, address or application appears between the reading of the rows and the end of this migration.
lock table wallets, deposit_addresses in access exclusive mode;
lock table payment_applications in share row exclusive mode;

-- Over id, owner, family, script type, key and state (retired_at). Written by the gateway with each change of these.
alter table wallets add column mac text;
-- Over id, payment, user, wallet, family, index, key and address. Written once, and again under a newer key of APP_KEYS.
alter table deposit_addresses add column mac text;

-- One row per application, and one per user with an application or a wallet (application_id null): which wallet of the
-- owner is active in each family, e.g. {"evm": "<wallet id>"}; {}: none. It decides where new addresses come from. With
-- a MAC over the whole row, so that a wallet that disappears is noticed instead of falling back to another one. Written
-- when the application is created and with each change of its wallets. Never deleted: a missing row is an error.
create table wallet_choices (
  id uuid primary key,
  user_id text not null,
  application_id uuid,
  wallets jsonb not null check (jsonb_typeof(wallets) = 'object'),
  mac text not null check (mac ~ '^m1[.]'),
  unique nulls not distinct (user_id, application_id),
  foreign key (application_id, user_id) references payment_applications (id, user_id)
);

-- Who owns a wallet, its family and its key are fixed. The rotation of keys says so in its own transaction, and may
-- replace what is made with APP_KEYS.
create function wallets_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'wallet %: wallets are retired, never deleted', old.id using errcode = 'check_violation';
  end if;
  if (new.id, new.application_id, new.user_id, new.family, new.script_type, new.masked_key, new.fingerprint,
      new.key_hash, new.created_at)
     is distinct from
     (old.id, old.application_id, old.user_id, old.family, old.script_type, old.masked_key, old.fingerprint,
      old.key_hash, old.created_at) then
    raise exception 'wallet %: owner and key are fixed', old.id using errcode = 'check_violation';
  end if;
  if new.sealed_extended_public_key <> old.sealed_extended_public_key
     and coalesce(current_setting('gateway.resealing', true), '') <> 'on' then
    raise exception 'wallet %: owner and key are fixed', old.id using errcode = 'check_violation';
  end if;
  if new.retired_at is distinct from old.retired_at and new.mac is not distinct from old.mac then
    raise exception 'wallet %: its state changes together with its MAC', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create trigger wallet_choices_no_delete before delete on wallet_choices
  for each row execute function refuse_change();

-- An address is append-only but for its MAC, which the rotation of keys replaces.
create function deposit_addresses_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('gateway.resealing', true) = 'on'
     and to_jsonb(new) - 'mac' = to_jsonb(old) - 'mac' then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'check_violation';
end $$;
drop trigger deposit_addresses_append_only on deposit_addresses;
create trigger deposit_addresses_append_only before update or delete on deposit_addresses
  for each row execute function deposit_addresses_guard();
-- Until the end of this transaction.
set local gateway.resealing = 'on';
