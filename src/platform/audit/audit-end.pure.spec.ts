import type { AuditLink, AuditRow } from './audit-chain.pure.js';
import { AUDIT_START, auditHash } from './audit-chain.pure.js';
import { type AuditAnchor, findUnkeyedProblem, checkEnd } from './audit-end.pure.js';

const NOW = new Date('2026-01-02T00:00:00Z');
const LATER = new Date('2026-01-02T00:00:01Z');
const HASH = Buffer.alloc(32, 1);
const ANCHOR: AuditAnchor = { seq: 7n, hash: HASH, adoptedSeq: 0n, unkeyedUntil: null, mac: 'm1.k.x' };
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
    ['an entry follows in time', 8n, { ...ANCHOR, unkeyedUntil: LATER }, true, 'unkeyed'],
    [
      'an entry follows too late',
      8n,
      { ...ANCHOR, unkeyedUntil: NOW },
      true,
      'row 8 was not written by the gateway',
    ],
  ])('when %s', (_when, seq, anchor, isAuthentic, expected) => {
    const verdict = checkEnd({ head: { seq, hash: HASH }, anchor, seen: null }, isAuthentic, NOW);
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
    const verdict = checkEnd({ head: { seq: 7n, hash: HASH }, anchor: ANCHOR, seen: now }, true, NOW, last);
    expect(verdict.state === 'broken' ? verdict.problem : verdict.state).toBe(expected);
  });
});

describe('findUnkeyedProblem', () => {
  const row = (seq: bigint, previousHash: Buffer, mac: string | null = null): AuditRow => {
    const fields = {
      seq,
      at: NOW,
      actorKind: 'system' as const,
      actorId: null,
      act: 'user.enabled' as const,
      userId: null,
      targetKind: null,
      targetId: null,
      details: '{}',
      address: null,
      requestId: null,
      previousHash,
    };
    return { ...fields, hash: auditHash(fields), mac };
  };
  const first = row(1n, AUDIT_START.hash);
  const second = row(2n, first.hash);

  it.each<[string, AuditRow[], { seq: bigint; hash: Buffer }, string | null]>([
    ['a chain up to the head', [first, second], second, null],
    ['a gap', [second], second, 'row 1 is missing'],
    [
      'an entry with a MAC',
      [first, { ...second, mac: 'm1.k.x' }],
      second,
      'row 2 was not written by the gateway',
    ],
    ['a changed entry', [{ ...first, userId: 'x' }, second], second, 'row 1 was changed'],
    ['a missing end', [first], second, 'rows 2 to 2 are missing at the end'],
    ['another head', [first, second], { ...second, hash: HASH }, 'row 2 was replaced by another one'],
  ])('finds in %s what is wrong', (_what, rows, head, expected) => {
    expect(findUnkeyedProblem(AUDIT_START, rows, head)).toBe(expected);
  });
});
