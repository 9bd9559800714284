import type { MigrationInterface, QueryRunner } from 'typeorm';

/** docs/decisions/0874-cursors-tell-nothing.md */
const STATEMENTS = [
  // One row for each key that encrypts cursors; the oldest is in use. Written at the first start and by the rotation of
  // keys, and never deleted: clients keep cursors for months. Owner: src/platform.
  `create table cursor_keys (
     id uuid primary key,
     sealed_key text not null,
     created_at timestamptz not null default now()
   )`,
  // The version of a change is its time, since its number would tell how many changes all merchants have. Of two changes of
  // an object the later one has waited for the row, while its transaction may have begun before.
  `alter table changes alter column at set default clock_timestamp()`,
];

export class CursorsThatTellNothing1795996814000 implements MigrationInterface {
  name = 'CursorsThatTellNothing1795996814000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('CursorsThatTellNothing1795996814000 cannot be reverted; restore a backup instead');
  }
}
