import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many blocks a node has yet to read, and since when: while a node is that far behind its network, payments go
 * unseen, although its newest block rises (specification/chains.md#nodes-that-are-behind).
 */
export class NodeBacklog1795310452000 implements MigrationInterface {
  name = 'NodeBacklog1795310452000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table chain_conditions
        add column backlog_blocks bigint,
        add column backlog_declared boolean,
        add column backlog_since timestamptz,
        add column backlog_most bigint,
        add constraint chain_conditions_backlog_check check (
          num_nulls(backlog_blocks, backlog_declared, backlog_since, backlog_most) in (0, 4)
          and backlog_blocks > 0 and backlog_most >= backlog_blocks
        ) not valid`);
    await queryRunner.query(`
      comment on column chain_conditions.backlog_blocks is
      'Blocks that the node has yet to read; null while it has the newest ones.'`);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('NodeBacklog1795310452000 cannot be reverted; restore a backup instead');
  }
}
