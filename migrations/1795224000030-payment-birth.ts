import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A payment is born OPEN and without money; all that follows is a move, which has its guards and its history. */
export class PaymentBirth1795224000030 implements MigrationInterface {
  name = 'PaymentBirth1795224000030';

  async up(queryRunner: QueryRunner): Promise<void> {
    // After the row's own constraints, so that these speak first; the condition costs a payment no call.
    await queryRunner.query(`
      create function payments_refuse_birth() returns trigger language plpgsql as $$
      begin
        raise exception 'payment %: must begin OPEN and without money', new.id using errcode = 'check_violation';
      end $$;
      create trigger payments_born_open after insert on payments for each row
        when (new.status <> 'OPEN' or new.status_seq <> 1
          or new.received_amount <> 0 or new.refunded_amount <> 0
          or coalesce(new.overpaid_amount, new.underpaid_amount, new.settled_amount) is not null
          or coalesce(new.found_at, new.received_at, new.confirmed_at, new.cancelled_at, new.acknowledged_at,
            new.underpay_accepted_at, new.overpay_accepted_at) is not null)
        execute function payments_refuse_birth();
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('PaymentBirth1795224000030 cannot be reverted; restore a backup instead');
  }
}
