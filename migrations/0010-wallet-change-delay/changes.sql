-- One row per change of an owner's wallet: pending, applied, or cancelled. Written by the wallet routes and the loop
-- that applies pending ones. Never deleted: it is the notice of the change.
-- Owner: src/wallets.
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
