import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './online.js';

/**
 * Adds what the counts differ from the deliveries by. One statement sees both at the same moment, so deliveries may be
 * made and finished meanwhile: their own changes come on top.
 */
const FILL_DELIVERY_COUNTS = `
  insert into webhook_delivery_count_changes (user_id, application_id, hour, type, status, change)
  select user_id, application_id, hour, type, status, sum(n)
  from (
    select user_id, application_id, date_trunc('hour', created_at, 'UTC') as hour, type,
      case when state <> 'pending' then upper(state) when attempts = 0 then 'PENDING' else 'FAILED' end as status,
      count(*) as n
    from webhook_deliveries group by 1, 2, 3, 4, 5
    union all
    select user_id, application_id, hour, type, status, -total from webhook_delivery_counts
    union all
    select user_id, application_id, hour, type, status, -change from webhook_delivery_count_changes
  ) difference
  group by 1, 2, 3, 4, 5 having sum(n) <> 0`;

/** Reads all deliveries once, and holds no lock that writers wait for. Run again, it adds what is missing. */
export class FillDeliveryCounts1795310437000 implements MigrationInterface {
  name = 'FillDeliveryCounts1795310437000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(FILL_DELIVERY_COUNTS);
    // Underpaid payments need the merchant for good, and the queue begins with the oldest.
    await createIndexConcurrently(
      queryRunner,
      'payments_underpaid',
      `payments (user_id, date_trunc('milliseconds', coalesce(found_at, created_at) at time zone 'UTC'), id)
        where status = 'UNDERPAID'`,
    );
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('FillDeliveryCounts1795310437000 cannot be reverted; restore a backup instead');
  }
}
