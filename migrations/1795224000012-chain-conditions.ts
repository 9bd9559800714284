import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How each chain's node last answered its watcher, for every process to read (api.md M, /admin/chains). */
export class ChainConditions1795224000012 implements MigrationInterface {
  name = 'ChainConditions1795224000012';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table chain_conditions (
        chain text primary key,
        -- The node's newest block, as it was last told.
        head_height bigint check (head_height >= 0),
        head_hash text,
        -- A head is stalled when nothing higher came for long; a node that falls back does not count as news.
        highest_height bigint check (highest_height >= 0),
        rose_at timestamptz,
        -- When the watcher last asked, whatever the answer was.
        checked_at timestamptz not null,
        -- Null while the node answers as it should.
        trouble text,
        trouble_since timestamptz,
        reorgs bigint not null default 0 check (reorgs >= 0),
        deepest_reorg integer not null default 0 check (deepest_reorg >= 0),
        last_reorg_depth integer not null default 0 check (last_reorg_depth >= 0),
        last_reorg_at timestamptz,
        check ((head_height is null) = (head_hash is null)),
        check ((head_height is null) = (highest_height is null)),
        check ((head_height is null) = (rose_at is null)),
        check ((trouble is null) = (trouble_since is null)),
        check ((reorgs = 0) = (last_reorg_at is null))
      );

      -- What the metrics count every few seconds.
      create index payment_transfers_unattributed on payment_transfers (chain) where not is_matched;
      create index webhook_deliveries_exhausted on webhook_deliveries (application_id) where state = 'exhausted';
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('ChainConditions1795224000012 cannot be reverted; restore a backup instead');
  }
}
