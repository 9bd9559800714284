-- Functions that several modules use, repeated requests, failed attempts, and the audit log.
-- Owner: src/platform.

-- The guard of every append-only table.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'check_violation';
end $$;

-- The same for rows with a MAC under APP_KEYS, which the rotation of keys replaces: it says so in its own transaction,
-- and changes nothing else.
create function refuse_change_but_mac() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('gateway.resealing', true) = 'on'
     and to_jsonb(new) - 'mac' = to_jsonb(old) - 'mac' then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'check_violation';
end $$;

-- For rows whose MAC covers what never changes, beside columns of state that do.
create function refuse_new_mac() returns trigger language plpgsql as $$
begin
  if current_setting('gateway.resealing', true) = 'on' then
    return new;
  end if;
  raise exception 'a MAC of % is fixed', tg_table_name using errcode = 'check_violation';
end $$;

-- Which database this is: server, timeline, database and table. pg_restore makes a new table, usually in a new
-- database; a promoted replica and a recovery to a point in time begin a new timeline. A backup carries the value of
-- the database it was taken from. Hosted servers may hide the server and the timeline.
create function database_lineage(of_table oid) returns text language plpgsql as $$
declare
  place constant text := format('%s/%s', (select oid from pg_database where datname = current_database()), of_table);
begin
  return format('%s/%s/%s', (select system_identifier from pg_control_system()),
    left(pg_walfile_name(pg_current_wal_lsn()), 8), place);
exception when insufficient_privilege or feature_not_supported or undefined_function
  or object_not_in_prerequisite_state then
  return place;
end $$;

