-- MACs under APP_KEYS for the audit log: whoever writes to the database without them can neither make nor change an
-- entry, nor cut off the end, unnoticed (docs/decisions/0505-key-the-audit-log.md).

-- Over number and hash, which covers everything else and the entries before. Null: written by the release before.
alter table audit_log add column mac text check (mac ~ '^m1[.]');

-- One row: where the audit log ends, by the process that appended last, in the transaction of the entry. audit_head
-- says the same without a key. Never deleted.
create table audit_anchor (
  only_one boolean primary key default true check (only_one),
  seq bigint not null check (seq >= 0),
  hash bytea not null check (octet_length(hash) = 32),
  -- Up to here entries need no MAC: they are of the release before, and the hashes of later ones cover them.
  adopted_seq bigint not null check (adopted_seq between 0 and seq),
  -- Until then instances of the release before may append without MACs. Null: never.
  unkeyed_until timestamptz(3),
  -- Over the columns above.
  mac text not null check (mac ~ '^m1[.]')
);
create trigger audit_anchor_no_delete before delete on audit_anchor
  for each row execute function refuse_change();
create trigger audit_anchor_no_truncate before truncate on audit_anchor
  for each statement execute function refuse_change();

-- Entries stay append-only but for the MAC, which the rotation of keys replaces.
create function audit_log_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('gateway.resealing', true) = 'on' and old.mac is not null
     and to_jsonb(new) - 'mac' = to_jsonb(old) - 'mac' and new.details::text = old.details::text then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'check_violation';
end $$;
drop trigger audit_log_append_only on audit_log;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function audit_log_guard();
