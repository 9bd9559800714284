import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The verification that the gateway makes by itself: which process makes it, and what of it is shown. At most one row. */
export class ReconciliationSchedule1795310438000 implements MigrationInterface {
  name = 'ReconciliationSchedule1795310438000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table reconciliation_schedule (
        only_one boolean primary key default true check (only_one),
        lease_token uuid,
        lease_until timestamptz,
        full_requested_at timestamptz,
        started_at timestamptz,
        compared bigint not null default 0,
        check ((lease_token is null) = (lease_until is null))
      )`);
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('ReconciliationSchedule1795310438000 cannot be reverted; restore a backup instead');
  }
}
