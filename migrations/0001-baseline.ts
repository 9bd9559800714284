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
  'changes.sql',
  'rights.sql',
];

/** The keyring of the process that migrates (src/platform/kernel/keyring.ts). */
interface Keyring {
  mac(purpose: string, fields: readonly (string | null)[]): string;
}

/** The schema of the first release. The .sql files are also the description of the data: read them first. */
export class Baseline1795996801000 implements MigrationInterface {
  name = 'Baseline1795996801000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const file of FILES)
      await queryRunner.query(await readFile(new URL(`./0001-baseline/${file}`, import.meta.url), 'utf8'));
    await this.anchorAuditLog(queryRunner);
  }

  /** Forward only: no release drops the tables that hold money's records. */
  async down(): Promise<void> {
    throw new Error('Baseline1795996801000 cannot be reverted; restore a backup instead');
  }

  /** The empty audit log ends at its beginning. From here on a missing anchor shows that somebody took it away. */
  private async anchorAuditLog(queryRunner: QueryRunner): Promise<void> {
    const keyring = queryRunner.data['keyring'] as Keyring | undefined;
    if (!keyring) throw new Error('the audit log can only be anchored with APP_KEYS');
    const start = Buffer.alloc(32);
    await queryRunner.query('insert into audit_anchor (seq, hash, resumed_seq, mac) values (0, $1, 0, $2)', [
      start,
      keyring.mac('audit anchor', ['0', start.toString('hex'), '0']),
    ]);
  }
}
