import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Refused sign-ins are counted by account, instead of one row of the audit log for each guess of a stranger. */
export class RefusedSignIns1795310407000 implements MigrationInterface {
  name = 'RefusedSignIns1795310407000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // One row per user and reason at most. Written at a wrong password or code, and reset by a sign-in. The nil id
    // stands for all accounts that do not exist, so that a refusal writes the same for them; hence no foreign key.
    await queryRunner.query(`
      create table refused_sign_ins (
        user_id uuid not null,
        reason text not null check (reason in ('password', 'code')),
        -- Since the last sign-in, and between the last two.
        since_last integer not null check (since_last >= 0),
        before_last integer not null default 0 check (before_last >= 0),
        refused_at timestamptz not null,
        -- Whether the bound of the account was reached since the last sign-in, and when the audit log last said so.
        is_bound_reached boolean not null default false,
        reported_at timestamptz,
        primary key (user_id, reason)
      )`);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('RefusedSignIns1795310407000 cannot be reverted; restore a backup instead');
  }
}
