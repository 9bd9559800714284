import { isAccessToken, isSubject } from './external-token.pure.js';

describe('isAccessToken', () => {
  it.each<[string, object, Record<string, unknown>, boolean]>([
    ['of RFC 9068', { typ: 'at+jwt' }, {}, true],
    ['of RFC 9068 with the long type', { typ: 'application/AT+JWT' }, {}, true],
    ['with the general type', { typ: 'JWT' }, { typ: 'Bearer' }, true],
    ['without a type', {}, {}, true],
    ['with the type of logout tokens', { typ: 'logout+jwt' }, {}, false],
    ['with an empty type', { typ: '' }, {}, false],
    ['with a type that is no text', { typ: ['at+jwt', 'x'] }, {}, false],
    ['that is an ID token with a nonce', { typ: 'JWT' }, { nonce: 'n' }, false],
    ['that is an ID token with the hash of an access token', {}, { at_hash: 'h' }, false],
    ['that is an ID token with the hash of a code', {}, { c_hash: 'h' }, false],
    ['that is an ID token by its own word', { typ: 'JWT' }, { typ: 'ID' }, false],
  ])('of a JWT %s', (_what, header, payload, expected) => {
    expect(isAccessToken(header, payload)).toBe(expected);
  });
});

describe('isSubject', () => {
  it.each([
    ['a name', 'auth0|42', true],
    ['the longest', 'a'.repeat(255), true],
    ['nothing', '', false],
    ['one that is too long', 'a'.repeat(256), false],
    ['other letters than ASCII', 'ä', false],
    ['a line feed', 'a\n', false],
  ])('of %s', (_what, text, expected) => {
    expect(isSubject(text)).toBe(expected);
  });
});
