import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events in the order of their times, for the watch that looks at new ones each minute: a few kilobytes, read in ranges. */
export class FindNewEvents1795996827000 implements MigrationInterface {
  name = 'FindNewEvents1795996827000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`set lock_timeout = '10min'`);
    const [found] = (await queryRunner.query(
      `select indisvalid as valid from pg_index where indexrelid = to_regclass('payment_events_times')`,
    )) as { valid: boolean }[];
    if (!found?.valid) {
      // Anew, if a build before was interrupted.
      await queryRunner.query('drop index concurrently if exists payment_events_times');
      await queryRunner.query(
        'create index concurrently payment_events_times on payment_events using brin (created_at) with (autosummarize = on)',
      );
    }
    await queryRunner.query('reset lock_timeout');
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('FindNewEvents1795996827000 cannot be reverted; restore a backup instead');
  }
}
