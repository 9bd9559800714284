import { isRecent, needsNewSignIn, reaches } from './sign-in-level.pure.js';

const NOW = 1_768_472_400;

describe('reaches', () => {
  it.each<[string | null | undefined, string, boolean]>([
    ['mfa', 'mfa', true],
    ['mfa', 'pwd', true],
    ['pwd', 'pwd', true],
    ['pwd', 'mfa', false],
    [null, 'pwd', false],
    [undefined, 'mfa', false],
    ['', 'pwd', false],
    ['MFA', 'mfa', false],
  ])('of %p for %s is %p', (acr, wanted, expected) => expect(reaches(acr, wanted)).toBe(expected));
});

describe('isRecent', () => {
  it.each<[string, number | null, boolean]>([
    ['now', NOW, true],
    ['exactly five minutes ago', NOW - 300, true],
    ['a second earlier', NOW - 301, false],
    ['by a clock that is a minute ahead', NOW + 60, true],
    ['by a clock that is further ahead', NOW + 61, false],
    ['at a time that the token does not say', null, false],
  ])('of a sign-in %s', (_when, authTime, expected) =>
    expect(isRecent({ authTime, acr: 'pwd' }, NOW)).toBe(expected),
  );
});

describe('needsNewSignIn', () => {
  it.each<[string, string | undefined, number | undefined, string | null, number | null, boolean]>([
    ['nothing requested', undefined, undefined, 'pwd', NOW - 9_999, false],
    [
      'nothing requested, of a session from before there were levels',
      undefined,
      undefined,
      null,
      null,
      false,
    ],
    ['the level of the session', 'pwd', undefined, 'pwd', NOW, false],
    ['a lower level', 'pwd', undefined, 'mfa', NOW, false],
    ['a higher level', 'mfa', undefined, 'pwd', NOW, true],
    ['either level', 'mfa pwd', undefined, 'pwd', NOW, false],
    ['a level of a session from before there were levels', 'pwd', undefined, null, NOW, true],
    ['a level that does not exist', 'urn:gold', undefined, 'pwd', NOW, false],
    ['no level', '', undefined, 'pwd', NOW, false],
    ['an age that the session has exactly', undefined, 300, 'pwd', NOW - 300, false],
    ['an age that the session exceeds by a second', undefined, 300, 'pwd', NOW - 301, true],
    ['the age zero, which always means a new sign-in', undefined, 0, 'pwd', NOW, true],
    ['an age of a session without a time', undefined, 300, 'pwd', null, true],
    ['a good age and a higher level', 'mfa', 300, 'pwd', NOW, true],
  ])('with %s', (_what, acrValues, maxAge, acr, authTime, expected) =>
    expect(needsNewSignIn({ acrValues, maxAge }, { authTime, acr }, NOW)).toBe(expected),
  );
});
