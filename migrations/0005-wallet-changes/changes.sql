-- Null: as before there were scopes, which does not include changes of wallets.
-- Owner: src/identity/oauth.
alter table oauth_clients add column scopes text[] check (cardinality(scopes) > 0);

-- One row per change of an owner's wallet: pending, in effect, or cancelled. Written by the wallet routes and the loop
-- that activates pending ones. Never deleted: it is the notice of the change.
-- Owner: src/wallets.
create table wallet_changes (
  id uuid primary key,
  -- Null: the default wallet of the user.
  application_id uuid,
  user_id text not null,
  family text not null check (family in ('evm', 'bitcoin', 'litecoin', 'dogecoin', 'bitcoincash', 'tron')),
  -- Sealed (AES-256-GCM) together with owner, family and time, so that a row which was altered does not take effect.
  sealed_change text,
  -- Both null: the wallet is removed.
  masked_key text,
  fingerprint text check (fingerprint ~ '^[0-9a-f]{8}$'),
  previous_fingerprint text check (previous_fingerprint ~ '^[0-9a-f]{8}$'),
  changed_by text not null check (changed_by in ('user', 'server')),
  requested_at timestamptz not null,
  activates_at timestamptz not null check (activates_at >= requested_at),
  activated_at timestamptz check (activated_at >= activates_at),
  cancelled_at timestamptz,
  foreign key (application_id, user_id) references payment_applications (id, user_id),
  check ((masked_key is null) = (fingerprint is null)),
  check (activated_at is null or cancelled_at is null),
  check ((sealed_change is not null) = (activated_at is null and cancelled_at is null)),
  check (previous_fingerprint is null or activated_at is not null)
);
create unique index wallet_changes_one_pending on wallet_changes (user_id, application_id, family)
  nulls not distinct where activated_at is null and cancelled_at is null;
create index wallet_changes_due on wallet_changes (activates_at) where activated_at is null and cancelled_at is null;
create index wallet_changes_of_owner on wallet_changes (user_id, application_id, activated_at desc);

create trigger wallet_changes_no_delete before delete on wallet_changes
  for each row execute function refuse_change();

-- What was requested does not change, and what has ended does not begin again.
create function wallet_changes_guard() returns trigger language plpgsql as $$
begin
  if (new.id, new.application_id, new.user_id, new.family, new.masked_key, new.fingerprint, new.changed_by,
      new.requested_at, new.activates_at)
     is distinct from (old.id, old.application_id, old.user_id, old.family, old.masked_key, old.fingerprint,
      old.changed_by, old.requested_at, old.activates_at)
     or (old.activated_at is not null or old.cancelled_at is not null) then
    raise exception 'wallet change %: what was requested, and how it ended, is immutable', old.id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger wallet_changes_guard before update on wallet_changes
  for each row execute function wallet_changes_guard();
