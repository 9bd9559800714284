import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When somebody last confirmed that their wallet shows the addresses of a key, and who. */
export class WalletComparison1795310433000 implements MigrationInterface {
  name = 'WalletComparison1795310433000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table wallets
        add column compared_at timestamptz,
        add column compared_by text`);
  }

  async down(): Promise<void> {
    throw new Error('WalletComparison1795310433000 cannot be reverted; restore a backup instead');
  }
}
