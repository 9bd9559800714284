import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What signed-in users keep for themselves: a name, default wallets, a second factor (api.md M, account). */
export class Accounts1795224000008 implements MigrationInterface {
  name = 'Accounts1795224000008';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table users add column name text check (length(name) between 1 and 255);

      -- A user without an application owns a default wallet: all of the user's applications fall back to it.
      -- Both null is still the operator's default key.
      alter table wallets drop constraint wallets_check;
      alter table wallets add constraint wallets_check check (application_id is null or user_id is not null);
      drop index wallets_active;
      create unique index wallets_active on wallets (user_id, application_id, family) nulls not distinct
        where retired_at is null;

      -- Codes by time (RFC 6238). Not in force before it was confirmed with a first code.
      create table second_factors (
        user_id uuid primary key references users (id),
        -- Sealed (AES-256-GCM), with the user's id: whoever reads it can make codes.
        sealed_secret text not null,
        created_at timestamptz not null,
        confirmed_at timestamptz,
        -- The 30 s step, counted from 1970, of the code that was accepted last. Neither that code nor an
        -- older one is ever accepted again.
        last_step bigint check (last_step > 0),
        check ((confirmed_at is null) = (last_step is null))
      );

      -- For whoever lost the device. Shown once; each is good for one use.
      create table recovery_codes (
        user_id uuid not null references second_factors (user_id) on delete cascade,
        slot smallint not null check (slot between 1 and 10),
        -- SHA-256 of user and code; a code has 80 random bits.
        code_hash bytea not null check (length(code_hash) = 32),
        created_at timestamptz not null,
        used_at timestamptz,
        primary key (user_id, slot),
        unique (user_id, code_hash)
      );

      create function second_factors_guard() returns trigger language plpgsql as $$
      begin
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
        if old.used_at is not null or (new.user_id, new.slot, new.code_hash, new.created_at)
           is distinct from (old.user_id, old.slot, old.code_hash, old.created_at) then
          raise exception 'recovery code of %: used once, and otherwise fixed', old.user_id
            using errcode = 'check_violation';
        end if;
        return new;
      end $$;
      create trigger recovery_codes_guard before insert or update on recovery_codes
        for each row execute function recovery_codes_guard();
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('Accounts1795224000008 cannot be reverted; restore a backup instead');
  }
}