-- One row per Idempotency-Key of a caller (specification/idempotency.md#one-transaction). Written in the transaction of
-- the request that it protects, so key and effect are committed together. Deleted once expired.
create table idempotency_keys (
  user_id text not null,
  -- The application's id for its client tokens, which share their keys; '' for OAuth tokens of the user.
  application text not null,
  method text not null,
  path text not null,
  key text not null check (length(key) between 1 and 255),
  -- SHA-256 of the request body: the same key with another body is refused.
  body_hash bytea not null check (length(body_hash) = 32),
  -- The response. Null only inside the transaction that makes it.
  status smallint check (status between 200 and 499),
  sealed_body text,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  primary key (user_id, application, method, path, key)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);

-- One row per bucket of failed attempts (generic cell rate algorithm), shared by all instances.
-- Written by the brute-force limits of sign-in and tokens. Deleted once the bucket is full again.
create table failed_attempts (
  kind text not null,
  subject text not null,
  -- When the bucket is full again.
  restored_at timestamptz not null,
  primary key (kind, subject)
);
create index failed_attempts_expiry on failed_attempts (restored_at);

-- One row per security-relevant act, each hashed together with the one before, so that a removed or changed row shows.
-- Written by AuditLog in the transaction of the act. Never changed, never deleted, never truncated.
create table audit_log (
  seq bigint primary key check (seq > 0),
  at timestamptz(3) not null,
  actor_kind text not null
    check (actor_kind in ('user', 'oauth_client', 'client_token', 'operator', 'customer', 'anonymous', 'system')),
  actor_id text,
  -- The list of acts is in the code: a newer instance may know one more.
  act text not null check (act ~ '^[a-z_]+[.][a-z_]+$'),
  -- The account concerned. No foreign key: users of an identity provider have no row.
  user_id text,
  target_kind text,
  target_id text,
  -- json, not jsonb: the text itself is hashed.
  details json not null check (json_typeof(details) = 'object'),
  address text,
  request_id text,
  previous_hash bytea not null check (octet_length(previous_hash) = 32),
  hash bytea not null unique check (octet_length(hash) = 32),
  -- Under APP_KEYS, over number and hash, which covers everything else and the entries before: whoever writes to the
  -- database without the keys can neither make nor change an entry unnoticed. Null: written by another program.
  mac text check (mac ~ '^m1[.]'),
  check ((target_kind is null) = (target_id is null)),
  check ((actor_kind in ('user', 'oauth_client', 'client_token')) = (actor_id is not null))
);
create index audit_log_user on audit_log (user_id, seq) where user_id is not null;
-- For the operator's list of users (specification/operations.md#users).
create index audit_log_sign_ins on audit_log (user_id, seq) where act = 'sign_in.succeeded';
-- For the timeline of an order.
create index audit_log_orders on audit_log (target_id, seq)
  where target_kind in ('payment', 'refund', 'transfer', 'delivery');

-- One row: number and hash of the newest audit row. Its row lock puts all acts in one order.
-- Written by the trigger audit_log_chain only. Never deleted.
create table audit_head (
  only_one boolean primary key default true check (only_one),
  seq bigint not null,
  hash bytea not null check (octet_length(hash) = 32)
);
insert into audit_head (seq, hash) values (0, decode(repeat('00', 32), 'hex'));

-- One field of the hashed text: its length in bytes, then UTF-8; null is the length 2^32 - 1. The same encoding is in
-- src/platform/integrity/audit-chain.pure.ts.
create function audit_field(value text) returns bytea language sql stable as $$
  select case when value is null then '\xffffffff'::bytea
    else int4send(octet_length(convert_to(value, 'UTF8'))) || convert_to(value, 'UTF8') end $$;

-- Number, previous hash and hash are set here, whatever the insert says.
create function audit_log_chain() returns trigger language plpgsql as $$
declare
  head audit_head%rowtype;
begin
  select * into strict head from audit_head for update;
  new.seq := head.seq + 1;
  new.previous_hash := head.hash;
  new.hash := sha256(head.hash
    || audit_field('audit-log-1')
    || audit_field(new.seq::text)
    || audit_field(to_char(new.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    || audit_field(new.actor_kind)
    || audit_field(new.actor_id)
    || audit_field(new.act)
    || audit_field(new.user_id)
    || audit_field(new.target_kind)
    || audit_field(new.target_id)
    || audit_field(new.details::text)
    || audit_field(new.address)
    || audit_field(new.request_id));
  update audit_head set seq = new.seq, hash = new.hash;
  return new;
end $$;
create trigger audit_log_chain before insert on audit_log
  for each row execute function audit_log_chain();

-- Append-only but for the MAC. The text of the details is compared as well, because the hash covers it: as jsonb,
-- texts of the same content are equal.
create function audit_log_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('gateway.resealing', true) = 'on' and old.mac is not null
     and to_jsonb(new) - 'mac' = to_jsonb(old) - 'mac' and new.details::text = old.details::text then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'check_violation';
end $$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function audit_log_guard();
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_change();

-- The head moves with a new audit row only.
create function audit_head_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and pg_trigger_depth() > 1 then return null; end if;
  raise exception 'audit_head moves with audit_log only' using errcode = 'check_violation';
end $$;
create trigger audit_head_guard after insert or update or delete or truncate on audit_head
  for each statement execute function audit_head_guard();

-- One row: where the audit log ends, by the process that appended last, in the transaction of the entry, so that nobody
-- without the keys can cut off the end unnoticed (docs/decisions/0505-key-the-audit-log.md). audit_head says the same
-- without a key. Written first by the migration, under the keys of the process that runs it. Never deleted.
create table audit_anchor (
  only_one boolean primary key default true check (only_one),
  seq bigint not null check (seq >= 0),
  hash bytea not null check (octet_length(hash) = 32),
  -- Up to here entries need no MAC: the log was changed outside of the gateway, and begins anew behind it. 0: never.
  resumed_seq bigint not null check (resumed_seq between 0 and seq),
  -- Over the columns above.
  mac text not null check (mac ~ '^m1[.]')
);
create trigger audit_anchor_no_delete before delete on audit_anchor
  for each row execute function refuse_change();
create trigger audit_anchor_no_truncate before truncate on audit_anchor
  for each statement execute function refuse_change();
