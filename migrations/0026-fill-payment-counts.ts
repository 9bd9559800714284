import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './online.js';

/**
 * Adds what the counts differ from the payments by. One statement sees both at the same moment, so payments may be
 * created and moved meanwhile: their own changes come on top.
 */
export const FILL_PAYMENT_COUNTS = `
  insert into payment_count_changes (user_id, hour, application_id, status, currency_code, change)
  select user_id, hour, application_id, status, currency_code, sum(n)
  from (
    select user_id, date_trunc('hour', created_at, 'UTC') as hour, application_id, status, currency_code, count(*) as n
    from payments group by 1, 2, 3, 4, 5
    union all
    select user_id, starts_at, application_id, status, currency_code, -total from payment_counts where span = 'hour'
    union all
    select user_id, hour, application_id, status, currency_code, -change from payment_count_changes
  ) difference
  group by 1, 2, 3, 4, 5 having sum(n) <> 0`;

/** By name: the table, and what is indexed, for the list of payments (specification/payments.md#list). */
const INDEXES: Readonly<Record<string, string>> = {
  payments_amount: 'payments (user_id, amount, id)',
  payments_label_prefix: 'payments (user_id, lower(reference_label) text_pattern_ops)',
};

/** Reads all payments once, and holds no lock that writers wait for. Run again, it adds what is missing. */
export class FillPaymentCounts1795310426000 implements MigrationInterface {
  name = 'FillPaymentCounts1795310426000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(FILL_PAYMENT_COUNTS);
    for (const [name, on] of Object.entries(INDEXES)) await createIndexConcurrently(queryRunner, name, on);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('FillPaymentCounts1795310426000 cannot be reverted; restore a backup instead');
  }
}
