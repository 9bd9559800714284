import { encodeFields } from './encode-fields.pure.js';

describe('encodeFields', () => {
  it('writes the length in bytes before each text, and 2^32 - 1 for null', () => {
    expect(encodeFields(['é', null, '']).toString('hex')).toBe('00000002c3a9ffffffff00000000');
  });

  it.each<[string, string, string]>([
    ['characters of three bytes', '€€€', '00000009e282ace282ace282ac'],
    ['characters of two units and four bytes', '😀😀', '00000008f09f9880f09f9880'],
    ['half a surrogate pair as U+FFFD', '\ud83d', '00000003efbfbd'],
  ])('has room for %s', (_what, text, hex) => {
    expect(encodeFields([text]).toString('hex')).toBe(hex);
  });

  it.each<[string, (string | null)[], (string | null)[]]>([
    ['a letter that moves to the next field', ['ab', 'c'], ['a', 'bc']],
    ['fields that change places', ['a', 'b'], ['b', 'a']],
    ['an empty text instead of none', [''], [null]],
    ['an empty field at the end', ['a'], ['a', '']],
  ])('encodes %s differently', (_what, one, other) => {
    expect(encodeFields(one).equals(encodeFields(other))).toBe(false);
  });
});
