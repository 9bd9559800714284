import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Entries of the audit log that say whether an operator named a user's address, for the list of users and each command. */
export class FindVouchedAddresses1795996821000 implements MigrationInterface {
  name = 'FindVouchedAddresses1795996821000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`set lock_timeout = '10min'`);
    const [found] = (await queryRunner.query(
      `select indisvalid as valid from pg_index where indexrelid = to_regclass('audit_log_vouching')`,
    )) as { valid: boolean }[];
    if (!found?.valid) {
      // Anew, if a build before was interrupted.
      await queryRunner.query('drop index concurrently if exists audit_log_vouching');
      await queryRunner.query(
        `create index concurrently audit_log_vouching on audit_log (user_id, seq)
         where act in ('user.created', 'user.email_changed', 'user.restored', 'user.transferred')`,
      );
    }
    await queryRunner.query('reset lock_timeout');
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('FindVouchedAddresses1795996821000 cannot be reverted; restore a backup instead');
  }
}
