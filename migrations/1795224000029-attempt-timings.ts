import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How long an attempt took to its connection and to the head of the answer. And an attempt is known by its delivery and
 * its number: an id of its own was one more index for nobody. The column stays while a process of before may write it.
 */
export class AttemptTimings1795224000029 implements MigrationInterface {
  name = 'AttemptTimings1795224000029';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table webhook_attempts drop constraint webhook_attempts_pkey;
      alter table webhook_attempts alter column id drop not null;
      alter table webhook_attempts drop constraint webhook_attempts_delivery_id_number_key;
      alter table webhook_attempts add primary key (delivery_id, number);

      alter table webhook_attempts
        add column connect_ms integer check (connect_ms >= 0),
        add column first_byte_ms integer check (first_byte_ms >= 0);
      alter table webhook_tests
        add column connect_ms integer check (connect_ms >= 0),
        add column first_byte_ms integer check (first_byte_ms >= 0)`);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('AttemptTimings1795224000029 cannot be reverted; restore a backup instead');
  }
}
