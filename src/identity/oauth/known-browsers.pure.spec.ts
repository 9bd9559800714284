import {
  isStillKnown,
  KNOWN_SECONDS,
  type KnownBrowser,
  readBrowsers,
  writeBrowsers,
} from './known-browsers.pure.js';

const id = (digit: number) => `00000000-0000-7000-8000-00000000000${digit}`;
const browserOf = (user: number, signedInAt = 1_795_224_000): KnownBrowser => ({
  userId: id(user),
  browserId: id(9),
  signedInAt,
  mac: `m1.k1.${'a'.repeat(43)}`,
});
const TEXT = `${id(1)}:${id(9)}:1795224000:m1.k1.${'a'.repeat(43)}`;

describe('readBrowsers', () => {
  it('reads what was written', () => {
    expect(writeBrowsers(browserOf(1), [])).toBe(TEXT);
    const text = writeBrowsers(browserOf(1), [browserOf(2), browserOf(3)]);
    expect(readBrowsers(text)).toEqual([browserOf(1), browserOf(2), browserOf(3)]);
  });

  it.each([
    '',
    '|',
    'x',
    TEXT.slice(1),
    `${TEXT}a`,
    TEXT.replace('m1.', 'm2.'),
    TEXT.replace(':1795224000:', ':-1:'),
    TEXT.replace(id(1), id(1).toUpperCase().replace('7', 'A')),
    TEXT.replace(':', ';'),
  ])('ignores %s', (text) => expect(readBrowsers(text)).toEqual([]));

  it('keeps the valid entries beside malformed ones, and no more than four', () => {
    expect(readBrowsers(`x|${TEXT}`)).toEqual([browserOf(1)]);
    expect(readBrowsers(Array.from({ length: 9 }, () => TEXT).join('|'))).toHaveLength(4);
  });
});

describe('writeBrowsers', () => {
  it('puts the user first, once, and forgets those who signed in longest ago', () => {
    const known = [1, 2, 3, 4].map((user) => browserOf(user));
    const users = (text: string) => readBrowsers(text).map(({ userId }) => userId);
    expect(users(writeBrowsers(browserOf(3, 1_800_000_000), known))).toEqual([id(3), id(1), id(2), id(4)]);
    expect(users(writeBrowsers(browserOf(5), known))).toEqual([id(5), id(1), id(2), id(3)]);
  });
});

describe('isStillKnown', () => {
  const signedInAt = 1_795_224_000;
  it.each([
    [0, true],
    [-60, true],
    [KNOWN_SECONDS - 1, true],
    [KNOWN_SECONDS, false],
  ])('%i seconds after the sign-in: %s', (seconds, expected) => {
    expect(isStillKnown({ signedInAt }, signedInAt + seconds)).toBe(expected);
  });
});
