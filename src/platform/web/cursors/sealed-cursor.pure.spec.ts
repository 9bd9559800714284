import { cursorKeyOf, openCursor, sealCursor } from './sealed-cursor.pure.js';

const KEY = cursorKeyOf(Buffer.alloc(32, 1));
const OTHER = cursorKeyOf(Buffer.alloc(32, 2));
const OWNER = '018f2b6e-1c2d-7a3b-9c4d-5e6f7a8b9c0d';
const CURSOR = sealCursor(KEY, OWNER, 'e4711');

/** With one bit of one byte changed. */
function changed(at: number): string {
  const bytes = Buffer.from(CURSOR, 'base64url');
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes.toString('base64url');
}

it.each(['e0', 'e4711', `e${'9'.repeat(18)}`, 'e'.repeat(24), 'e'.repeat(25), 'e'.repeat(112)])(
  '%s is sealed as what fits into a query, and opened again',
  (text) => {
    const cursor = sealCursor(KEY, OWNER, text);
    expect(cursor).toMatch(/^[A-Za-z0-9_-]{54,255}$/);
    expect(openCursor(KEY, OWNER, cursor)).toBe(text);
  },
);

it('is the same for the same position, and for no other owner or key', () => {
  expect(sealCursor(KEY, OWNER, 'e4711')).toBe(CURSOR);
  expect(sealCursor(KEY, 'another', 'e4711')).not.toBe(CURSOR);
  expect(sealCursor(OTHER, OWNER, 'e4711')).not.toBe(CURSOR);
});

it('shows neither how far two positions are apart nor how many digits they have', () => {
  const cursors = Array.from({ length: 64 }, (_none, i) =>
    sealCursor(KEY, OWNER, `e${10n ** BigInt(i % 18) + BigInt(i)}`),
  );
  expect(new Set(cursors.map(({ length }) => length)).size).toBe(1);
  // The differing bits of neighbors are those of noise: of 320 bits, about half.
  for (const [i, cursor] of cursors.slice(1).entries()) {
    const before = Buffer.from(cursors[i] ?? '', 'base64url');
    const bits = [...Buffer.from(cursor, 'base64url')].map((byte, at) => byte ^ (before[at] ?? 0));
    const differing = bits.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
    expect(differing).toBeGreaterThan(100);
    expect(differing).toBeLessThan(220);
  }
});

it.each([
  ['of another owner', KEY, 'another', CURSOR],
  ['of nobody', KEY, '', CURSOR],
  ['by another key', OTHER, OWNER, CURSOR],
  ...Array.from({ length: 40 }, (_none, at): [string, typeof KEY, string, string] => [
    `with byte ${at} changed`,
    KEY,
    OWNER,
    changed(at),
  ]),
  ['cut', KEY, OWNER, CURSOR.slice(0, -4)],
  ['its tag alone', KEY, OWNER, CURSOR.slice(0, 22)],
  ['longer', KEY, OWNER, `${CURSOR}AAAA`],
  ['padded', KEY, OWNER, `${CURSOR}=`],
  ['with other bits behind its end', KEY, OWNER, `${CURSOR.slice(0, -1)}${CURSOR.endsWith('A') ? 'B' : 'A'}`],
  ['as it was before it was encrypted', KEY, OWNER, Buffer.from('e4711').toString('base64url')],
  ['empty', KEY, OWNER, ''],
  ['of other characters', KEY, OWNER, '\u00ff?!'],
])('%s, a cursor is not opened', (_what, key, owner, cursor) => {
  expect(openCursor(key, owner, cursor)).toBeNull();
});

it('a key has 32 bytes', () => {
  expect(() => cursorKeyOf(Buffer.alloc(31))).toThrow('32 bytes');
});
