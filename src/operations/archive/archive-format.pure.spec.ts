import { createHash } from 'node:crypto';
import { signingKeyOf } from '../../platform/kernel/signing-key.pure.js';
import {
  ArchiveVerifier,
  FORMAT,
  type Manifest,
  manifestLine,
  nextDigest,
  paymentLine,
  START,
} from './archive-format.pure.js';

const KEY = signingKeyOf(Buffer.alloc(32, 1));
const OTHER = signingKeyOf(Buffer.alloc(32, 2));
const RECORDS = ['{"payments":[{"id":"p1"}]}', '{"payments":[{"id":"é"}]}', '{"payments":[{"id":"}"}]}'];

const sha256 = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The lines of an archive, and its manifest. */
function archiveOf(all: readonly string[], changes: Partial<Manifest> = {}, key = KEY): string[] {
  let digest = START;
  const payments = all.map((records, index) => {
    digest = nextDigest(digest, records);
    return paymentLine(index + 1, digest, records);
  });
  const manifest: Manifest = {
    format: FORMAT,
    payments: all.length,
    head: digest.toString('hex'),
    first: 'p1',
    last: 'p3',
    open: 0,
    before: '2026-01-15T00:00:00.000Z',
    archivedAt: '2026-02-01T00:00:00.000Z',
    version: '1.0.0',
    commit: 'unknown',
    lineage: '1/2/3',
    ...changes,
  };
  return [...payments, manifestLine(key, manifest)];
}

function verify(lines: readonly string[], rest = '', keys = [KEY.public]) {
  const verifier = new ArchiveVerifier(keys);
  for (const line of lines) {
    const flaw = verifier.next(Buffer.from(line));
    if (flaw) return `line ${flaw.line} ${flaw.problem}`;
  }
  const end = verifier.end(Buffer.from(rest));
  return 'problem' in end ? `line ${end.line} ${end.problem}` : end;
}

const LINES = archiveOf(RECORDS);
const MANIFEST = LINES[3] ?? '';
const line = (place: number) => LINES[place] ?? '';

describe('paymentLine', () => {
  it('is JSON with number, digest and records', () => {
    expect(JSON.parse(line(1))).toEqual({
      line: 2,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      records: { payments: [{ id: 'é' }] },
    });
  });

  it('has the digest that the specification describes (specification/operations.md#archive-of-payments)', () => {
    const first = sha256(sha256('payment-archive-1'), RECORDS[0] ?? '');
    const second = sha256(first, RECORDS[1] ?? '');
    expect((JSON.parse(line(1)) as { digest: string }).digest).toBe(second.toString('hex'));
  });
});

describe('ArchiveVerifier', () => {
  it.each([
    ['several payments', LINES],
    ['none', archiveOf([])],
  ])('accepts an archive of %s, and returns manifest and key', (_what, lines) => {
    expect(verify(lines)).toMatchObject({
      manifest: { payments: lines.length - 1 },
      key: { kid: KEY.public.kid },
    });
  });

  it.each([
    ['first', [KEY.public, OTHER.public]],
    ['last', [OTHER.public, KEY.public]],
  ])('accepts one of several keys, here the %s', (_what, keys) => {
    expect(verify(LINES, '', keys)).toMatchObject({ key: { kid: KEY.public.kid } });
  });

  it.each<[string, readonly string[], string]>([
    ['a changed record', [line(0).replace('p1', 'p2'), ...LINES.slice(1)], 'line 1 was changed'],
    ['another last character', [line(0).replace(/\}$/, ']'), ...LINES.slice(1)], 'line 1 was changed'],
    ['a character more', [`${line(0)} `, ...LINES.slice(1)], 'line 1 was changed'],
    [
      'a changed digest',
      [line(0).replace(/"digest":"./, '"digest":"x'), ...LINES.slice(1)],
      'line 1 is neither',
    ],
    ['a removed first line', LINES.slice(1), 'line 1 has the number 2'],
    ['a removed line', [line(0), line(2), MANIFEST], 'line 2 has the number 3'],
    ['swapped lines', [line(0), line(2), line(1), MANIFEST], 'line 2 has the number 3'],
    ['a renumbered line', [line(0), line(2).replace('"line":3', '"line":2'), MANIFEST], 'line 2 was changed'],
    [
      'a removed last payment',
      [line(0), line(1), MANIFEST],
      'line 3 is the manifest of 3 payments, and 2 precede it',
    ],
    [
      'other payments with right digests',
      [...archiveOf(['{}', '{}', '{}']).slice(0, 3), MANIFEST],
      'line 4 is the manifest of other payments',
    ],
    [
      'the manifest of fewer payments',
      [...LINES.slice(0, 3), archiveOf(RECORDS.slice(0, 2))[2] ?? ''],
      'line 4 is the manifest of 2 payments, and 3 precede it',
    ],
    ['no manifest', LINES.slice(0, 3), 'line 4 is missing'],
    ['nothing', [], 'line 1 is missing'],
    ['an empty line', ['', ...LINES], 'line 1 is neither'],
    ['a line after the manifest', [...LINES, line(0)], 'line 5 follows the manifest'],
    ['two manifests', [...LINES, MANIFEST], 'line 5 follows the manifest'],
    ['a manifest of another key', archiveOf(RECORDS, {}, OTHER), 'line 4 is signed by none of the keys'],
    [
      'a manifest that shows something else',
      [...LINES.slice(0, 3), MANIFEST.replace('"open":0', '"open":1')],
      'line 4 shows another manifest',
    ],
    [
      'a manifest of a later format',
      archiveOf(RECORDS, { format: 'payment-archive-2' }),
      'line 4 is of the format payment-archive-2',
    ],
  ])('finds %s', (_what, lines, problem) => {
    expect(verify(lines)).toEqual(expect.stringContaining(problem));
  });

  it('finds an end without a line feed', () => {
    expect(verify(LINES.slice(0, 3), MANIFEST)).toMatch(/^line 4 is cut off/);
    expect(verify(LINES, ' ')).toMatch(/^line 5 is cut off/);
  });
});
