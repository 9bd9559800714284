import type { MigrationInterface, QueryRunner } from 'typeorm';

/** In place of the unique index: since 0030 the guard of refunds decides what one transaction pays. */
export class FindRefundsOfATransaction1795996832000 implements MigrationInterface {
  name = 'FindRefundsOfATransaction1795996832000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`set lock_timeout = '10min'`);
    const [found] = (await queryRunner.query(
      `select indisvalid as valid from pg_index where indexrelid = to_regclass('refunds_of_transaction')`,
    )) as { valid: boolean }[];
    if (!found?.valid) {
      // Anew, if a build before was interrupted.
      await queryRunner.query('drop index concurrently if exists refunds_of_transaction');
      await queryRunner.query(
        `create index concurrently refunds_of_transaction on refunds (chain, tx_hash)
           where status in ('PROCESSING', 'COMPLETED')`,
      );
    }
    await queryRunner.query('drop index concurrently if exists refunds_transaction');
    await queryRunner.query('reset lock_timeout');
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('FindRefundsOfATransaction1795996832000 cannot be reverted; restore a backup instead');
  }
}
