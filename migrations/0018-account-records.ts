import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What users list and keep by themselves: sessions and saved views (specification/authentication.md#sessions). */
export class AccountRecords1795310418000 implements MigrationInterface {
  name = 'AccountRecords1795310418000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create index oidc_payloads_grants on oidc_payloads ((payload->>'accountId')) where kind = 'Grant'`,
    );
    await queryRunner.query(`
      create table saved_views (
        user_id text primary key,
        views jsonb not null constraint saved_views_size_check
          check (jsonb_typeof(views) = 'object' and octet_length(views::text) <= 65536),
        updated_at timestamptz not null
      )`);
    await queryRunner.query(
      `comment on table saved_views is 'What a user has named in a dashboard: texts by name, which only that dashboard reads.'`,
    );
  }

  async down(): Promise<void> {
    throw new Error('AccountRecords1795310418000 cannot be reverted; restore a backup instead');
  }
}
