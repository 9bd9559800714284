import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns for the MACs of payments, of what belongs to them, and of the settings that they follow. The gateway fills them
 * when it starts, as after 0003. The release before ignores them: its rows are reported, and no money depends on that.
 */
export class AuthenticatePayments1795310412000 implements MigrationInterface {
  name = 'AuthenticatePayments1795310412000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`alter table ${table} add column mac text`);
    await queryRunner.query(`insert into authenticated_tables (name) select unnest($1::text[])`, [TABLES]);
    // As deposit_addresses_guard(): the MAC of a row may change alone, with a new key of APP_KEYS.
    await queryRunner.query(`
      create function refuse_change_but_mac() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and current_setting('gateway.resealing', true) = 'on'
           and to_jsonb(new) - 'mac' = to_jsonb(old) - 'mac' then
          return new;
        end if;
        raise exception '% is append-only', tg_table_name using errcode = 'check_violation';
      end $$`);
    for (const table of APPEND_ONLY)
      await queryRunner.query(`
        create or replace trigger ${table}_append_only before update or delete on ${table}
          for each row execute function refuse_change_but_mac()`);
    await queryRunner.query(`
      create function refuse_new_mac() returns trigger language plpgsql as $$
      begin
        if current_setting('gateway.resealing', true) = 'on' then
          return new;
        end if;
        raise exception 'a MAC of % is fixed', tg_table_name using errcode = 'check_violation';
      end $$`);
    for (const table of CHANGING)
      await queryRunner.query(`
        create trigger ${table}_keep_mac before update on ${table}
          for each row when (new.mac is distinct from old.mac) execute function refuse_new_mac()`);
  }

  /** Forward only: without the MACs every row would be reported. */
  async down(): Promise<void> {
    throw new Error('AuthenticatePayments1795310412000 cannot be reverted; restore a backup instead');
  }
}

const APPEND_ONLY = ['quotes', 'payment_status_history'];
/** With columns of state beside the authenticated ones. */
const CHANGING = ['payments', 'payment_transfers', 'payment_events'];
const TABLES = [...CHANGING, ...APPEND_ONLY, 'sites'];
