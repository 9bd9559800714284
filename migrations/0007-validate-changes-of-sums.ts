import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The checks that 0002-tell-changes-of-sums.ts added: validating takes no lock that writers wait for. */
const ADDED = [
  ['payment_events', 'payment_events_type_check'],
  ['payment_events', 'payment_events_kind'],
  ['webhook_deliveries', 'webhook_deliveries_check1'],
  ['sites', 'sites_events_check'],
] as const;

export class ValidateChangesOfSums1795996807000 implements MigrationInterface {
  name = 'ValidateChangesOfSums1795996807000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, check] of ADDED)
      await queryRunner.query(`alter table ${table} validate constraint ${check}`);
  }

  async down(): Promise<void> {
    throw new Error('ValidateChangesOfSums1795996807000 cannot be reverted; restore a backup instead');
  }
}
