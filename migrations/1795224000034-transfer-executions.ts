import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The same transaction can have another effect when another block runs it again (account chains). What it did before
 * stays as a row, orphaned for good: it gives up its place in the transaction, which is the row's identity, for what
 * the transaction does now.
 */
export class TransferExecutions1795224000034 implements MigrationInterface {
  name = 'TransferExecutions1795224000034';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table payment_transfers add constraint payment_transfers_given_up_check
        check (position('~' in ordinal) = 0 or (state = 'orphaned' and block_height is null));

      create or replace function payment_transfers_guard_facts() returns trigger language plpgsql as $$
      begin
        if (new.id, new.payment_id, new.user_id, new.deposit_address_id, new.chain, new.tx_hash, new.asset,
            new.currency_code, new.asset_decimals, new.amount, new.seen_at, new.inputs)
           is distinct from
           (old.id, old.payment_id, old.user_id, old.deposit_address_id, old.chain, old.tx_hash, old.asset,
            old.currency_code, old.asset_decimals, old.amount, old.seen_at, old.inputs) then
          raise exception 'transfer %: facts are immutable', old.id using errcode = 'check_violation';
        end if;
        -- '<place>~<id>': the place is free again, and the row is done with (payment_transfers_given_up_check).
        if new.ordinal <> old.ordinal
           and (position('~' in old.ordinal) > 0 or new.ordinal <> old.ordinal || '~' || old.id) then
          raise exception 'transfer %: facts are immutable', old.id using errcode = 'check_violation';
        end if;
        if old.quote_id is not null and new.quote_id is distinct from old.quote_id then
          raise exception 'transfer %: its quote is fixed', old.id using errcode = 'check_violation';
        end if;
        return new;
      end $$;
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('TransferExecutions1795224000034 cannot be reverted; restore a backup instead');
  }
}
