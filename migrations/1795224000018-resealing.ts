import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets the keyring's rotation seal second factors again: the secret stays, its seal does not. */
export class Resealing1795224000018 implements MigrationInterface {
  name = 'Resealing1795224000018';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create or replace function second_factors_guard() returns trigger language plpgsql as $$
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
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('Resealing1795224000018 cannot be reverted; restore a backup instead');
  }
}
