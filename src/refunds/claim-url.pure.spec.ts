import { createHmac } from 'node:crypto';
import { checkoutKeyOf, signCheckout, verifyCheckout } from '../payments/checkout-url.pure.js';
import { claimKeyOf, claimUrl, signClaim, verifyClaim } from './claim-url.pure.js';

const SECRET = 'test-checkout-signing-key-0001';
const CHECKOUT_KEY = checkoutKeyOf(SECRET);
const KEY = claimKeyOf(SECRET);
const ID = '550e8400-e29b-41d4-a716-446655440000';
const EXPIRES = 1_773_576_000;
const signature = signClaim(KEY, ID, EXPIRES);
const query = (changes: Record<string, unknown> = {}) => ({
  expires: String(EXPIRES),
  signature,
  ...changes,
});

describe('a claim link', () => {
  it('is the HMAC of "refund|id|expires" under a key of its own', () => {
    expect(KEY.symmetricKeySize).toBe(32);
    const expected = createHmac('sha256', KEY).update(`refund|${ID}|${EXPIRES}`).digest('hex');
    expect(signature).toBe(expected);
    expect(claimUrl('https://pay.example', KEY, ID, EXPIRES)).toBe(
      `https://pay.example/refund/${ID}?expires=${EXPIRES}&signature=${expected}`,
    );
  });

  it('is valid up to and including its last second', () => {
    expect(verifyClaim([KEY], ID, query(), EXPIRES)).toBe('valid');
    expect(verifyClaim([KEY], ID, query(), EXPIRES + 1)).toBe('link_expired');
  });

  it('stays valid after a key rotation while the old key is configured', () => {
    const fresh = claimKeyOf('another-checkout-signing-key-0002');
    expect(verifyClaim([fresh, KEY], ID, query(), EXPIRES)).toBe('valid');
    expect(verifyClaim([fresh], ID, query(), EXPIRES)).toBe('invalid_signature');
  });

  it('is not accepted as a checkout link, nor a checkout link as a claim link', () => {
    expect(verifyCheckout([CHECKOUT_KEY], ID, String(EXPIRES), signature, EXPIRES)).toBe('invalid_signature');
    const checkout = signCheckout(CHECKOUT_KEY, ID, EXPIRES);
    expect(verifyClaim([KEY], ID, query({ signature: checkout }), EXPIRES)).toBe('invalid_signature');
  });

  it.each([
    ['no signature', query({ signature: undefined })],
    ['an upper-case signature', query({ signature: signature.toUpperCase() })],
    ['a short signature', query({ signature: signature.slice(2) })],
    ['two signatures', query({ signature: [signature, signature] })],
    ['two expiry times', query({ expires: [String(EXPIRES)] })],
    ['an expiry time with a leading zero', query({ expires: `0${EXPIRES}` })],
    ['another expiry time', query({ expires: String(EXPIRES + 1) })],
    ['an expiry time with a plus sign', query({ expires: `+${EXPIRES}` })],
  ])('is refused with %s', (_name, wrong) => {
    expect(verifyClaim([KEY], ID, wrong, EXPIRES)).toBe('invalid_signature');
  });

  it.each(['', ID.toUpperCase(), ID.replace('5', '6'), `${ID} `, '../x'])(
    'is refused for the id "%s"',
    (id) => {
      expect(verifyClaim([KEY], id, query(), EXPIRES)).toBe('invalid_signature');
    },
  );
});
