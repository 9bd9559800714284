import { readFile } from 'node:fs/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Changes of wallets are recorded, so that they can wait and be cancelled (specification/wallets.md#changes). */
export class WalletChangeDelay1795310410000 implements MigrationInterface {
  name = 'WalletChangeDelay1795310410000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      await readFile(new URL('./0010-wallet-change-delay/changes.sql', import.meta.url), 'utf8'),
    );
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('WalletChangeDelay1795310410000 cannot be reverted; restore a backup instead');
  }
}
