import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Entries of the audit log that list how they left rows, for the comparison that is made every minute. */
export class FindListedRows1795996812000 implements MigrationInterface {
  name = 'FindListedRows1795996812000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`set lock_timeout = '10min'`);
    const [found] = (await queryRunner.query(
      `select indisvalid as valid from pg_index where indexrelid = to_regclass('audit_log_rows')`,
    )) as { valid: boolean }[];
    if (!found?.valid) {
      // Anew, if a build before was interrupted.
      await queryRunner.query('drop index concurrently if exists audit_log_rows');
      await queryRunner.query(
        `create index concurrently audit_log_rows on audit_log (seq) where (details -> 'rows') is not null`,
      );
    }
    await queryRunner.query('reset lock_timeout');
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('FindListedRows1795996812000 cannot be reverted; restore a backup instead');
  }
}
