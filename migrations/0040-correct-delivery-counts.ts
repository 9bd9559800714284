import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './online.js';

/**
 * Adds what the counts differ from the deliveries by. One statement sees both at the same moment, so deliveries may be
 * made and finished meanwhile: their own changes come on top.
 */
export const CORRECT_DELIVERY_COUNTS = `
  insert into webhook_delivery_count_changes (user_id, application_id, hour, type, status, change)
  select user_id, application_id, hour, type, status, sum(n)
  from (
    select user_id, application_id, date_trunc('hour', created_at, 'UTC') as hour, type,
      case when state <> 'pending' then upper(state) when attempts = 0 then 'PENDING' else 'FAILED' end as status,
      count(*) as n
    from webhook_deliveries where lease_token is null group by 1, 2, 3, 4, 5
    union all
    select user_id, application_id, hour, type, status, -total from webhook_delivery_counts
    union all
    select user_id, application_id, hour, type, status, -change from webhook_delivery_count_changes
  ) difference
  group by 1, 2, 3, 4, 5 having sum(n) <> 0`;

/** Reads all deliveries once, and holds no lock that writers wait for. Run again, it adds what is missing. */
export class CorrectDeliveryCounts1795310440000 implements MigrationInterface {
  name = 'CorrectDeliveryCounts1795310440000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // Those that are not in the counts.
    await createIndexConcurrently(
      queryRunner,
      'webhook_deliveries_claimed',
      'webhook_deliveries (application_id) where lease_token is not null',
    );
    await queryRunner.query(CORRECT_DELIVERY_COUNTS);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('CorrectDeliveryCounts1795310440000 cannot be reverted; restore a backup instead');
  }
}
