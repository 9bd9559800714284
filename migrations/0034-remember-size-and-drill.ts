import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the screen Health compares with (docs/decisions/0904-show-what-is-unknown.md). */
export class RememberSizeAndDrill1795996834000 implements MigrationInterface {
  name = 'RememberSizeAndDrill1795996834000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- The size of the database, once an hour, the last of each day (UTC); deleted after 60 days.
      create table database_sizes (
        day date primary key,
        bytes bigint not null check (bytes >= 0),
        measured_at timestamptz not null
      )`);
    await queryRunner.query(`
      -- How the last restore drill ended: at most one row.
      create table restore_drills (
        only_one boolean primary key default true check (only_one),
        finished_at timestamptz not null,
        held boolean not null
      )`);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('RememberSizeAndDrill1795996834000 cannot be reverted; restore a backup instead');
  }
}
