import { readFile } from 'node:fs/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Refunds that the customer asked for, and refunds of unmatched transfers (specification/refunds.md#requests). */
export class CustomerRefunds1795310415000 implements MigrationInterface {
  name = 'CustomerRefunds1795310415000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const part of ['refunds', 'events'])
      await queryRunner.query(
        await readFile(new URL(`./0015-customer-refunds/${part}.sql`, import.meta.url), 'utf8'),
      );
  }

  /** Forward only. */
  async down(): Promise<void> {
    throw new Error('CustomerRefunds1795310415000 cannot be reverted; restore a backup instead');
  }
}
