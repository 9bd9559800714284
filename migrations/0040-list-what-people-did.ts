import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the audit log without the tokens that programs got, which are most of it (GET /api/audit?issuedTokens=false). */
export class ListWhatPeopleDid1795996840000 implements MigrationInterface {
  name = 'ListWhatPeopleDid1795996840000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`set lock_timeout = '10min'`);
    const [found] = (await queryRunner.query(
      `select indisvalid as valid from pg_index where indexrelid = to_regclass('audit_log_user_acts')`,
    )) as { valid: boolean }[];
    if (!found?.valid) {
      // Anew, if a build before was interrupted.
      await queryRunner.query('drop index concurrently if exists audit_log_user_acts');
      await queryRunner.query(
        `create index concurrently audit_log_user_acts on audit_log (user_id, seq)
           where user_id is not null and act <> 'oauth_token.issued'`,
      );
    }
    await queryRunner.query('reset lock_timeout');
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('ListWhatPeopleDid1795996840000 cannot be reverted; restore a backup instead');
  }
}
