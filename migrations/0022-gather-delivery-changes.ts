import type { MigrationInterface, QueryRunner } from 'typeorm';

const SOURCES = {
  insert: 'from fresh n',
  update: `from fresh n join former o on o.id = n.id
        where (n.state, n.attempts, n.succeeded_at) is distinct from (o.state, o.attempts, o.succeeded_at)`,
} as const;

/**
 * Deliveries are claimed and finished in batches. Those of one account in one statement now write one row of `changes`,
 * without ids if there are several: a row for each was a tenth of what Postgres does for a delivery.
 */
export class GatherDeliveryChanges1795310422000 implements MigrationInterface {
  name = 'GatherDeliveryChanges1795310422000';

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
            ${SOURCES[verb]} group by n.user_id) d;
          return null;
        end $$`);
      // Replacing a function resets both.
      await queryRunner.query(`
        do $$ begin
          execute format('alter function ${name}() security definer set search_path = %I, pg_temp', current_schema());
        end $$`);
    }
  }

  async down(): Promise<void> {
    throw new Error('GatherDeliveryChanges1795310422000 cannot be reverted; restore a backup instead');
  }
}
