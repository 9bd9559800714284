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
  foreign key (application_id, user_id) references payment_applications (id, user_id),
  check (application_id is null or user_id is not null)
);
create unique index wallets_active on wallets (user_id, application_id, family) nulls not distinct
  where retired_at is null;

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
