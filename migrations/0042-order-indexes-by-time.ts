import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from './online.js';

/**
 * By name: the table, and what is indexed. They were in descending order, so that every new row came first in its index,
 * and Postgres divided each full page into two halves that were never filled again. At the end it leaves full pages.
 * They are read backwards.
 */
const INDEXES: Readonly<Record<string, string>> = {
  payments_owner: 'payments (user_id, created_at, id)',
  payments_application: 'payments (application_id, created_at, id)',
  payment_transfers_owner: 'payment_transfers (user_id, seen_at, id)',
  webhook_deliveries_owner: 'webhook_deliveries (user_id, created_at, id)',
  webhook_deliveries_application: 'webhook_deliveries (application_id, created_at, id)',
  webhook_deliveries_succeeded:
    'webhook_deliveries (application_id, succeeded_at) where succeeded_at is not null',
};

/** Builds them anew beside the old ones, which are dropped only then; 0043 gives them their names. */
export class OrderIndexesByTime1795310442000 implements MigrationInterface {
  name = 'OrderIndexesByTime1795310442000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(INDEXES)) {
      await createIndexConcurrently(queryRunner, `${name}_ascending`, on);
      await dropIndexConcurrently(queryRunner, name);
    }
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('OrderIndexesByTime1795310442000 cannot be reverted; restore a backup instead');
  }
}
