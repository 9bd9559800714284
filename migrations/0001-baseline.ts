import { readFile } from 'node:fs/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files of 0001-baseline/, in the order in which their tables refer to each other. */
const FILES = [
  'platform.sql',
  'applications.sql',
  'identity.sql',
  'wallets.sql',
  'payments.sql',
  'transfers.sql',
  'events.sql',
  'refunds.sql',
  'webhooks.sql',
  'chain-watcher.sql',
  'operations.sql',
];

/** The schema of the first release. The .sql files are also the description of the data: read them first. */
export class Baseline1795224000001 implements MigrationInterface {
  name = 'Baseline1795224000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const file of FILES)
      await queryRunner.query(await readFile(new URL(`./0001-baseline/${file}`, import.meta.url), 'utf8'));
  }

  /** Forward only: no release drops the tables that hold money's records. */
  async down(): Promise<void> {
    throw new Error('Baseline1795224000001 cannot be reverted; restore a backup instead');
  }
}
