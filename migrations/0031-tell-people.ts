import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notices to people, by mail and to the operator's channel (docs/decisions/0901-tell-people.md). */
export class TellPeople1795996831000 implements MigrationInterface {
  name = 'TellPeople1795996831000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- One row per notice and recipient, written in the transaction of what it tells, and deleted after 90 days.
      create table notices (
        id uuid primary key,
        -- Null: the operator's channel, or an address without a user.
        user_id text,
        name text not null,
        -- What happened, and for whom: it is told once, however often it is found.
        dedupe_key text not null unique,
        -- Encrypted, with its recipient; nothing of it is left once the notice has ended.
        sealed_content text,
        attempts integer not null default 0 check (attempts >= 0),
        created_at timestamptz not null,
        next_attempt_at timestamptz,
        sent_at timestamptz,
        dead_at timestamptz,
        last_error text check (length(last_error) <= 40),
        check (num_nonnulls(next_attempt_at, sent_at, dead_at) = 1),
        check ((sealed_content is null) = (next_attempt_at is null))
      )`);
    await queryRunner.query(
      'create index notices_due on notices (next_attempt_at) where next_attempt_at is not null',
    );
    await queryRunner.query('create index notices_created on notices (created_at)');
    await queryRunner.query('create index notices_user on notices (user_id) where user_id is not null');
    await queryRunner.query(`
      -- One row per user who has chosen.
      create table notice_choices (
        user_id text primary key,
        kinds text[] not null check (kinds <@ array['endpoint', 'attention', 'refund', 'chain', 'backup']),
        -- Null: all that the user may see.
        application_ids uuid[],
        language text not null,
        updated_at timestamptz not null
      )`);
    await queryRunner.query(`
      -- What fails now and was told. Deleted when it works again, which is told as well.
      create table notice_outages (
        kind text not null check (kind in ('endpoint', 'chain', 'backup')),
        subject text not null,
        began_at timestamptz not null,
        primary key (kind, subject)
      )`);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('TellPeople1795996831000 cannot be reverted; restore a backup instead');
  }
}
