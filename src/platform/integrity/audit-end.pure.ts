import type { AuditAnchorEntity } from './audit-anchor.entity.js';
import type { AuditLink } from './audit-chain.pure.js';

/** Where the audit log ends by a process with APP_KEYS. */
export type AuditAnchor = Omit<AuditAnchorEntity, 'onlyOne'>;

/** Where the audit log ends by both of its records. */
export interface AuditEnd {
  /** By the trigger `audit_log_chain`, without a key. */
  head: AuditLink;
  /** Null: it was deleted. */
  anchor: AuditAnchor | null;
  /** The entry with the number that the reader saw last before; null: there is none, or it saw none. */
  seen: AuditLink | null;
}

export type EndVerdict = { state: 'intact'; anchor: AuditAnchor } | { state: 'broken'; problem: string };

const broken = (problem: string): EndVerdict => ({ state: 'broken', problem });

/**
 * @param isAuthentic whether a key of APP_KEYS made the anchor's MAC
 * @param last the end that the reader saw before
 */
export function checkEnd(
  { head, anchor, seen }: AuditEnd,
  isAuthentic: boolean,
  last: AuditLink | null = null,
): EndVerdict {
  if (!anchor) return broken('audit_anchor has no row, so the end may be missing');
  if (!isAuthentic)
    return broken('audit_anchor is not as a key of APP_KEYS wrote it, so the end may be missing');
  if (anchor.seq > head.seq) return broken(missingAtEnd(head.seq, anchor.seq));
  if (last && last.seq > head.seq) return broken(missingAtEnd(head.seq, last.seq));
  if (last && last.seq > 0n && !seen?.hash.equals(last.hash)) return broken(replaced(last.seq));
  if (anchor.seq < head.seq) return broken(foreign(anchor.seq + 1n));
  return anchor.hash.equals(head.hash) ? { state: 'intact', anchor } : broken(replaced(head.seq));
}

export const missingAtEnd = (last: bigint, expected: bigint): string =>
  `rows ${last + 1n} to ${expected} are missing at the end`;
export const replaced = (seq: bigint): string => `row ${seq} was replaced by another one`;
export const foreign = (seq: bigint): string => `row ${seq} was not written by the gateway`;
