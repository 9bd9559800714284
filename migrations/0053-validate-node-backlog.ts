import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The check of the migration before, which must not be validated in its transaction (migrations/README.md). */
export class ValidateNodeBacklog1795310453000 implements MigrationInterface {
  name = 'ValidateNodeBacklog1795310453000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `alter table chain_conditions validate constraint chain_conditions_backlog_check`,
    );
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('ValidateNodeBacklog1795310453000 cannot be reverted; restore a backup instead');
  }
}
