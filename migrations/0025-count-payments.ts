import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  `create table payment_counts (
    user_id text not null,
    span text not null constraint payment_counts_span_check check (span in ('month', 'day', 'hour')),
    starts_at timestamptz not null,
    application_id uuid not null,
    status text not null,
    currency_code text not null,
    total bigint not null,
    primary key (user_id, span, starts_at, application_id, status, currency_code)
  )`,
  `comment on table payment_counts is 'Payments by month, day and hour (UTC) of their creation; with payment_count_changes, which are not added yet.'`,
  `create table payment_count_changes (
    user_id text not null,
    seq bigserial,
    hour timestamptz not null,
    application_id uuid not null,
    status text not null,
    currency_code text not null,
    change bigint not null,
    primary key (user_id, seq)
  )`,
  `comment on table payment_count_changes is 'What the counts of payments change by, until a loop adds it to payment_counts.'`,
];

/** Group commit writes many payments with one statement; they share rows here. */
const INSERTED = `
  create function payments_count_insert() returns trigger language plpgsql as $$
  begin
    insert into payment_count_changes (user_id, hour, application_id, status, currency_code, change)
    select n.user_id, date_trunc('hour', n.created_at, 'UTC'), n.application_id, n.status, n.currency_code, count(*)
    from fresh n group by 1, 2, 3, 4, 5;
    return null;
  end $$`;
const MOVED = `
  create function payments_count_move() returns trigger language plpgsql as $$
  begin
    insert into payment_count_changes (user_id, hour, application_id, status, currency_code, change)
    values
      (old.user_id, date_trunc('hour', old.created_at, 'UTC'), old.application_id, old.status, old.currency_code, -1),
      (new.user_id, date_trunc('hour', new.created_at, 'UTC'), new.application_id, new.status, new.currency_code, 1);
    return null;
  end $$`;
const TRIGGERS = [
  `create trigger payments_count_insert after insert on payments referencing new table as fresh
    for each statement execute function payments_count_insert()`,
  `create trigger payments_count_move after update on payments for each row
    when ((old.user_id, old.created_at, old.application_id, old.status, old.currency_code)
      is distinct from (new.user_id, new.created_at, new.application_id, new.status, new.currency_code))
    execute function payments_count_move()`,
];

/**
 * Totals and far pages of the list of payments come from counts (decisions/0808-count-payments-by-time.md). Writers only
 * append to `payment_count_changes`, in the transaction of the payment, so no row is waited for. 0026 counts what exists.
 */
export class CountPayments1795310425000 implements MigrationInterface {
  name = 'CountPayments1795310425000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, INSERTED, MOVED]) await queryRunner.query(statement);
    for (const name of ['payments_count_insert', 'payments_count_move'])
      // With the rights of the schema's owner, as other triggers that write tables without rights.
      await queryRunner.query(`
        do $$ begin
          execute format('alter function ${name}() security definer set search_path = %I, pg_temp', current_schema());
          revoke execute on function ${name}() from public;
        end $$`);
    for (const trigger of TRIGGERS) await queryRunner.query(trigger);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('CountPayments1795310425000 cannot be reverted; restore a backup instead');
  }
}
