import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How long events wait: of each application the oldest that its endpoint does not have, found by one look; and for how
 * long an endpoint has put off the tries of a delivery by Retry-After, which no other column tells from an outage.
 */
export class WebhookWaits1795224000033 implements MigrationInterface {
  name = 'WebhookWaits1795224000033';

  async up(queryRunner: QueryRunner): Promise<void> {
    // The column first: its lock is the stronger one, and a lock that grows later meets writers that wait for it.
    // Ids tell the time. "Never delivered" is more than the claims of the outbox ask, so that no plan of theirs, made
    // while little waited, can go through all of this index when much does.
    await queryRunner.query(`
      alter table webhook_deliveries add column deferred_seconds integer not null default 0
        check (deferred_seconds >= 0);
      create index webhook_deliveries_undelivered on webhook_deliveries (application_id, id)
        where state in ('pending', 'blocked') and succeeded_at is null;
    `);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('WebhookWaits1795224000033 cannot be reverted; restore a backup instead');
  }
}
