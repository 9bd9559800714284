-- Users, second factors, the authorization server and client tokens.
-- Owner: src/identity.

-- One row per user who signs in at this gateway; users of an external identity provider have none.
-- Written by provisioning and by the account routes. Never deleted: disabled_at locks the user out.
create table users (
  id uuid primary key,
  email text not null check (email = lower(email) and length(email) between 3 and 254),
  password_hash text not null,
  is_operator boolean not null default false,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  name text check (length(name) between 1 and 255),
  -- MACs under APP_KEYS, here and below, for the rows that a right depends on. Which columns one covers: the table's
  -- `AuthenticatedTable` in src/.
  mac text,
  -- Id of the key of APP_KEYS that peppered the password.
  password_key text not null,
  -- Whether signing in takes a code. second_factors has the secret; this says that there must be one.
  has_second_factor boolean not null default false
);
create unique index users_email_key on users (email);
-- For the operator's list of users. Prefixes are compared by bytes, in any collation.
create index users_newest on users (created_at desc, id desc);
create index users_email_prefix on users (email text_pattern_ops);

-- One row per user who may act in the account of another one, the owner, and how far
-- (specification/authentication.md#members). Written by invitations. Deleted when a member leaves.
create table account_members (
  account_id uuid not null references users (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('developer', 'viewer')),
  created_at timestamptz not null,
  mac text not null,
  primary key (account_id, user_id),
  constraint account_members_other_check check (account_id <> user_id)
);
create index account_members_user on account_members (user_id);

-- One row per link that opens an account once (specification/authentication.md#one-time-links). Written by the command
-- line and the account routes. Deleted when replaced, and a week after its end.
create table access_links (
  id uuid primary key,
  kind text not null check (kind in ('setup', 'password', 'invitation')),
  -- Keyed; the token itself is not stored.
  token_hash bytea not null unique check (length(token_hash) = 32),
  email text,
  user_id uuid references users (id),
  account_id uuid references users (id),
  role text check (role in ('developer', 'viewer')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  mac text not null,
  constraint access_links_subject_check check (
    case kind
      when 'setup' then num_nonnulls(email, user_id, account_id, role) = 0
      when 'password' then user_id is not null and num_nonnulls(email, account_id, role) = 0
      else user_id is null and num_nonnulls(email, account_id, role) = 3
    end)
);
create index access_links_account on access_links (account_id);
create index access_links_user on access_links (user_id);

-- A link is used once, and otherwise fixed.
create function access_links_guard() returns trigger language plpgsql as $$
begin
  if (old.used_at is not null and new.used_at is distinct from old.used_at)
    or row(new.id, new.kind, new.token_hash, new.email, new.user_id, new.account_id, new.role, new.created_at,
        new.expires_at)
      is distinct from row(old.id, old.kind, old.token_hash, old.email, old.user_id, old.account_id, old.role,
        old.created_at, old.expires_at) then
    raise exception 'access link %: used once, and never changed', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger access_links_guard before update on access_links
  for each row execute function access_links_guard();

-- One row per user and reason at most: refused sign-ins are counted, instead of one row of the audit log for each guess
-- of a stranger. Written at a wrong password or code, and reset by a sign-in. The nil id stands for all accounts that do
-- not exist, so that a refusal writes the same for them; hence no foreign key.
create table refused_sign_ins (
  user_id uuid not null,
  reason text not null check (reason in ('password', 'code')),
  -- Since the last sign-in, and between the last two.
  since_last integer not null check (since_last >= 0),
  before_last integer not null default 0 check (before_last >= 0),
  refused_at timestamptz not null,
  -- Whether the bound of the account was reached since the last sign-in, and when the audit log last said so.
  is_bound_reached boolean not null default false,
  reported_at timestamptz,
  primary key (user_id, reason)
);

-- One row per user with codes by time (RFC 6238); not in force before a first code confirmed it.
-- Written by the account routes and the rotation of keys. Deleted when the user turns the second factor off.
create table second_factors (
  user_id uuid primary key references users (id),
  -- Sealed (AES-256-GCM) together with the user's id: the secret makes codes.
  sealed_secret text not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  -- The step (30 s, counted from 1970) of the code accepted last. That code and older ones are refused.
  last_step bigint check (last_step > 0),
  check ((confirmed_at is null) = (last_step is null))
);

-- A confirmed secret is fixed, and each code counts once.
create function second_factors_guard() returns trigger language plpgsql as $$
begin
  -- The rotation of keys says so, in its own transaction, and may change nothing else.
  if current_setting('gateway.resealing', true) = 'on' and
     (new.user_id, new.created_at, new.confirmed_at, new.last_step)
     is not distinct from (old.user_id, old.created_at, old.confirmed_at, old.last_step) then
    return new;
  end if;
  if old.confirmed_at is not null and (new.user_id, new.sealed_secret, new.created_at, new.confirmed_at)
     is distinct from (old.user_id, old.sealed_secret, old.created_at, old.confirmed_at) then
    raise exception 'second factor of %: fixed once confirmed', old.user_id using errcode = 'check_violation';
  end if;
  if new.last_step <= old.last_step then
    raise exception 'second factor of %: a code counts once', old.user_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger second_factors_guard before update on second_factors
  for each row execute function second_factors_guard();

-- Ten rows per second factor, for a lost device. Shown once; each is good for one use.
-- Written when the second factor is confirmed or the codes are made anew. Deleted with the second factor.
create table recovery_codes (
  user_id uuid not null references second_factors (user_id) on delete cascade,
  slot smallint not null check (slot between 1 and 10),
  -- SHA-256 of user and code; a code has 80 random bits.
  code_hash bytea not null check (length(code_hash) = 32),
  created_at timestamptz not null,
  used_at timestamptz,
  mac text,
  primary key (user_id, slot),
  unique (user_id, code_hash)
);

-- A code belongs to a confirmed second factor, begins unused, and is used once. Its MAC may change alone.
create function recovery_codes_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.used_at is not null or not exists (
      select from second_factors where user_id = new.user_id and confirmed_at is not null
    ) then
      raise exception 'recovery code of %: unused, and of a confirmed second factor', new.user_id
        using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if (old.used_at is not null and new.used_at is distinct from old.used_at)
     or (new.user_id, new.slot, new.code_hash, new.created_at)
     is distinct from (old.user_id, old.slot, old.code_hash, old.created_at) then
    raise exception 'recovery code of %: used once, and otherwise fixed', old.user_id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger recovery_codes_guard before insert or update on recovery_codes
  for each row execute function recovery_codes_guard();

-- One row per token, grant, session, code or client that the authorization server remembers.
-- Ids that are bearer secrets are stored as SHA-256 (src/identity/oauth/oidc-store.ts). Deleted once expired.
create table oidc_payloads (
  kind text not null,
  id text not null,
  payload jsonb not null,
  grant_id text,
  uid text,
  expires_at timestamptz,
  consumed_at timestamptz,
  mac text,
  primary key (kind, id)
);
create index oidc_payloads_grant on oidc_payloads (grant_id) where grant_id is not null;
create unique index oidc_payloads_uid on oidc_payloads (kind, uid) where uid is not null;
-- A user's sessions, which the user lists (specification/authentication.md#sessions).
create index oidc_payloads_grants on oidc_payloads ((payload->>'accountId')) where kind = 'Grant';
create index oidc_payloads_expiry on oidc_payloads (expires_at) where expires_at is not null;

-- One row per OAuth client. Written by provisioning (provisioning.service.ts). Never deleted: revoked_at ends it.
create table oauth_clients (
  client_id text primary key,
  name text not null,
  -- SHA-256. Null for a public client (PKCE only).
  secret_hash bytea check (length(secret_hash) = 32),
  -- The user that a client_credentials client acts for.
  user_id uuid references users (id),
  grant_types text[] not null,
  redirect_uris text[] not null default '{}',
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  mac text,
  -- Null: all but changes of wallets (specification/authentication.md#oauth2-scopes).
  scopes text[] check (cardinality(scopes) > 0)
);

-- One row per key pair that signs ID tokens; the private half is sealed. Written at start and by the rotation of keys.
-- Never deleted.
create table oauth_signing_keys (
  kid text primary key,
  sealed_jwk text not null,
  created_at timestamptz not null default now()
);

-- One row per client token of an application. Written by the tokens routes. Never deleted: revoked_at ends it.
create table client_tokens (
  id uuid primary key,
  application_id uuid not null,
  user_id text not null,
  label text not null check (length(label) between 1 and 255),
  scopes text[] not null check (
    cardinality(scopes) between 1 and 4
    and scopes <@ array['payments.create', 'payments.get', 'payments.user-instructions.get', '*']
  ),
  -- SHA-256; the token itself is shown once.
  token_hash bytea not null unique check (length(token_hash) = 32),
  -- The first 8 characters, shown in lists so that people can tell tokens apart.
  token_prefix text not null,
  -- Null: does not expire.
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null,
  mac text,
  foreign key (application_id, user_id) references payment_applications (id, user_id)
);
create index client_tokens_application on client_tokens (application_id, created_at desc, id desc);

-- One row per user who has named something in a dashboard: texts by name, which only that dashboard reads. Written by
-- the account routes. Never deleted.
create table saved_views (
  user_id text primary key,
  views jsonb not null constraint saved_views_size_check
    check (jsonb_typeof(views) = 'object' and octet_length(views::text) <= 65536),
  updated_at timestamptz not null
);
