-- Extended public keys and what their addresses hold. The addresses themselves refer to payments: transfers.sql.
-- Owner: src/wallets.

-- One row per extended public key. Written by the wallet routes and, for the counter, by each new deposit address.
-- Never deleted: retired_at takes it out of use, and addresses handed out before stay watched.
create table wallets (
  id uuid primary key,
  -- An application's wallet has both. A default wallet of a user has user_id only, and all applications of the user
  -- fall back to it. The operator's default wallet has neither.
  application_id uuid,
  user_id text,
  family text not null check (family in ('evm', 'bitcoin', 'litecoin', 'dogecoin', 'bitcoincash', 'tron')),
  script_type text,
  -- Sealed (AES-256-GCM): the key reveals the merchant's whole income.
  sealed_extended_public_key text not null,
  masked_key text not null,
  -- BIP32 fingerprint of the key, for display.
  fingerprint text not null check (fingerprint ~ '^[0-9a-f]{8}$'),
  -- SHA-256 of public key and chain code. One key serves one wallet for ever: two counters on one key would hand out
  -- the same address twice.
  key_hash bytea not null unique check (length(key_hash) = 32),
  -- The derivation index of the next address (BIP32, not hardened).
  next_index bigint not null default 0 check (next_index between 0 and 2147483648),
  created_at timestamptz not null,
  retired_at timestamptz,
  -- database_lineage() when the counter last moved; another value now means that newer addresses were lost.
  lineage text,
  -- Under APP_KEYS, over id, owner, family, script type, key and state (retired_at), so that a writer of the database
  -- without the keys cannot change where money goes (specification/wallets.md#integrity).
  mac text not null check (mac ~ '^m1[.]'),
  -- When somebody last confirmed that their wallet shows the addresses of the key, and who.
  compared_at timestamptz,
  compared_by text,
  foreign key (application_id, user_id) references payment_applications (id, user_id),
  check (application_id is null or user_id is not null)
);
create unique index wallets_active on wallets (user_id, application_id, family) nulls not distinct
  where retired_at is null;

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
create trigger wallets_guard before update or delete on wallets
  for each row execute function wallets_guard();

-- No derivation index is handed out twice: the counter never goes back.
create function wallets_keep_counter() returns trigger language plpgsql as $$
begin
  raise exception 'wallet %: its counter never goes back', new.id using errcode = 'check_violation';
end $$;
create trigger wallets_keep_counter before update of next_index on wallets
  for each row when (new.next_index < old.next_index) execute function wallets_keep_counter();

-- A restored backup, or a replica that took over without the newest commits, has lost addresses that customers already
-- hold. The counter notices and skips them.
create function wallets_skip_lost_numbers() returns trigger language plpgsql as $$
declare
  here constant text := database_lineage(tg_relid);
  newest timestamptz;
  recent bigint;
begin
  if tg_op = 'INSERT' then
    -- A value that comes along is a backup's.
    new.lineage := coalesce(new.lineage, here);
    return new;
  end if;
  if new.next_index = old.next_index or old.lineage is not distinct from here then return new; end if;
  -- What may be lost: as many as in the equally long time before the newest that is known. Four times that, and
  -- a thousand for a database that lost only its last moments.
  select created_at into newest from deposit_addresses
    where wallet_id = old.id order by derivation_index desc limit 1;
  select count(*) into recent from deposit_addresses
    where wallet_id = old.id and created_at >= newest - greatest(now() - newest, interval '0');
  new.next_index := new.next_index + 1000 + 4 * recent;
  new.lineage := here;
  raise warning 'wallet %: the database is a restored one, or a replica that took over; address numbers % to % are skipped',
    old.id, old.next_index, new.next_index - 2;
  return new;
end $$;
create trigger wallets_skip_lost_numbers before insert or update on wallets
  for each row execute function wallets_skip_lost_numbers();

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
create trigger wallet_choices_no_delete before delete on wallet_choices
  for each row execute function refuse_change();

-- One row per change of an owner's wallet: pending, applied, or cancelled. Written by the wallet routes and the loop
-- that applies pending ones (specification/wallets.md#changes). Never deleted: it is the notice of the change.
create table wallet_changes (
  id uuid primary key,
  -- Null: the default wallet of the user.
  application_id uuid,
  user_id text not null,
  family text not null check (family in ('evm', 'bitcoin', 'litecoin', 'dogecoin', 'bitcoincash', 'tron')),
  -- Only while a new key waits: the key, encrypted (AES-256-GCM) for the row's id and owner.
  sealed_key text,
  -- Both null: the wallet is removed.
  masked_key text,
  fingerprint text check (fingerprint ~ '^[0-9a-f]{8}$'),
  previous_fingerprint text check (previous_fingerprint ~ '^[0-9a-f]{8}$'),
  changed_by text not null check (changed_by in ('user', 'server')),
  requested_at timestamptz not null,
  effective_at timestamptz not null check (effective_at >= requested_at),
  applied_at timestamptz check (applied_at >= effective_at),
  cancelled_at timestamptz,
  mac text not null check (mac ~ '^m1[.]'),
  foreign key (application_id, user_id) references payment_applications (id, user_id),
  check ((masked_key is null) = (fingerprint is null)),
  check (applied_at is null or cancelled_at is null),
  check ((sealed_key is not null) = (fingerprint is not null and applied_at is null and cancelled_at is null))
);
create unique index wallet_changes_one_pending on wallet_changes (user_id, application_id, family)
  nulls not distinct where applied_at is null and cancelled_at is null;
create index wallet_changes_due on wallet_changes (effective_at) where applied_at is null and cancelled_at is null;
create index wallet_changes_of_owner on wallet_changes (user_id, application_id, applied_at desc);

create trigger wallet_changes_no_delete before delete on wallet_changes
  for each row execute function refuse_change();

-- What was requested does not change, and what has ended does not begin again. The rotation of keys says so in its own
-- transaction, and may replace what is made with APP_KEYS.
create function wallet_changes_guard() returns trigger language plpgsql as $$
begin
  if current_setting('gateway.resealing', true) = 'on'
     and to_jsonb(new) - '{mac,sealed_key}'::text[] = to_jsonb(old) - '{mac,sealed_key}'::text[] then
    return new;
  end if;
  if old.applied_at is not null or old.cancelled_at is not null
     or to_jsonb(new) - '{mac,sealed_key,previous_fingerprint,applied_at,cancelled_at}'::text[]
        <> to_jsonb(old) - '{mac,sealed_key,previous_fingerprint,applied_at,cancelled_at}'::text[]
     or (new.sealed_key is not null and new.sealed_key <> old.sealed_key) then
    raise exception 'wallet change %: what was requested, and how it ended, is immutable', old.id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger wallet_changes_guard before update on wallet_changes
  for each row execute function wallet_changes_guard();

-- One row per application and asset: the sum of what its deposit addresses received, so that reading it does not sum a
-- million transfers. Written only by the triggers of payment_transfers (transfers.sql). Never deleted.
create table application_holdings (
  application_id uuid not null references payment_applications (id),
  chain text not null,
  asset text not null,
  currency_code text not null,
  asset_decimals smallint not null,
  -- Smallest units of the asset. Sums, so without the bound of one amount.
  confirmed numeric not null default 0 check (confirmed >= 0 and confirmed < 'Infinity'),
  pending numeric not null default 0 check (pending >= 0 and pending < 'Infinity'),
  -- Deposit addresses with a confirmed transfer of the asset.
  addresses bigint not null default 0 check (addresses >= 0),
  -- When the newest transfer was first seen, including one that a reorg took back.
  last_seen_at timestamptz not null,
  primary key (application_id, chain, asset, currency_code, asset_decimals)
);
