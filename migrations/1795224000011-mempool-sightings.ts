import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a transfer's transaction spends, so that another one that spends the same takes its place (api.md H8). */
export class MempoolSightings1795224000011 implements MigrationInterface {
  name = 'MempoolSightings1795224000011';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- UTXO chains: outpoints '<tx hash>:<vout>'. Null on chains without them.
      alter table payment_transfers add column inputs text[];
      alter table payment_transfers add constraint payment_transfers_inputs_check
        check (inputs is null or (cardinality(inputs) > 0 and array_position(inputs, null) is null));
      -- What waits in the mempool, looked through at every block and every look.
      create index payment_transfers_unmined on payment_transfers (chain)
        where state = 'pending' and block_height is null and inputs is not null;

      create or replace function payment_transfers_guard_facts() returns trigger language plpgsql as $$
      begin
        if (new.id, new.payment_id, new.user_id, new.deposit_address_id, new.chain, new.tx_hash, new.ordinal, new.asset,
            new.currency_code, new.asset_decimals, new.amount, new.seen_at, new.inputs)
           is distinct from
           (old.id, old.payment_id, old.user_id, old.deposit_address_id, old.chain, old.tx_hash, old.ordinal, old.asset,
            old.currency_code, old.asset_decimals, old.amount, old.seen_at, old.inputs) then
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
    throw new Error('MempoolSightings1795224000011 cannot be reverted; restore a backup instead');
  }
}
