import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Transfers of a user on one chain in the order of their times, for collections and exports of a chain that few pay on. */
export class FindTransfersOfAChain1795996828000 implements MigrationInterface {
  name = 'FindTransfersOfAChain1795996828000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`set lock_timeout = '10min'`);
    const [found] = (await queryRunner.query(
      `select indisvalid as valid from pg_index where indexrelid = to_regclass('payment_transfers_chain')`,
    )) as { valid: boolean }[];
    if (!found?.valid) {
      // Anew, if a build before was interrupted.
      await queryRunner.query('drop index concurrently if exists payment_transfers_chain');
      await queryRunner.query(
        'create index concurrently payment_transfers_chain on payment_transfers (user_id, chain, seen_at, id)',
      );
    }
    await queryRunner.query('reset lock_timeout');
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('FindTransfersOfAChain1795996828000 cannot be reverted; restore a backup instead');
  }
}
