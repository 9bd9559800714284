import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the last run of verify found, for whoever watches the gateway from outside. */
export class ReconciliationRuns1795224000027 implements MigrationInterface {
  name = 'ReconciliationRuns1795224000027';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table reconciliation_state (
        only_one boolean primary key default true check (only_one),
        finished_at timestamptz not null,
        differences bigint not null check (differences >= 0),
        -- What could not be compared, e.g. because a node was away.
        left_out bigint not null check (left_out >= 0)
      );
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('ReconciliationRuns1795224000027 cannot be reverted; restore a backup instead');
  }
}
