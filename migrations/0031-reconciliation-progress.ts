import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far verify has compared the payments: at most one row, encrypted, so that no other writer can shorten a comparison. */
export class ReconciliationProgress1795310431000 implements MigrationInterface {
  name = 'ReconciliationProgress1795310431000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table reconciliation_progress (
        only_one boolean primary key default true check (only_one),
        sealed_progress text not null
      )`);
  }

  async down(): Promise<void> {
    throw new Error('ReconciliationProgress1795310431000 cannot be reverted; restore a backup instead');
  }
}
