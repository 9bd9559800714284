import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a merchant has decided about money that is too much (specification/payment-states.md#too-much), and the payments
 * that share their reference with another one.
 */
export class KeepWhatIsTooMuch1795996803000 implements MigrationInterface {
  name = 'KeepWhatIsTooMuch1795996803000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table payments
        -- Of the excess, what the merchant keeps, in the smallest unit of currency_code; more than that is open again.
        add column kept_amount numeric(78,0),
        -- When the merchant kept what a second payment of one reference has received.
        add column twice_kept_at timestamptz,
        -- It has received funds, and so that the queue finds the few that are paid twice: another payment of its
        -- application has its reference. Written by the trigger below; stays.
        add column shares_reference boolean,
        add constraint payments_kept_amount_check check (kept_amount >= 0 and kept_amount < 'Infinity') not valid`);
    await queryRunner.query(`
      alter table reported_transactions
        -- Of UNLISTED_TOKEN: the contract, and how many of its smallest units it says that it has moved to the address.
        add column token text,
        add column token_amount numeric(78,0),
        -- When the merchant had seen to it.
        add column kept_at timestamptz,
        drop constraint reported_transactions_state_check,
        add constraint reported_transactions_state_check check (state in
          ('SEARCHING', 'UNKNOWN', 'WAITING', 'FOUND', 'FAILED', 'OTHER_ADDRESS', 'UNLISTED_TOKEN', 'NOT_FOUND')) not valid,
        add constraint reported_transactions_token_check check (
          (state = 'UNLISTED_TOKEN') = (token is not null) and (token is null) = (token_amount is null)
          and (token is null or token ~ '^0x[0-9a-f]{40}$') and (token_amount is null or token_amount > 0)) not valid`);
    // Here rather than in the program, so that payments which the release before settles meanwhile have it as well. One
    // that was paid before the other was created has no mark yet; who holds its row is about to write it, and is not waited
    // for.
    await queryRunner.query(`
      create function payments_share_reference() returns trigger language plpgsql as $$
      begin
        with others as (
          select o.id, o.received_amount > 0 and o.shares_reference is not true as is_unmarked from payments o
          where o.user_id = new.user_id and o.reference = new.reference and o.application_id = new.application_id
            and o.id <> new.id
          order by o.created_at limit 100
        ), marked as (
          update payments p set shares_reference = true
          from (select id from payments where id in (select id from others where is_unmarked)
            for no key update skip locked) free
          where p.id = free.id
        )
        select exists (select from others) into new.shares_reference;
        return new;
      end $$`);
    await queryRunner.query(`
      do $$ begin
        execute format('alter function payments_share_reference() security definer set search_path = %I, pg_temp',
          current_schema());
        execute 'revoke execute on function payments_share_reference() from public';
      end $$`);
    await queryRunner.query(`
      create trigger payments_share_reference before update of received_amount on payments for each row
        when (new.received_amount > old.received_amount and new.shares_reference is not true)
        execute function payments_share_reference()`);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('KeepWhatIsTooMuch1795996803000 cannot be reverted; restore a backup instead');
  }
}
