import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A payment whose rows are not authentic waits for a person (docs/decisions/0870-who-acts-checks.md). */
export class StopChangedPayments1795996810000 implements MigrationInterface {
  name = 'StopChangedPayments1795996810000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table payments
        drop constraint payments_review_reason_check,
        add constraint payments_review_reason_check check (review_reason in
          ('overpaid', 'reorg', 'funds_after_cancel', 'integrity')) not valid`);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('StopChangedPayments1795996810000 cannot be reverted; restore a backup instead');
  }
}
