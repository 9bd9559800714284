import { readFile } from 'node:fs/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keyring of the process that migrates (src/platform/security/keyring.ts). */
interface Keyring {
  mac(purpose: string, fields: readonly (string | null)[]): string;
}

interface End {
  seq: string;
  hash: Buffer;
  unkeyed_until: Date | null;
}

// Instances of the release before may append without MACs until they are replaced; a new database has none.
const END = `
  select seq, hash, case when seq > 0 then date_trunc('milliseconds', now() + interval '24 hours') end as unkeyed_until
  from audit_head for update`;
const INSERT_ANCHOR =
  'insert into audit_anchor (seq, hash, adopted_seq, unkeyed_until, mac) values ($1, $2, $1, $3, $4)';

/**
 * Authenticates the end of the audit log, and with it every entry so far, by its chain of hashes. Later entries have a
 * MAC of their own.
 */
export class KeyAuditLog1795310406000 implements MigrationInterface {
  name = 'KeyAuditLog1795310406000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const file = new URL('./0006-key-audit-log/tables.sql', import.meta.url);
    await queryRunner.query(await readFile(file, 'utf8'));
    const [end] = (await queryRunner.query(END)) as End[];
    if (!end) throw new Error('audit_head has no row');
    const keyring = queryRunner.data['keyring'] as Keyring | undefined;
    if (!keyring) throw new Error('the audit log can only be migrated with APP_KEYS');
    const { seq, hash, unkeyed_until: until } = end;
    const fields = [seq, hash.toString('hex'), seq, until === null ? null : until.toISOString()];
    await queryRunner.query(INSERT_ANCHOR, [seq, hash, until, keyring.mac('audit anchor', fields)]);
  }

  /** Forward only: without the MACs nobody could tell which entries are the gateway's. */
  async down(): Promise<void> {
    throw new Error('KeyAuditLog1795310406000 cannot be reverted; restore a backup instead');
  }
}
