import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Closed payments that hold funds which nobody asked for say so from now on; those of before as well. */
export class UnmatchedAfterEnd1795224000036 implements MigrationInterface {
  name = 'UnmatchedAfterEnd1795224000036';

  async up(queryRunner: QueryRunner): Promise<void> {
    // By way of the transfers, of which few are unmatched (index payment_transfers_unattributed). An older gateway
    // that still runs beside this one never takes the reason away.
    await queryRunner.query(`
      update payments set review_reason = 'funds_after_cancel'
      where status in ('CANCELLED', 'ERROR', 'REFUND') and review_reason is distinct from 'funds_after_cancel'
        and id in (
          select payment_id from payment_transfers where not is_matched and state in ('pending', 'confirmed')
        );
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('UnmatchedAfterEnd1795224000036 cannot be reverted; restore a backup instead');
  }
}
