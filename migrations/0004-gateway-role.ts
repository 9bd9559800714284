import { readFile } from 'node:fs/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets triggers write what the gateway's own role may not (docs/decisions/0022-two-database-roles.md). */
export class GatewayRole1795310404000 implements MigrationInterface {
  name = 'GatewayRole1795310404000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      await readFile(new URL('./0004-gateway-role/triggers.sql', import.meta.url), 'utf8'),
    );
  }

  /** Forward only: the previous release works with it too. */
  async down(): Promise<void> {
    throw new Error('GatewayRole1795310404000 cannot be reverted; restore a backup instead');
  }
}
