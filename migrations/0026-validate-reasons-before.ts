import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The check that 0025-remember-stopped-payments.ts added: validating takes no lock that writers wait for. */
export class ValidateReasonsBefore1795996826000 implements MigrationInterface {
  name = 'ValidateReasonsBefore1795996826000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table payments validate constraint payments_reason_before_check');
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('ValidateReasonsBefore1795996826000 cannot be reverted; restore a backup instead');
  }
}
