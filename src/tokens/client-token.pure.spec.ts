import { hashClientToken, isClientToken, newClientToken, shownPrefix } from './client-token.pure.js';

describe('client token', () => {
  // Computed apart from this code: CRC-32 of the first 38 characters, as six base62 digits.
  const known = 'pct_0123456789ABCDEFGHIJKLMNOPQRSTUVWX0c98JO';

  it('has a form that secret scanners recognize', () => {
    const tokens = Array.from({ length: 2_000 }, newClientToken);
    for (const token of tokens) {
      expect(token).toMatch(/^pct_[0-9A-Za-z]{40}$/);
      expect(isClientToken(token)).toBe(true);
    }
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  it('draws every character equally often', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 4_000; i++)
      for (const character of newClientToken().slice(4, 38))
        counts.set(character, (counts.get(character) ?? 0) + 1);
    // Chi-square with 61 degrees of freedom: beyond 130 once in a million fair runs; "byte % 62" gives about 650.
    const expected = (4_000 * 34) / 62;
    const chiSquare = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
    expect(counts.size).toBe(62);
    expect(chiSquare).toBeLessThan(130);
  });

  it.each([
    ['a known good one', known, true],
    ['one character changed', known.replace('5', '6'), false],
    ['two neighbours swapped', known.replace('AB', 'BA'), false],
    ['case changed', known.replace('X', 'x'), false],
    ['checksum changed', `${known.slice(0, -1)}${known.endsWith('0') ? '1' : '0'}`, false],
    ['too short', known.slice(0, -1), false],
    ['too long', `${known}0`, false],
    ['another prefix', known.replace('pct_', 'pat_'), false],
    ['a character outside base62', known.replace('5', '-'), false],
    ['a line break after it', `${known}\n`, false],
    ['a space before it', ` ${known}`, false],
    ['nothing', '', false],
    ['the prefix alone', 'pct_', false],
  ])('%s: %s is %s', (_what, text, expected) => {
    expect(isClientToken(text)).toBe(expected);
  });

  it('is stored as SHA-256 and shown by its first 8 characters', () => {
    expect(hashClientToken('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    expect(shownPrefix(known)).toBe('pct_0123');
  });
});
