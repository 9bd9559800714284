import {
  AUDIT_START,
  auditHash,
  type AuditRow,
  formatAuditHead,
  findRowProblem,
  parseAuditHead,
} from './audit-chain.pure.js';

const FIELDS: Omit<AuditRow, 'hash' | 'mac'> = {
  seq: 1n,
  at: new Date('2026-01-02T03:04:05.678Z'),
  actorKind: 'user',
  actorId: '0192-u',
  act: 'wallet.activated',
  userId: '0192-u',
  targetKind: 'wallet',
  targetId: '0192-w',
  details: '{"family":"evm"}',
  address: null,
  requestId: 'r-1',
  previousHash: AUDIT_START.hash,
};
/** Computed from the description in docs/how-to/verify.md by another program. */
const HASH = '129198c2281aab8476d5171b4d7f05902b36fa17e051a1819e54e1377aa6124b';
const ROW: AuditRow = { ...FIELDS, hash: Buffer.from(HASH, 'hex'), mac: null };

describe('auditHash', () => {
  it('equals the hash in docs/how-to/verify.md', () => {
    expect(auditHash(FIELDS).toString('hex')).toBe(HASH);
  });

  it.each<[string, Partial<AuditRow>]>([
    ['the number', { seq: 2n }],
    ['a millisecond', { at: new Date('2026-01-02T03:04:05.679Z') }],
    ['no actor instead of an empty one', { actorId: null }],
    ['a letter that moves to the next field', { targetKind: 'wallet0', targetId: '192-w' }],
    ['fields that change places', { targetKind: '0192-w', targetId: 'wallet' }],
    ['a space in the details', { details: '{"family": "evm"}' }],
    ['an empty address instead of none', { address: '' }],
    ['another row before it', { previousHash: Buffer.alloc(32, 1) }],
  ])('changes with %s', (_what, change) => {
    expect(auditHash({ ...FIELDS, ...change }).toString('hex')).not.toBe(HASH);
  });
});

describe('findRowProblem', () => {
  const after = { seq: 1n, hash: ROW.hash };
  it.each<[string, typeof AUDIT_START, Partial<AuditRow>, string | null]>([
    ['the first row', AUDIT_START, {}, null],
    ['a gap', AUDIT_START, { seq: 2n }, 'row 1 is missing'],
    ['the same number again', after, {}, 'row 1 comes twice'],
    ['another row before', { ...AUDIT_START, hash: ROW.hash }, {}, 'row 1 does not follow the row before it'],
    ['another act', AUDIT_START, { act: 'wallet.removed' }, 'row 1 was changed'],
    ['another hash', AUDIT_START, { hash: Buffer.alloc(32) }, 'row 1 was changed'],
  ])('checks %s', (_what, previous, change, verdict) => {
    expect(findRowProblem(previous, { ...ROW, ...change })).toBe(verdict);
  });
});

describe('the end of the log', () => {
  it('parses what it prints', () => {
    expect(parseAuditHead(formatAuditHead({ seq: 7n, hash: ROW.hash }))).toEqual({ seq: 7n, hash: ROW.hash });
    expect(parseAuditHead(HASH)).toEqual({ seq: null, hash: Buffer.from(HASH, 'hex') });
    expect(formatAuditHead(AUDIT_START)).toBe(`0:${'00'.repeat(32)}`);
  });

  it.each([
    '',
    HASH.slice(2),
    HASH.toUpperCase(),
    `${HASH}00`,
    `1:${HASH} `,
    `-1:${HASH}`,
    `01:${HASH}`,
    `1:${HASH.toUpperCase()}`,
    `1:${HASH}0`,
    `x:${HASH}`,
  ])('cannot be parsed from "%s"', (text) => {
    expect(parseAuditHead(text)).toBeNull();
  });
});
