import type { AuditLink } from './audit-chain.pure.js';
import { type AuditAnchor, checkEnd } from './audit-end.pure.js';

const HASH = Buffer.alloc(32, 1);
const ANCHOR: AuditAnchor = { seq: 7n, hash: HASH, resumedSeq: 0n, mac: 'm1.k.x' };
const NOT_AUTHENTIC = 'audit_anchor is not as a key of APP_KEYS wrote it, so the end may be missing';

describe('checkEnd', () => {
  it.each<[string, bigint, AuditAnchor | null, boolean, string]>([
    ['both records agree', 7n, ANCHOR, true, 'intact'],
    ['the anchor is gone', 7n, null, false, 'audit_anchor has no row, so the end may be missing'],
    ['the anchor is forged', 7n, ANCHOR, false, NOT_AUTHENTIC],
    ['entries are gone', 5n, ANCHOR, true, 'rows 6 to 7 are missing at the end'],
    [
      'the last entry is another',
      7n,
      { ...ANCHOR, hash: Buffer.alloc(32, 2) },
      true,
      'row 7 was replaced by another one',
    ],
    ['an entry follows', 8n, ANCHOR, true, 'row 8 was not written by the gateway'],
  ])('when %s', (_when, seq, anchor, isAuthentic, expected) => {
    const verdict = checkEnd({ head: { seq, hash: HASH }, anchor, seen: null }, isAuthentic);
    expect(verdict.state === 'broken' ? verdict.problem : verdict.state).toBe(expected);
  });

  const seen = (seq: bigint, byte: number) => ({ seq, hash: Buffer.alloc(32, byte) });
  it.each<[string, AuditLink, AuditLink | null, string]>([
    ['is there', seen(5n, 3), seen(5n, 3), 'intact'],
    ['was none', seen(0n, 0), null, 'intact'],
    ['is gone with those before it', seen(9n, 3), null, 'rows 8 to 9 are missing at the end'],
    ['is gone', seen(5n, 3), null, 'row 5 was replaced by another one'],
    ['is another one', seen(5n, 3), seen(5n, 4), 'row 5 was replaced by another one'],
  ])('when the end that was seen before %s', (_when, last, now, expected) => {
    const verdict = checkEnd({ head: { seq: 7n, hash: HASH }, anchor: ANCHOR, seen: now }, true, last);
    expect(verdict.state === 'broken' ? verdict.problem : verdict.state).toBe(expected);
  });
});
