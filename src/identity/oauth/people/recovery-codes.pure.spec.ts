import { newRecoveryCodes, readTypedCode, recoveryCodeHash, type TypedCode } from './recovery-codes.pure.js';

describe('a set of recovery codes', () => {
  it('has ten different codes that are easy to read', () => {
    const sets = Array.from({ length: 20 }, newRecoveryCodes);
    for (const codes of sets) {
      expect(codes).toHaveLength(10);
      for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){5}$/);
    }
    expect(new Set(sets.flat()).size).toBe(200);
  });

  it('is parsed as it was printed', () => {
    for (const code of newRecoveryCodes())
      expect(readTypedCode(code)).toEqual({ kind: 'recovery', code: code.replaceAll('-', '') });
  });
});

it.each<[string, TypedCode | null]>([
  ['123456', { kind: 'totp', code: '123456' }],
  [' 123 456\n', { kind: 'totp', code: '123456' }],
  ['000000', { kind: 'totp', code: '000000' }],
  ['12345', null],
  ['1234567', null],
  ['１２３４５６', null],
  ['0123-4567-89AB-CDEF-GHJK-MNPQ', { kind: 'recovery', code: '0123456789ABCDEFGHJKMNPQ' }],
  ['0123-4567-89AB-CDEF-GHJK-MNP', null],
  ['0123-4567-89AB-CDEF-GHJK-MNPQ-R', null],
  ['0123-4567-89AB-CDEF-GHJK', null],
  ['0123-4567-89AB-CDEF', { kind: 'recovery', code: '0123456789ABCDEF' }],
  ['0123456789abcdef', { kind: 'recovery', code: '0123456789ABCDEF' }],
  ['o123 4567 89ab cdel', { kind: 'recovery', code: '0123456789ABCDE1' }],
  ['I123-4567-89AB-CDEF', { kind: 'recovery', code: '1123456789ABCDEF' }],
  ['U123-4567-89AB-CDEF', null],
  ['0123-4567-89AB-CDE', null],
  ['0123-4567-89AB-CDEF-0', null],
  ['', null],
  ['-', null],
  ['\0', null],
  ['ſ123456789ABCDEF', { kind: 'recovery', code: 'S123456789ABCDEF' }],
])('the recovery code %j is read as %j', (text, expected) => {
  expect(readTypedCode(text)).toEqual(expected);
});

it('the stored hash of a recovery code is valid for one user only', () => {
  const [mine, theirs] = [recoveryCodeHash('a', '0123'), recoveryCodeHash('b', '0123')];
  expect(mine).toHaveLength(32);
  expect(mine.equals(theirs)).toBe(false);
  expect(mine.equals(recoveryCodeHash('a', '0123'))).toBe(true);
});
