import { readFile } from 'node:fs/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns for the MACs of users, tokens and clients, which the gateway fills when it starts. */
export class AuthenticateIdentity1795310403000 implements MigrationInterface {
  name = 'AuthenticateIdentity1795310403000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const file = new URL('./0003-authenticate-identity/tables.sql', import.meta.url);
    await queryRunner.query(await readFile(file, 'utf8'));
  }

  /** Forward only: without the MACs every row would be refused. */
  async down(): Promise<void> {
    throw new Error('AuthenticateIdentity1795310403000 cannot be reverted; restore a backup instead');
  }
}
