import type { AuditAnchorEntity } from './audit-anchor.entity.js';
import { type AuditLink, type AuditRow, findRowProblem } from './audit-chain.pure.js';

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

/**
 * `unkeyed`: entries without a MAC may follow the anchor, because instances of the release before may still run; they
 * remain to be checked by {@link findUnkeyedProblem}.
 */
export type EndVerdict =
  { state: 'intact' | 'unkeyed'; anchor: AuditAnchor } | { state: 'broken'; problem: string };

const broken = (problem: string): EndVerdict => ({ state: 'broken', problem });

/**
 * @param isAuthentic whether a key of APP_KEYS made the anchor's MAC
 * @param last the end that the reader saw before
 */
export function checkEnd(
  { head, anchor, seen }: AuditEnd,
  isAuthentic: boolean,
  now: Date,
  last: AuditLink | null = null,
): EndVerdict {
  if (!anchor) return broken('audit_anchor has no row, so the end may be missing');
  if (!isAuthentic)
    return broken('audit_anchor is not as a key of APP_KEYS wrote it, so the end may be missing');
  if (anchor.seq > head.seq) return broken(missingAtEnd(head.seq, anchor.seq));
  if (last && last.seq > head.seq) return broken(missingAtEnd(head.seq, last.seq));
  if (last && last.seq > 0n && !seen?.hash.equals(last.hash)) return broken(replaced(last.seq));
  if (anchor.seq === head.seq)
    return anchor.hash.equals(head.hash) ? { state: 'intact', anchor } : broken(replaced(head.seq));
  return mayBeUnkeyed(anchor, now) ? { state: 'unkeyed', anchor } : broken(foreign(anchor.seq + 1n));
}

/** Whether instances of the release before may still append. */
export function mayBeUnkeyed({ unkeyedUntil }: AuditAnchor, now: Date): boolean {
  return unkeyedUntil !== null && now < unkeyedUntil;
}

/** What is wrong with the entries between anchor and head, all of which instances of the release before must have written. */
export function findUnkeyedProblem(
  anchor: AuditLink,
  rows: readonly AuditRow[],
  head: AuditLink,
): string | null {
  let last = anchor;
  for (const row of rows) {
    const problem = findRowProblem(last, row) ?? (row.mac === null ? null : foreign(row.seq));
    if (problem !== null) return problem;
    last = row;
  }
  if (last.seq < head.seq) return missingAtEnd(last.seq, head.seq);
  return last.hash.equals(head.hash) ? null : replaced(last.seq);
}

export const missingAtEnd = (last: bigint, expected: bigint): string =>
  `rows ${last + 1n} to ${expected} are missing at the end`;
export const replaced = (seq: bigint): string => `row ${seq} was replaced by another one`;
export const foreign = (seq: bigint): string => `row ${seq} was not written by the gateway`;
