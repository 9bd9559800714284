import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who may act in the account of another user (specification/authentication.md#members). */
export class AccountMembers1795310420000 implements MigrationInterface {
  name = 'AccountMembers1795310420000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table account_members (
        account_id uuid not null references users (id),
        user_id uuid not null references users (id),
        role text not null constraint account_members_role_check check (role in ('developer', 'viewer')),
        created_at timestamptz not null,
        mac text not null,
        primary key (account_id, user_id),
        constraint account_members_other_check check (account_id <> user_id)
      )`);
    await queryRunner.query(`create index account_members_user on account_members (user_id)`);
    await queryRunner.query(`
      comment on table account_members is
      'Who may act in the account of another user, the owner, and how far. Deleted when a member leaves.'`);
    await queryRunner.query(`insert into authenticated_tables (name) values ('account_members')`);
  }

  async down(): Promise<void> {
    throw new Error('AccountMembers1795310420000 cannot be reverted; restore a backup instead');
  }
}
