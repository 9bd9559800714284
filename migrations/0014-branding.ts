import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Logo, accent color, support link and language of an application (specification/applications.md#branding). The columns
 * of a site are under its MAC, whose form stays as it is while they are null: rows of the release before stay authentic,
 * and so do new rows without branding for an instance of it. The logo is found by its hash, which is such a column.
 */
export class Branding1795310414000 implements MigrationInterface {
  name = 'Branding1795310414000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table sites
        add column accent text constraint sites_accent_check check (accent ~ '^#[0-9a-f]{6}$'),
        add column support_url text,
        add column default_language text,
        add column logo_id uuid,
        add column logo_hash text constraint sites_logo_hash_check check (logo_hash ~ '^[0-9a-f]{64}$'),
        add constraint sites_logo_check check ((logo_id is null) = (logo_hash is null))`);
    await queryRunner.query(`
      create table application_logos (
        application_id uuid primary key references payment_applications (id),
        content bytea not null constraint application_logos_size_check check (length(content) between 1 and 65536),
        created_at timestamptz not null
      )`);
    await queryRunner.query(
      `comment on table application_logos is 'The logo of an application as it is served: a checked PNG or SVG. sites.logo_hash is its hash.'`,
    );
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('Branding1795310414000 cannot be reverted; restore a backup instead');
  }
}
