import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An accepted underpayment remembers what was confirmed then: only less than that undoes it (api.md H, H8). */
export class AcceptedAmounts1795224000035 implements MigrationInterface {
  name = 'AcceptedAmounts1795224000035';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- Smallest unit of currency_code.
      alter table payments add column underpay_accepted_amount numeric(78,0)
        check (underpay_accepted_amount >= 0 and underpay_accepted_amount < 'Infinity');

      -- Accepted before: what the newest payment.received told, which was born with the acceptance.
      update payments p set underpay_accepted_amount = coalesce(
        (select (e.body::json #>> '{payment,receivedAmount,atomic}')::numeric from payment_events e
          where e.payment_id = p.id and e.type = 'payment.received' order by e.seq desc limit 1),
        case when p.settlement_currency_code = p.currency_code then p.settled_amount end,
        p.received_amount)
      where p.underpay_accepted_at is not null;
      -- What a reorg took from them meanwhile was shown to nobody; those that can still move are judged again.
      update payments set review_reason = 'reorg'
      where status = 'CONFIRMED' and received_amount < underpay_accepted_amount and review_reason is null;
      update payments set recheck_at = now()
      where status = 'RECEIVED' and received_amount < underpay_accepted_amount;

      -- The previous release knows the time only: the amount follows it. What was accepted is fixed until it is undone.
      create function payments_accepted_amount() returns trigger language plpgsql as $$
      begin
        if new.underpay_accepted_at is null then
          new.underpay_accepted_amount := null;
        elsif new.underpay_accepted_amount is null then
          new.underpay_accepted_amount := new.received_amount;
        else
          raise exception 'payment %: the amount that was accepted is fixed', old.id using errcode = 'check_violation';
        end if;
        return new;
      end $$;
      create trigger payments_accepted_amount before update on payments for each row
        when ((new.underpay_accepted_at is null) <> (new.underpay_accepted_amount is null)
          or new.underpay_accepted_amount <> old.underpay_accepted_amount)
        execute function payments_accepted_amount();
      alter table payments add constraint payments_accepted_amount_check
        check ((underpay_accepted_at is null) = (underpay_accepted_amount is null));
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('AcceptedAmounts1795224000035 cannot be reverted; restore a backup instead');
  }
}
