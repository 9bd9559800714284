import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One row per applied block of which the payments by contracts are not all known, because its traces could not be read
 * (specification/chains.md#unread-traces). Written by the chain watcher in the transaction that applies the block; deleted
 * once they are read, or when a fork takes the block back.
 */
export class UnreadTraces1795310447000 implements MigrationInterface {
  name = 'UnreadTraces1795310447000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table unread_traces (
        chain text not null,
        height bigint not null check (height >= 0),
        block_hash text not null,
        -- Null: all transactions of the block.
        tx_hashes text[] check (cardinality(tx_hashes) > 0),
        reason text not null,
        found_at timestamptz not null default now(),
        attempts integer not null default 0 check (attempts >= 0),
        next_attempt_at timestamptz not null,
        primary key (chain, height)
      )`);
    await queryRunner.query(`create index unread_traces_due on unread_traces (next_attempt_at)`);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('UnreadTraces1795310447000 cannot be reverted; restore a backup instead');
  }
}
