import { readFile } from 'node:fs/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** OAuth2 clients have scopes, and changes of wallets are recorded, so that they can wait and be cancelled. */
export class WalletChanges1795310405000 implements MigrationInterface {
  name = 'WalletChanges1795310405000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(await readFile(new URL('./0005-wallet-changes/changes.sql', import.meta.url), 'utf8'));
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('WalletChanges1795310405000 cannot be reverted; restore a backup instead');
  }
}
