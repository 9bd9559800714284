import { sha256 } from '../security/hmac.pure.js';

/** A row of the audit log as it is hashed: `details` is the stored JSON text, times are to the millisecond. */
export interface AuditRow {
  seq: bigint;
  at: Date;
  actorKind: string;
  actorId: string | null;
  act: string;
  userId: string | null;
  targetKind: string | null;
  targetId: string | null;
  details: string;
  address: string | null;
  requestId: string | null;
  previousHash: Buffer;
  hash: Buffer;
}

/** The last row that was read: its number and hash. */
export interface AuditLink {
  seq: bigint;
  hash: Buffer;
}

/** In front of the first row. */
export const AUDIT_START: AuditLink = { seq: 0n, hash: Buffer.alloc(32) };

/** Makes two encodings impossible to mix up, should there ever be a second one. */
const FORMAT = 'audit-log-1';

/**
 * A text as its length in bytes (four, big-endian) and its UTF-8; null as the length 2^32 - 1. No two lists of
 * texts have one encoding.
 */
function field(value: string | null): Buffer {
  const length = Buffer.alloc(4);
  if (value === null) {
    length.writeUInt32BE(0xffff_ffff);
    return length;
  }
  const text = Buffer.from(value, 'utf8');
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text]);
}

/**
 * SHA-256 over the hash before and the fields in this order. The trigger `audit_log_chain` computes the same in
 * the database; this is the second reading, for `verify:audit`.
 */
export function auditHash(row: Omit<AuditRow, 'hash'>): Buffer {
  const fields = [
    FORMAT,
    String(row.seq),
    row.at.toISOString(),
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
  return sha256(Buffer.concat([row.previousHash, ...fields.map(field)]));
}

/** Why a row cannot stand where it does, or null. */
export function judgeAuditRow(previous: AuditLink, row: AuditRow): string | null {
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

/** The reverse; null for anything else. */
export function parseAuditHead(text: string): AuditLink | null {
  const [, seq, hash] = /^(0|[1-9]\d{0,18}):([0-9a-f]{64})$/.exec(text) ?? [];
  return seq === undefined || hash === undefined
    ? null
    : { seq: BigInt(seq), hash: Buffer.from(hash, 'hex') };
}
