import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where the watcher stands on each chain (design.md, A block is applied by hash). */
export class ChainWatcher1795224000005 implements MigrationInterface {
  name = 'ChainWatcher1795224000005';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table chain_cursors (
        chain text primary key,
        height bigint not null check (height >= 0),
        hash text not null,
        -- Highest lease epoch that wrote here: a watcher that lost its lease cannot write (fencing).
        epoch bigint not null,
        updated_at timestamptz not null default now(),
        halted_at timestamptz,
        halt_reason text
      );

      -- Kept history for the walk back to a common ancestor.
      create table chain_blocks (
        chain text not null,
        height bigint not null,
        hash text not null,
        parent_hash text not null,
        block_time timestamptz not null,
        primary key (chain, height)
      );

      create table chain_leases (
        chain text primary key,
        holder text not null,
        epoch bigint not null,
        expires_at timestamptz not null
      );
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('ChainWatcher1795224000005 cannot be reverted; restore a backup instead');
  }
}
