import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The queue's index of payments that were paid late. */
export class FindWhatWasPaidLate1795996818000 implements MigrationInterface {
  name = 'FindWhatWasPaidLate1795996818000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`set lock_timeout = '10min'`);
    const [found] = (await queryRunner.query(
      `select indisvalid as valid from pg_index where indexrelid = to_regclass('payments_paid_late')`,
    )) as { valid: boolean }[];
    if (!found?.valid) {
      // Anew, if a build before was interrupted.
      await queryRunner.query('drop index concurrently if exists payments_paid_late');
      await queryRunner.query(`
        create index concurrently payments_paid_late
          on payments (user_id, date_trunc('milliseconds', paid_late_at at time zone 'UTC'), id)
          where paid_late_at is not null and late_kept_at is null and status in ('RECEIVED', 'CONFIRMED')`);
    }
    await queryRunner.query('reset lock_timeout');
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('FindWhatWasPaidLate1795996818000 cannot be reverted; restore a backup instead');
  }
}
