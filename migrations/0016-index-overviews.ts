import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './online.js';

/** By name: the table, and what is indexed. Prefixes are compared by bytes, in any collation. */
const INDEXES: Readonly<Record<string, string>> = {
  payments_status: 'payments (user_id, status, created_at desc, id desc)',
  payments_review:
    'payments (user_id, review_reason, created_at desc, id desc) where review_reason is not null',
  payments_network:
    'payments (user_id, selected_provider, created_at desc, id desc) where selected_provider is not null',
  payments_reference_prefix: 'payments (user_id, lower(reference) text_pattern_ops)',
  payment_transfers_hash: 'payment_transfers (user_id, tx_hash text_pattern_ops)',
  payment_transfers_unmatched: 'payment_transfers (user_id) where not is_matched',
  payment_transfers_late: 'payment_transfers (user_id) where is_late',
  deposit_addresses_prefix: 'deposit_addresses (user_id, lower(address) text_pattern_ops)',
  refunds_owner: 'refunds (user_id, created_at desc, id desc)',
  refunds_status: 'refunds (user_id, status, created_at desc, id desc)',
  webhook_deliveries_owner: 'webhook_deliveries (user_id, created_at desc, id desc)',
  audit_log_orders:
    "audit_log (target_id, seq) where target_kind in ('payment', 'refund', 'transfer', 'delivery')",
};

/** For the lists over all applications of a user (specification/overview.md). */
export class IndexOverviews1795310416000 implements MigrationInterface {
  name = 'IndexOverviews1795310416000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(INDEXES)) await createIndexConcurrently(queryRunner, name, on);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('IndexOverviews1795310416000 cannot be reverted; restore a backup instead');
  }
}
