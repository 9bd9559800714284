import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An attempt is known by its delivery and its number: an id of its own was one more index for nobody. */
export class AttemptKeys1795224000029 implements MigrationInterface {
  name = 'AttemptKeys1795224000029';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table webhook_attempts drop column id;
      alter table webhook_attempts drop constraint webhook_attempts_delivery_id_number_key;
      alter table webhook_attempts add primary key (delivery_id, number)`);
  }

  /** Forward only: a released gateway never takes money's tables back. */
  async down(): Promise<void> {
    throw new Error('AttemptKeys1795224000029 cannot be reverted; restore a backup instead');
  }
}
