import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the chains said about the use of a key by others (docs/decisions/0898-look-for-earlier-use-of-a-key.md). */
export class LookForEarlierUse1795996829000 implements MigrationInterface {
  name = 'LookForEarlierUse1795996829000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- One row per wallet of a key and chain that was looked at; without one it has yet to be. Written with the activation
      -- of the key and by the loop that looks later, in the transaction that moves the wallet's counter; deleted when a
      -- retired key takes effect again, because others may have used it since.
      create table wallet_searches (
        wallet_id uuid not null references wallets (id),
        -- Slug.
        chain text not null,
        -- By how many used addresses the counter was moved in all; first_index + skipped is where it went on last.
        first_index bigint not null check (first_index >= 0),
        skipped bigint not null check (skipped >= 0),
        -- False: the source of this chain has no answer, whatever the addresses hold.
        is_visible boolean not null,
        searched_at timestamptz not null,
        primary key (wallet_id, chain),
        check (is_visible or skipped = 0)
      )`);
    await queryRunner.query(`
      -- The next addresses of each active key, which no payment has: money there means that another program hands them out.
      -- Written by a loop of the worker, which deletes those below the counter.
      create table spare_addresses (
        wallet_id uuid not null references wallets (id),
        derivation_index bigint not null check (derivation_index >= 0),
        family text not null,
        key bytea not null,
        -- As people write it.
        address text not null,
        primary key (wallet_id, derivation_index)
      )`);
    await queryRunner.query(`
      -- What came to spare addresses, one row for each transfer: no payment is credited with it, and its merchant is told.
      create table stray_receipts (
        wallet_id uuid not null references wallets (id),
        derivation_index bigint not null check (derivation_index >= 0),
        -- Slug.
        chain text not null,
        tx_hash text not null,
        ordinal text not null,
        address text not null,
        currency_code text not null,
        decimals smallint not null check (decimals between 0 and 18),
        -- In the smallest unit.
        amount numeric(78, 0) not null check (amount > 0),
        seen_at timestamptz not null,
        primary key (wallet_id, chain, tx_hash, ordinal)
      )`);
    await queryRunner.query('create index stray_receipts_seen on stray_receipts (seen_at)');
    await queryRunner.query('create unique index spare_addresses_key on spare_addresses (family, key)');
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('LookForEarlierUse1795996829000 cannot be reverted; restore a backup instead');
  }
}
