import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A payment's history begins with OPEN, and every row goes on from the one before by a legal move. */
export class HistoryMoves1795224000031 implements MigrationInterface {
  name = 'HistoryMoves1795224000031';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create function is_payment_move(before text, after text) returns boolean language sql immutable as $$
        select before || '>' || after = any (array[
          'OPEN>FOUND', 'OPEN>CANCELLED', 'OPEN>ERROR',
          'FOUND>RECEIVED', 'FOUND>UNDERPAID', 'FOUND>OPEN',
          'UNDERPAID>RECEIVED', 'UNDERPAID>OPEN', 'UNDERPAID>REFUND',
          'RECEIVED>CONFIRMED', 'RECEIVED>FOUND', 'RECEIVED>UNDERPAID', 'RECEIVED>OPEN', 'RECEIVED>REFUND',
          'CONFIRMED>REFUND'
        ])
      $$;

      create or replace function payments_guard_status() returns trigger language plpgsql as $$
      begin
        if new.id <> old.id or new.user_id <> old.user_id or new.application_id <> old.application_id
           or new.amount <> old.amount or new.currency_code <> old.currency_code or new.created_at <> old.created_at then
          raise exception 'payment %: what was asked is immutable', old.id using errcode = 'check_violation';
        end if;
        if new.status = old.status then
          if new.status_seq <> old.status_seq then
            raise exception 'payment %: status_seq moves with the status only', old.id using errcode = 'check_violation';
          end if;
          return new;
        end if;
        if new.status_seq <> old.status_seq + 1 then
          raise exception 'payment %: status_seq must grow by one', old.id using errcode = 'check_violation';
        end if;
        if not is_payment_move(old.status, new.status) then
          raise exception 'payment %: illegal move % to %', old.id, old.status, new.status using errcode = 'check_violation';
        end if;
        return new;
      end $$;

      -- After the statement: it may write several rows of one payment, in any order.
      create function payment_status_history_require_move() returns trigger language plpgsql as $$
      begin
        if new.seq = 1 then
          if new.from_status is null and new.to_status = 'OPEN' then return null; end if;
        elsif is_payment_move(new.from_status, new.to_status) and exists (
          select from payment_status_history before
          where before.payment_id = new.payment_id and before.seq = new.seq - 1 and before.to_status = new.from_status
        ) then
          return null;
        end if;
        raise exception 'payment %: row % of its history does not go on from the one before', new.payment_id, new.seq
          using errcode = 'check_violation';
      end $$;
      create trigger payment_status_history_require_move after insert on payment_status_history
        for each row execute function payment_status_history_require_move();
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('HistoryMoves1795224000031 cannot be reverted; restore a backup instead');
  }
}
