import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payments that were paid after the end of their link (specification/payment-states.md#paid-late). */
export class TellWhatWasPaidLate1795996817000 implements MigrationInterface {
  name = 'TellWhatWasPaidLate1795996817000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Null on the payments of before, which the queue so leaves alone.
    await queryRunner.query(`
      alter table payments
        -- When its first money came, if that was after the end of its link; written when the payment is paid.
        add column paid_late_at timestamptz,
        -- When the merchant kept that money.
        add column late_kept_at timestamptz`);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('TellWhatWasPaidLate1795996817000 cannot be reverted; restore a backup instead');
  }
}
