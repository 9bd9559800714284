import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `changes` gets a row when an attempt has ended or a delivery waits, and none for a claim, be it of a new delivery or of
 * an old one: the attempt ends within seconds. Whatever is claimed has a lease, so the new rows alone show it; comparing
 * them with the old ones was a tenth of what Postgres does for a delivery.
 */
export class SkipDeliveryClaims1795310432000 implements MigrationInterface {
  name = 'SkipDeliveryClaims1795310432000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const verb of ['insert', 'update'] as const) {
      const name = `webhook_deliveries_tell_${verb}`;
      await queryRunner.query(`
        create or replace function ${name}() returns trigger language plpgsql as $$
        begin
          insert into changes (user_id, type, object_id, application_id, payment_id)
          select d.user_id, 'delivery', case d.many when 1 then d.ids[1] end, case d.many when 1 then d.applications[1] end,
            case d.many when 1 then d.payments[1] end
          from (
            select n.user_id, count(*) as many, array_agg(n.id) as ids, array_agg(n.application_id) as applications,
              array_agg(n.payment_id) as payments
            from fresh n where n.lease_token is null group by n.user_id) d;
          return null;
        end $$`);
      // Replacing a function resets both.
      await queryRunner.query(`
        do $$ begin
          execute format('alter function ${name}() security definer set search_path = %I, pg_temp', current_schema());
        end $$`);
    }
    await queryRunner.query(`
      create or replace trigger webhook_deliveries_tell_update after update on webhook_deliveries
        referencing new table as fresh for each statement execute function webhook_deliveries_tell_update()`);
  }

  async down(): Promise<void> {
    throw new Error('SkipDeliveryClaims1795310432000 cannot be reverted; restore a backup instead');
  }
}
