import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './online.js';

/** Exports and reports read the transfers of one user by time; those of other rows have their indexes already. */
export class ExportsAndReports1795310417000 implements MigrationInterface {
  name = 'ExportsAndReports1795310417000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'payment_transfers_owner',
      'payment_transfers (user_id, seen_at desc, id desc)',
    );
  }

  async down(): Promise<void> {
    throw new Error('ExportsAndReports1795310417000 cannot be reverted; restore a backup instead');
  }
}
