import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  `create table webhook_delivery_counts (
    user_id text not null,
    application_id uuid not null,
    hour timestamptz not null,
    type text not null,
    status text not null,
    total bigint not null,
    primary key (user_id, application_id, hour, type, status)
  )`,
  `comment on table webhook_delivery_counts is 'Deliveries by hour (UTC) of their creation; with webhook_delivery_count_changes, which are not added yet.'`,
  `create table webhook_delivery_count_changes (
    user_id text not null,
    application_id uuid not null,
    seq bigserial,
    hour timestamptz not null,
    type text not null,
    status text not null,
    change bigint not null,
    primary key (user_id, application_id, seq)
  )`,
  `comment on table webhook_delivery_count_changes is 'What the counts of deliveries change by, until a loop adds it to webhook_delivery_counts.'`,
];

/** Of `changes`, as 0032 has it. */
const TELL = `
          insert into changes (user_id, type, object_id, application_id, payment_id)
          select d.user_id, 'delivery', case d.many when 1 then d.ids[1] end, case d.many when 1 then d.applications[1] end,
            case d.many when 1 then d.payments[1] end
          from (
            select n.user_id, count(*) as many, array_agg(n.id) as ids, array_agg(n.application_id) as applications,
              array_agg(n.payment_id) as payments
            from fresh n where n.lease_token is null group by n.user_id) d`;
const NEEDED = 'user_id, application_id, created_at, type, state, attempts';
/** Rows of one statement mostly have the same time and state, so the costly expressions see few of them. */
const countOf = (rows: string) => `
            insert into webhook_delivery_count_changes (user_id, application_id, hour, type, status, change)
            select d.user_id, d.application_id, date_trunc('hour', d.created_at, 'UTC'), d.type,
              case when d.state <> 'pending' then upper(d.state) when d.is_new then 'PENDING' else 'FAILED' end, sum(d.change)
            from (
              select r.user_id, r.application_id, r.created_at, r.type, r.state, r.attempts = 0 as is_new,
                sum(r.change) as change
              from (${rows}) r group by 1, 2, 3, 4, 5, 6 having sum(r.change) <> 0
            ) d group by 1, 2, 3, 4, 5 having sum(d.change) <> 0`;

/**
 * Once for each statement: deliveries are made, finished and deleted in batches, which share rows here. Triggers that
 * told of deliveries already (0032) count them too, in the same statement. A statement that leaves a lease on all of its
 * rows has claimed them: they wait as before.
 */
const FUNCTIONS = {
  webhook_deliveries_tell_insert: `
          with counted as (${countOf(`select ${NEEDED}, 1 as change from fresh`)}
          )${TELL}`,
  webhook_deliveries_tell_update: `
          if not exists (select from fresh where lease_token is null) then return null; end if;
          with counted as (${countOf(`select ${NEEDED}, -1 as change from former union all select ${NEEDED}, 1 from fresh`)}
          )${TELL}`,
  webhook_deliveries_count_delete: countOf(`select ${NEEDED}, -1 as change from former`),
};

/**
 * Totals and far pages of the delivery log come from counts (decisions/0814-count-deliveries-by-hour.md). Writers only
 * append to `webhook_delivery_count_changes`, so no row is waited for. 0037 counts what exists.
 */
export class CountDeliveries1795310436000 implements MigrationInterface {
  name = 'CountDeliveries1795310436000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await queryRunner.query(statement);
    for (const [name, statement] of Object.entries(FUNCTIONS)) {
      await queryRunner.query(`
        create or replace function ${name}() returns trigger language plpgsql as $$
        begin${statement};
          return null;
        end $$`);
      // With the rights of the schema's owner, as other triggers that write tables without rights.
      await queryRunner.query(`
        do $$ begin
          execute format('alter function ${name}() security definer set search_path = %I, pg_temp', current_schema());
          revoke execute on function ${name}() from public;
        end $$`);
    }
    await queryRunner.query(`
      create or replace trigger webhook_deliveries_tell_update after update on webhook_deliveries
        referencing old table as former new table as fresh
        for each statement execute function webhook_deliveries_tell_update()`);
    await queryRunner.query(`
      create trigger webhook_deliveries_count_delete after delete on webhook_deliveries
        referencing old table as former for each statement execute function webhook_deliveries_count_delete()`);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('CountDeliveries1795310436000 cannot be reverted; restore a backup instead');
  }
}
