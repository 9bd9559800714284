import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Of `changes`, as 0032 has it. */
const TELL = `
          insert into changes (user_id, type, object_id, application_id, payment_id)
          select d.user_id, 'delivery', case d.many when 1 then d.ids[1] end, case d.many when 1 then d.applications[1] end,
            case d.many when 1 then d.payments[1] end
          from (
            select n.user_id, count(*) as many, array_agg(n.id) as ids, array_agg(n.application_id) as applications,
              array_agg(n.payment_id) as payments
            from fresh n where n.lease_token is null group by n.user_id) d`;
const counted = (rows: 'former' | 'fresh', change: 1 | -1) => `
                select user_id, application_id, created_at, type, state, attempts, ${change} as change
                from ${rows} where lease_token is null`;
/** Rows of one statement mostly have the same time and state, so the costly expressions see few of them. */
const countOf = (...parts: string[]) => `
            insert into webhook_delivery_count_changes (user_id, application_id, hour, type, status, change)
            select d.user_id, d.application_id, date_trunc('hour', d.created_at, 'UTC'), d.type,
              case when d.state <> 'pending' then upper(d.state) when d.is_new then 'PENDING' else 'FAILED' end, sum(d.change)
            from (
              select r.user_id, r.application_id, r.created_at, r.type, r.state, r.attempts = 0 as is_new,
                sum(r.change) as change
              from (${parts.join(`
                union all`)}
              ) r group by 1, 2, 3, 4, 5, 6 having sum(r.change) <> 0
            ) d group by 1, 2, 3, 4, 5 having sum(d.change) <> 0`;

const FUNCTIONS = {
  webhook_deliveries_tell_insert: `
          with counted as (${countOf(counted('fresh', 1))}
          )${TELL}`,
  webhook_deliveries_tell_update: `
          with counted as (${countOf(counted('former', -1), counted('fresh', 1))}
          )${TELL}`,
  webhook_deliveries_count_delete: countOf(counted('former', -1)),
};

/**
 * The counts of deliveries leave out those that a process has claimed
 * (decisions/0814-count-deliveries-by-hour.md): most deliveries are made, claimed at once and finished, which is one row
 * of changes instead of three. 0040 corrects the counts.
 */
export class CountUnclaimedDeliveries1795310439000 implements MigrationInterface {
  name = 'CountUnclaimedDeliveries1795310439000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Waits for statements that count as before, so that 0040 sees all that they added.
    await queryRunner.query('lock table webhook_deliveries in share row exclusive mode');
    for (const [name, statement] of Object.entries(FUNCTIONS)) {
      await queryRunner.query(`
        create or replace function ${name}() returns trigger language plpgsql as $$
        begin${statement};
          return null;
        end $$`);
      // Replacing a function resets both.
      await queryRunner.query(`
        do $$ begin
          execute format('alter function ${name}() security definer set search_path = %I, pg_temp', current_schema());
        end $$`);
    }
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('CountUnclaimedDeliveries1795310439000 cannot be reverted; restore a backup instead');
  }
}
