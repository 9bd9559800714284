import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Transactions that customers name because the page does not show their payment (specification/checkout.md#already-paid).
 * A row is a request to look, never a fact: it credits nothing, so it has no MAC.
 */
export class ReportedTransactions1795310413000 implements MigrationInterface {
  name = 'ReportedTransactions1795310413000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table reported_transactions (
        id uuid primary key,
        payment_id uuid not null references payments (id),
        chain text not null,
        tx_hash text not null constraint reported_transactions_tx_hash_check check (length(tx_hash) <= 66),
        state text not null constraint reported_transactions_state_check check (
          state in ('SEARCHING', 'UNKNOWN', 'WAITING', 'FOUND', 'FAILED', 'OTHER_ADDRESS', 'NOT_FOUND')),
        checks integer not null constraint reported_transactions_checks_check check (checks >= 0),
        reported_at timestamptz not null,
        checked_at timestamptz,
        next_check_at timestamptz,
        constraint reported_transactions_once unique (payment_id, chain, tx_hash),
        constraint reported_transactions_due_check check (
          (next_check_at is not null) = (state in ('SEARCHING', 'UNKNOWN', 'WAITING')))
      )`);
    await queryRunner.query(
      `create index reported_transactions_due on reported_transactions (next_check_at) where next_check_at is not null`,
    );
    await queryRunner.query(
      `comment on table reported_transactions is 'Transactions that customers named; the watcher asks the chain for them. At most ten of a payment, counted under its lock.'`,
    );
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('ReportedTransactions1795310413000 cannot be reverted; restore a backup instead');
  }
}
