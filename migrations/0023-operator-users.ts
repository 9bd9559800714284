import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the operator's list of users (specification/operations.md#users). Prefixes are compared by bytes, in any collation. */
export class OperatorUsers1795310423000 implements MigrationInterface {
  name = 'OperatorUsers1795310423000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`create index users_newest on users (created_at desc, id desc)`);
    await queryRunner.query(`create index users_email_prefix on users (email text_pattern_ops)`);
    await queryRunner.query(
      `create index audit_log_sign_ins on audit_log (user_id, seq) where act = 'sign_in.succeeded'`,
    );
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('OperatorUsers1795310423000 cannot be reverted; restore a backup instead');
  }
}
