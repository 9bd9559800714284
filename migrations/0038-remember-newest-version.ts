import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What UPDATE_CHECK_URL says (docs/decisions/0908-ask-for-a-newer-version-only-if-told-to.md). */
export class RememberNewestVersion1795996838000 implements MigrationInterface {
  name = 'RememberNewestVersion1795996838000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- What was asked last about the newest version: at most one row, for all processes.
      create table newest_versions (
        only_one boolean primary key default true check (only_one),
        -- SHA-256 of the address, which may contain a secret: another address is asked at once.
        source bytea not null check (length(source) = 32),
        asked_at timestamptz not null,
        -- The last answer that could be used; all null before the first.
        answered_at timestamptz,
        version text check (length(version) <= 64),
        -- When an answer first named this version.
        first_seen_at timestamptz,
        -- Why the last question brought nothing; both null: it did, or is being asked.
        unknown text check (unknown in ('failing', 'refused', 'unusable')),
        failure text check (length(failure) <= 200),
        check ((answered_at is null) = (version is null) and (version is null) = (first_seen_at is null)),
        check ((unknown is null) = (failure is null))
      )`);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('RememberNewestVersion1795996838000 cannot be reverted; restore a backup instead');
  }
}
