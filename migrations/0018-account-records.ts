import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a user lists and ends by themselves: sessions (specification/authentication.md#sessions). */
export class AccountRecords1795310418000 implements MigrationInterface {
  name = 'AccountRecords1795310418000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create index oidc_payloads_grants on oidc_payloads ((payload->>'accountId')) where kind = 'Grant'`,
    );
  }

  async down(): Promise<void> {
    throw new Error('AccountRecords1795310418000 cannot be reverted; restore a backup instead');
  }
}
