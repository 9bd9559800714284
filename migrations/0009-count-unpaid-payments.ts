import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the limits of unpaid payments: both counts of a user are read from this index alone. */
export class CountUnpaidPayments1795310409000 implements MigrationInterface {
  name = 'CountUnpaidPayments1795310409000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'create index payments_unpaid on payments (user_id, expires_at, status) where found_at is null',
    );
  }

  async down(): Promise<void> {
    throw new Error('CountUnpaidPayments1795310409000 cannot be reverted; restore a backup instead');
  }
}
