import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a payment's mark `integrity` hides, and since when; and that an attempt was made (docs/decisions/0893-name-untruths-to-people.md). */
export class RememberStoppedPayments1795996825000 implements MigrationInterface {
  name = 'RememberStoppedPayments1795996825000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Null on the payments that the release before has stopped.
    await queryRunner.query(`
      alter table payments
        -- When it was stopped last, because a row of it was not authentic; it is stopped now if review_reason says so.
        add column stopped_at timestamptz,
        -- Its review_reason of before, which comes back with its rows.
        add column reason_before text,
        add constraint payments_reason_before_check check (reason_before in
          ('overpaid', 'reorg', 'funds_after_cancel')) not valid`);
    // Null on the attempts that the release before makes.
    await queryRunner.query('alter table webhook_attempts add column mac text');
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('RememberStoppedPayments1795996825000 cannot be reverted; restore a backup instead');
  }
}
