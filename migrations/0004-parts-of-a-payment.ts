import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What each transfer is credited with, in the smallest unit of the pricing currency
 * (docs/decisions/0847-parts-that-add-up.md). Null: it was never valued, or the release before has recorded it; the program
 * allots it then. It is no fact: it changes where a reorganization leaves no other way to add up to what was received.
 */
export class PartsOfAPayment1795996804000 implements MigrationInterface {
  name = 'PartsOfAPayment1795996804000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table payment_transfers add column credited_amount numeric(78,0)');
    await queryRunner.query(`
      alter table payment_transfers add constraint payment_transfers_credited_check
        check (credited_amount is null
          or (credited_amount >= 0 and credited_amount < 'Infinity' and quote_id is not null)) not valid`);
  }

  async down(): Promise<void> {
    throw new Error('PartsOfAPayment1795996804000 cannot be reverted; restore a backup instead');
  }
}
