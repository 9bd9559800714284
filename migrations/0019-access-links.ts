import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links that open an account once (specification/authentication.md#one-time-links). */
export class AccessLinks1795310419000 implements MigrationInterface {
  name = 'AccessLinks1795310419000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table access_links (
        id uuid primary key,
        kind text not null constraint access_links_kind_check check (kind in ('setup', 'password', 'invitation')),
        token_hash bytea not null unique constraint access_links_token_hash_check check (length(token_hash) = 32),
        email text,
        user_id uuid references users (id),
        account_id uuid references users (id),
        role text constraint access_links_role_check check (role in ('developer', 'viewer')),
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
      )`);
    await queryRunner.query(`create index access_links_account on access_links (account_id)`);
    await queryRunner.query(`create index access_links_user on access_links (user_id)`);
    await queryRunner.query(`
      comment on table access_links is
      'Links that open an account once. Only the keyed hash of a token is stored. Deleted when replaced, and a week after their end.'`);
    await queryRunner.query(`
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
      end $$`);
    await queryRunner.query(`
      create trigger access_links_guard before update on access_links
        for each row execute function access_links_guard()`);
    await queryRunner.query(`insert into authenticated_tables (name) values ('access_links')`);
  }

  async down(): Promise<void> {
    throw new Error('AccessLinks1795310419000 cannot be reverted; restore a backup instead');
  }
}
