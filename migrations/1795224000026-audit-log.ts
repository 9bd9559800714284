import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who did what that matters for security: append-only, each row hashed together with the one before. */
export class AuditLog1795224000026 implements MigrationInterface {
  name = 'AuditLog1795224000026';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table audit_log (
        seq bigint primary key check (seq > 0),
        at timestamptz(3) not null,
        actor_kind text not null
          check (actor_kind in ('user', 'oauth_client', 'client_token', 'operator', 'customer', 'anonymous', 'system')),
        actor_id text,
        -- The list of acts is the gateway's: a newer instance may know one more.
        act text not null check (act ~ '^[a-z_]+[.][a-z_]+$'),
        -- Whose account it concerns. No foreign key: users of an identity provider have no row.
        user_id text,
        target_kind text,
        target_id text,
        -- Not jsonb: its very text is hashed.
        details json not null check (json_typeof(details) = 'object'),
        address text,
        request_id text,
        previous_hash bytea not null check (octet_length(previous_hash) = 32),
        hash bytea not null unique check (octet_length(hash) = 32),
        check ((target_kind is null) = (target_id is null)),
        check ((actor_kind in ('user', 'oauth_client', 'client_token')) = (actor_id is not null))
      );
      create index audit_log_user on audit_log (user_id, seq) where user_id is not null;

      -- The end of the chain. Its lock is the order of all acts.
      create table audit_head (
        only_one boolean primary key default true check (only_one),
        seq bigint not null,
        hash bytea not null check (octet_length(hash) = 32)
      );
      insert into audit_head (seq, hash) values (0, decode(repeat('00', 32), 'hex'));

      -- src/platform/audit/audit-chain.pure.ts reads it the same way: length in bytes, then UTF-8; null is the length 2^32 - 1.
      create function audit_field(value text) returns bytea language sql stable as $$
        select case when value is null then '\\xffffffff'::bytea
          else int4send(octet_length(convert_to(value, 'UTF8'))) || convert_to(value, 'UTF8') end
      $$;

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

      create trigger audit_log_append_only before update or delete on audit_log
        for each row execute function refuse_change();
      create trigger audit_log_no_truncate before truncate on audit_log
        for each statement execute function refuse_change();

      -- Moved by the trigger above, and by nobody else.
      create function audit_head_guard() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and pg_trigger_depth() > 1 then return null; end if;
        raise exception 'audit_head moves with audit_log only' using errcode = 'check_violation';
      end $$;
      create trigger audit_head_guard after insert or update or delete or truncate on audit_head
        for each statement execute function audit_head_guard();
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('AuditLog1795224000026 cannot be reverted; restore a backup instead');
  }
}
