import type { MigrationInterface, QueryRunner } from 'typeorm';

/** OAuth2 clients have scopes, so that setting a wallet takes more than any token of the merchant. */
export class WalletChanges1795310405000 implements MigrationInterface {
  name = 'WalletChanges1795310405000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Null: as before, which does not include changes of wallets (specification/authentication.md#oauth2-scopes).
    await queryRunner.query(
      `alter table oauth_clients add column scopes text[] check (cardinality(scopes) > 0)`,
    );
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('WalletChanges1795310405000 cannot be reverted; restore a backup instead');
  }
}
