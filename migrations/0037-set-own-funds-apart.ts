import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a key's own account for fees sends to its addresses (docs/decisions/0900-sign-away-from-the-gateway.md). */
export class SetOwnFundsApart1795996837000 implements MigrationInterface {
  name = 'SetOwnFundsApart1795996837000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- One row per transfer of the coin from an account that pays fees (1/0) to an address of the same key, in a block that
      -- is applied: no payment is credited with it. Deleted with its block by a reorganization.
      create table own_transfers (
        id uuid primary key,
        user_id text not null,
        payment_id uuid not null,
        deposit_address_id uuid not null,
        -- Slug.
        chain text not null,
        tx_hash text not null,
        ordinal text not null,
        -- The key of the account that sent it.
        sender bytea not null,
        currency_code text not null,
        decimals smallint not null check (decimals between 0 and 18),
        -- In the smallest unit.
        amount numeric(78, 0) not null check (amount > 0),
        block_height bigint not null check (block_height >= 0),
        block_hash text not null,
        block_time timestamptz not null,
        mac text not null,
        unique (chain, tx_hash, ordinal),
        foreign key (deposit_address_id, payment_id) references deposit_addresses (id, payment_id)
      )`);
    await queryRunner.query('create index own_transfers_block on own_transfers (chain, block_height)');
    await queryRunner.query('create index own_transfers_user on own_transfers (user_id)');
    await queryRunner.query('create index own_transfers_payment on own_transfers (payment_id)');
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('SetOwnFundsApart1795996837000 cannot be reverted; restore a backup instead');
  }
}
