import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * For each new or moved payment the deferred trigger read the payment again and joined it with its history, which was a
 * twelfth of what Postgres does for a new payment. The row of the event says it: a status never returns to an earlier
 * number (payments_guard_status), and no entry is changed or deleted, so that an entry for the row of each event is
 * also one for the row that commits.
 */
export class ReadHistoryOnce1795310446000 implements MigrationInterface {
  name = 'ReadHistoryOnce1795310446000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create or replace function payments_require_history() returns trigger language plpgsql as $$
      begin
        if not exists (
          select from payment_status_history h
          where h.payment_id = new.id and h.seq = new.status_seq and h.to_status = new.status
        ) then
          raise exception 'payment %: status without history', new.id using errcode = 'check_violation';
        end if;
        return null;
      end $$`);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('ReadHistoryOnce1795310446000 cannot be reverted; restore a backup instead');
  }
}
