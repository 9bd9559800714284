import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Exports and reports read the rows of one user by time: a page of an export costs the same wherever it begins, and a
 * report reads its span only. `if not exists`, because the lists of these rows need the same two indexes of refunds and
 * deliveries.
 */
export class ExportsAndReports1795310417000 implements MigrationInterface {
  name = 'ExportsAndReports1795310417000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'create index payment_transfers_owner on payment_transfers (user_id, seen_at desc, id desc)',
    );
    await queryRunner.query(
      'create index if not exists refunds_owner on refunds (user_id, created_at desc, id desc)',
    );
    await queryRunner.query(
      'create index if not exists webhook_deliveries_owner on webhook_deliveries (user_id, created_at desc, id desc)',
    );
  }

  async down(): Promise<void> {
    throw new Error('ExportsAndReports1795310417000 cannot be reverted; restore a backup instead');
  }
}
