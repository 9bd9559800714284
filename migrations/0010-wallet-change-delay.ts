import { readFile } from 'node:fs/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Changes of wallets are recorded, can wait and be cancelled, and are reported (specification/wallets.md#changes). */
export class WalletChangeDelay1795310410000 implements MigrationInterface {
  name = 'WalletChangeDelay1795310410000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const part of ['changes', 'events'])
      await queryRunner.query(
        await readFile(new URL(`./0010-wallet-change-delay/${part}.sql`, import.meta.url), 'utf8'),
      );
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('WalletChangeDelay1795310410000 cannot be reverted; restore a backup instead');
  }
}
