-- MACs under APP_KEYS for the rows that a right depends on. The release before ignores these columns.
-- Which columns a MAC covers: the table's `AuthenticatedTable` in src/.

alter table users
  add column mac text,
  -- Id of the key of APP_KEYS that peppered the password; null: it was hashed by a release that did not.
  add column password_key text,
  -- Whether signing in takes a code. second_factors has the secret; this says that there must be one.
  add column has_second_factor boolean not null default false;
alter table recovery_codes add column mac text;
alter table oauth_clients add column mac text;
alter table oidc_payloads add column mac text;
alter table client_tokens add column mac text;

-- One row per table with MACs. The first process that starts after the migration authenticates the rows of the release
-- before and sets adopted_at, in one transaction; from then on a row without a MAC is refused. Never deleted.
create table authenticated_tables (
  name text primary key,
  adopted_at timestamptz
);
insert into authenticated_tables (name)
  values ('users'), ('recovery_codes'), ('oauth_clients'), ('oidc_payloads'), ('client_tokens');

-- Adopted once, for good: rows that are written later must not pass for rows of the release before.
create function authenticated_tables_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.adopted_at is not null or new.name <> old.name then
    raise exception 'authenticated table %: adopted once', old.name using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger authenticated_tables_guard before update or delete on authenticated_tables
  for each row execute function authenticated_tables_guard();

-- As before; in addition, the MAC of a row may change alone.
create or replace function recovery_codes_guard() returns trigger language plpgsql as $$
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
