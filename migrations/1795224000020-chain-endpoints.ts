import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How each of a chain's endpoints behaves, for operators (api.md M, GET /admin/chains). */
export class ChainEndpoints1795224000020 implements MigrationInterface {
  name = 'ChainEndpoints1795224000020';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- The watcher's reports, in the order of the configuration: position, state, failures, lastError, tipHeight,
      -- lagBlocks, capabilities. EVM chains only: the others are read through one node.
      alter table chain_conditions add column endpoints jsonb not null default '[]'
        check (jsonb_typeof(endpoints) = 'array');
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('ChainEndpoints1795224000020 cannot be reverted; restore a backup instead');
  }
}
