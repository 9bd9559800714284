import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './online.js';

/** By name: the table, and what is indexed. Prefixes are compared by bytes, in any collation. */
const INDEXES: Readonly<Record<string, string>> = {
  users_newest: 'users (created_at desc, id desc)',
  users_email_prefix: 'users (email text_pattern_ops)',
  audit_log_sign_ins: "audit_log (user_id, seq) where act = 'sign_in.succeeded'",
};

/** For the operator's list of users (specification/operations.md#users). */
export class OperatorUsers1795310423000 implements MigrationInterface {
  name = 'OperatorUsers1795310423000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(INDEXES)) await createIndexConcurrently(queryRunner, name, on);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('OperatorUsers1795310423000 cannot be reverted; restore a backup instead');
  }
}
