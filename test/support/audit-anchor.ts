import pg from 'pg';
import type { Config } from '../../src/config.js';
import { AuditMacs } from '../../src/platform/integrity/audit-macs.service.js';
import { Keyring } from '../../src/platform/kernel/keyring.js';

/** Makes the end of a log without entries what the migration writes with these keys. Needs the owner of the schema. */
export async function sealEmptyAuditLog(ownerUrl: string, appKeys: Config['appKeys']): Promise<void> {
  const none = { seq: 0n, hash: Buffer.alloc(32), resumedSeq: 0n };
  const { mac } = new AuditMacs(new Keyring(appKeys)).sealAnchor(none);
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('update audit_anchor set mac = $1 where seq = 0', [mac]);
  } finally {
    await client.end();
  }
}
