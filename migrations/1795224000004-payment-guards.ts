import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A bug in TypeScript must become an error, not lost money: legal moves and append-only rows. */
export class PaymentGuards1795224000004 implements MigrationInterface {
  name = 'PaymentGuards1795224000004';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- The table of spec.md and api.md H, a second time: payment-status.ts is the first.
      create function payments_guard_status() returns trigger language plpgsql as $$
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
        if not (old.status || '>' || new.status = any (array[
          'OPEN>FOUND', 'OPEN>CANCELLED', 'OPEN>ERROR',
          'FOUND>RECEIVED', 'FOUND>UNDERPAID', 'FOUND>OPEN',
          'UNDERPAID>RECEIVED', 'UNDERPAID>OPEN', 'UNDERPAID>REFUND',
          'RECEIVED>CONFIRMED', 'RECEIVED>FOUND', 'RECEIVED>UNDERPAID', 'RECEIVED>OPEN', 'RECEIVED>REFUND',
          'CONFIRMED>REFUND'
        ])) then
          raise exception 'payment %: illegal move % to %', old.id, old.status, new.status using errcode = 'check_violation';
        end if;
        return new;
      end $$;
      create trigger payments_guard_status before update on payments
        for each row execute function payments_guard_status();

      -- A status without its history row does not commit.
      create function payments_require_history() returns trigger language plpgsql as $$
      begin
        if not exists (
          select from payment_status_history h join payments p on p.id = h.payment_id
          where p.id = new.id and h.seq = p.status_seq and h.to_status = p.status
        ) then
          raise exception 'payment %: status without history', new.id using errcode = 'check_violation';
        end if;
        return null;
      end $$;
      create constraint trigger payments_require_history after insert or update of status on payments
        deferrable initially deferred for each row execute function payments_require_history();

      create function refuse_change() returns trigger language plpgsql as $$
      begin
        raise exception '% is append-only', tg_table_name using errcode = 'check_violation';
      end $$;
      create trigger payment_status_history_append_only before update or delete on payment_status_history
        for each row execute function refuse_change();
      create trigger quotes_append_only before update or delete on quotes
        for each row execute function refuse_change();
      create trigger deposit_addresses_append_only before update or delete on deposit_addresses
        for each row execute function refuse_change();
      create trigger payments_no_delete before delete on payments
        for each row execute function refuse_change();
      create trigger payment_transfers_no_delete before delete on payment_transfers
        for each row execute function refuse_change();
      create trigger payment_events_no_delete before delete on payment_events
        for each row execute function refuse_change();

      -- What was observed keeps its identity and amount; what was announced keeps its bytes.
      create function payment_transfers_guard_facts() returns trigger language plpgsql as $$
      begin
        if (new.id, new.payment_id, new.user_id, new.deposit_address_id, new.chain, new.tx_hash, new.ordinal, new.asset,
            new.currency_code, new.asset_decimals, new.amount, new.seen_at)
           is distinct from
           (old.id, old.payment_id, old.user_id, old.deposit_address_id, old.chain, old.tx_hash, old.ordinal, old.asset,
            old.currency_code, old.asset_decimals, old.amount, old.seen_at) then
          raise exception 'transfer %: facts are immutable', old.id using errcode = 'check_violation';
        end if;
        if old.quote_id is not null and new.quote_id is distinct from old.quote_id then
          raise exception 'transfer %: its quote is fixed', old.id using errcode = 'check_violation';
        end if;
        return new;
      end $$;
      create trigger payment_transfers_guard_facts before update on payment_transfers
        for each row execute function payment_transfers_guard_facts();

      create function payment_events_guard_body() returns trigger language plpgsql as $$
      begin
        if (new.id, new.payment_id, new.seq, new.type, new.body, new.created_at)
           is distinct from (old.id, old.payment_id, old.seq, old.type, old.body, old.created_at) then
          raise exception 'event %: what was announced is immutable', old.id using errcode = 'check_violation';
        end if;
        return new;
      end $$;
      create trigger payment_events_guard_body before update on payment_events
        for each row execute function payment_events_guard_body();
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('PaymentGuards1795224000004 cannot be reverted; restore a backup instead');
  }
}
