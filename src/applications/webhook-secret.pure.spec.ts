import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { decodedSecret, isMalformedSecret } from './webhook-secret.pure.js';

const GOOD = `whsec_${randomBytes(32).toString('base64')}`;

describe('isMalformedSecret', () => {
  it.each([
    ['text', 'your_webhook_secret'],
    ['text that is base64', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    ['another case', 'WHSEC_not base64'],
    ['the prefix inside', 'my whsec_ secret'],
    ['the prefix without its underscore', 'whsec'],
    ['32 random bytes', GOOD],
    ['one byte', 'whsec_YQ=='],
    ['two bytes', 'whsec_YWI='],
    ['+ and /', 'whsec_+/+/'],
  ])('accepts %s', (_what, secret) => {
    expect(isMalformedSecret(secret)).toBe(false);
  });

  it.each([
    ['nothing', 'whsec_'],
    ['words', 'whsec_of-enough-length-for-us'],
    ['no padding', 'whsec_YQ'],
    ['half of the padding', 'whsec_YQ='],
    ['padding alone', 'whsec_===='],
    ['base64url', 'whsec_-_-_'],
    ['a space', 'whsec_YWJj YWJj'],
    ['a trailing newline', 'whsec_YWJj\n'],
    ['hexadecimal of an odd length', `whsec_${'ab'.repeat(15)}c`],
    ['the prefix twice', `whsec_${GOOD}`],
  ])('rejects the prefix followed by %s', (_what, secret) => {
    expect(isMalformedSecret(secret)).toBe(true);
    expect(decodedSecret(secret)).toBeNull();
  });

  it('rejects base64 with trailing bits, which stored secrets still sign with', () => {
    expect(isMalformedSecret('whsec_YR==')).toBe(true);
    expect(decodedSecret('whsec_YR==')).toEqual(Buffer.from('a'));
  });

  it('accepts what the constructor of the official verifier accepts', () => {
    expect(() => new Webhook(GOOD)).not.toThrow();
    expect(() => new Webhook('whsec_of-enough-length-for-us')).toThrow();
  });
});

describe('decodedSecret', () => {
  it('returns the bytes, and null for plain text', () => {
    expect(decodedSecret('whsec_YWI=')).toEqual(Buffer.from('ab'));
    expect(decodedSecret('your_webhook_secret')).toBeNull();
  });
});
