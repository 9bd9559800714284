import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The check that 0010-stop-changed-payments.ts added: validating takes no lock that writers wait for. */
export class ValidateReviewReasons1795996811000 implements MigrationInterface {
  name = 'ValidateReviewReasons1795996811000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table payments validate constraint payments_review_reason_check');
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('ValidateReviewReasons1795996811000 cannot be reverted; restore a backup instead');
  }
}
