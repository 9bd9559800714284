import { encodeFields } from '../kernel/encode-fields.pure.js';
import { sha256 } from '../kernel/hmac.pure.js';
import { fieldText } from './row-fields.pure.js';
import type { AuditLogEntity } from './audit-log.entity.js';

/** A row of the audit log as it is read: `details` is the stored JSON text. */
export type AuditRow = Omit<AuditLogEntity, 'details'> & { details: string };

/** The last row that was read: its number and hash. */
export type AuditLink = Pick<AuditLogEntity, 'seq' | 'hash'>;

/** What comes before the first row. */
export const AUDIT_START: AuditLink = { seq: 0n, hash: Buffer.alloc(32) };

/** Distinguishes this encoding from any later one. */
const FORMAT = 'audit-log-1';

/**
 * SHA-256 of the previous hash and the fields in this order. The trigger `audit_log_chain` computes the same in the
 * database; this second implementation is for MACs, which need the hash, and for `verify:audit`.
 */
export function auditHash(row: Omit<AuditRow, 'hash' | 'mac'>): Buffer {
  const fields = [
    FORMAT,
    String(row.seq),
    fieldText(row.at),
    row.actorKind,
    row.actorId,
    row.act,
    row.userId,
    row.targetKind,
    row.targetId,
    row.details,
    row.address,
    row.requestId,
  ];
  return sha256(Buffer.concat([row.previousHash, encodeFields(fields)]));
}

/** What is wrong with a row that follows `previous`, or null. */
export function findRowProblem(previous: AuditLink, row: AuditRow): string | null {
  if (row.seq > previous.seq + 1n) return `row ${previous.seq + 1n} is missing`;
  if (row.seq <= previous.seq) return `row ${row.seq} comes twice`;
  if (!row.previousHash.equals(previous.hash)) return `row ${row.seq} does not follow the row before it`;
  if (!auditHash(row).equals(row.hash)) return `row ${row.seq} was changed`;
  return null;
}

/** How operators keep the end of the log: `<number>:<hash in hex>`. */
export function formatAuditHead({ seq, hash }: AuditLink): string {
  return `${seq}:${hash.toString('hex')}`;
}

/** What somebody kept of the log: a head, or, as merchants do, only the hash of a row. */
export type KeptHead = Pick<AuditLink, 'hash'> & { seq: bigint | null };

/** The reverse, also with the first digits of the hash only, from 12, or with all of them alone; null for anything else. */
export function parseAuditHead(text: string): KeptHead | null {
  const [, seq, start, whole] =
    /^(?:(0|[1-9]\d{0,18}):((?:[0-9a-f]{2}){6,32})|([0-9a-f]{64}))$/.exec(text) ?? [];
  const hash = start ?? whole;
  return hash === undefined
    ? null
    : { seq: seq === undefined ? null : BigInt(seq), hash: Buffer.from(hash, 'hex') };
}
