import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The list of payments with money that is too much, and counts of deliveries that leave out tests, without the rows. */
export class IndexesOfLists1795996808000 implements MigrationInterface {
  name = 'IndexesOfLists1795996808000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`set lock_timeout = '10min'`);
    await queryRunner.query('drop index concurrently if exists payments_overpaid_list');
    await queryRunner.query(`
      create index concurrently payments_overpaid_list on payments (user_id, created_at desc, id desc)
        where overpaid_amount > refunded_amount + coalesce(kept_amount, 0) and status in ('RECEIVED', 'CONFIRMED')
          and (overpay_accepted_at is null or kept_amount is not null)`);
    await queryRunner.query('drop index concurrently if exists webhook_deliveries_failed');
    await queryRunner.query(`
      create index concurrently webhook_deliveries_failed on webhook_deliveries (application_id, created_at desc, id desc)
        include (test_payment_id) where state = 'exhausted'`);
    await queryRunner.query('drop index concurrently if exists webhook_deliveries_exhausted');
    await queryRunner.query('reset lock_timeout');
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('IndexesOfLists1795996808000 cannot be reverted; restore a backup instead');
  }
}
