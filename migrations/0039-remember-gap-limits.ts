import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For attention: which wallets have runs of addresses that their owners' programs may not look behind. */
export class RememberGapLimits1795996839000 implements MigrationInterface {
  name = 'RememberGapLimits1795996839000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- The longest run of addresses without a payment of each key, as a loop of the worker found it last.
      create table wallet_gaps (
        wallet_id uuid primary key references wallets (id),
        longest integer not null check (longest >= 0),
        -- The counter of the wallet when it was looked at.
        looked_index bigint not null check (looked_index >= 0),
        looked_at timestamptz not null,
        -- How far its owner says that their wallet program looks ahead; most look 20.
        gap_limit integer not null default 20 check (gap_limit between 20 and 1000000),
        -- Since when the run has been as long as that; null: it is not.
        since timestamptz,
        check ((since is not null) = (longest >= gap_limit))
      )`);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('RememberGapLimits1795996839000 cannot be reverted; restore a backup instead');
  }
}
