import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How long events wait: of each application the oldest that its endpoint does not have, found by one look. */
export class WebhookWaits1795224000033 implements MigrationInterface {
  name = 'WebhookWaits1795224000033';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Ids tell the time. "Never delivered" is more than the claims of the outbox ask, so that no plan of theirs, made
    // while little waited, can go through all of this index when much does.
    await queryRunner.query(`
      create index webhook_deliveries_undelivered on webhook_deliveries (application_id, id)
        where state in ('pending', 'blocked') and succeeded_at is null;
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('WebhookWaits1795224000033 cannot be reverted; restore a backup instead');
  }
}
