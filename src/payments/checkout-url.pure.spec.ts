import type { KeyObject } from 'node:crypto';
import fc from 'fast-check';
import { checkoutKeyOf, checkoutUrl, signCheckout, verifyCheckout } from './checkout-url.pure.js';

// The test vector of specification/checkout.md#signed-links.
const KEY = checkoutKeyOf('test-checkout-signing-key-0001');
const OTHER_KEY = checkoutKeyOf('another-key');
const ID = '550e8400-e29b-41d4-a716-446655440000';
const EXPIRES = 1_773_576_000;
const SIGNATURE = '8bcb8232f77ead3d3e6d8220a4dd4512c5b2bd95683e8add8e9fb12229804e53';

const verify = (
  changes: { keys?: KeyObject[]; id?: string; expires?: unknown; signature?: unknown; now?: number } = {},
) =>
  verifyCheckout(
    changes.keys ?? [KEY],
    changes.id ?? ID,
    'expires' in changes ? changes.expires : String(EXPIRES),
    'signature' in changes ? changes.signature : SIGNATURE,
    changes.now ?? EXPIRES,
  );

describe('checkout links', () => {
  it('have the signature of the test vector', () => {
    expect(signCheckout(KEY, ID, EXPIRES)).toBe(SIGNATURE);
    expect(checkoutUrl('https://pay.example', KEY, ID, EXPIRES)).toBe(
      `https://pay.example/checkout/${ID}?expires=${EXPIRES}&signature=${SIGNATURE}`,
    );
  });

  it('are valid up to and including the last second', () => {
    expect(verify()).toBe('valid');
    expect(verify({ now: EXPIRES + 1 })).toBe('link_expired');
  });

  it('are verified with any listed key and signed with the first', () => {
    expect(verify({ keys: [OTHER_KEY, KEY] })).toBe('valid');
    expect(verify({ keys: [OTHER_KEY] })).toBe('invalid_signature');
    expect(verify({ keys: [] })).toBe('invalid_signature');
  });

  it.each([
    ['another payment', { id: '550e8400-e29b-41d4-a716-446655440001' }],
    ['an upper-case id', { id: ID.toUpperCase() }],
    ['another expiry', { expires: String(EXPIRES + 1) }],
    ['no expiry', { expires: undefined }],
    ['an empty expiry', { expires: '' }],
    ['a zero expiry', { expires: '0' }],
    ['a leading zero', { expires: `0${EXPIRES}` }],
    ['a leading space', { expires: ` ${EXPIRES}` }],
    ['a sign', { expires: `+${EXPIRES}` }],
    ['a float', { expires: `${EXPIRES}.0` }],
    ['an exponent', { expires: '1773576e3' }],
    ['a number', { expires: EXPIRES }],
    ['a repeated expiry', { expires: [String(EXPIRES), String(EXPIRES)] }],
    ['no signature', { signature: undefined }],
    ['an empty signature', { signature: '' }],
    ['an upper-case signature', { signature: SIGNATURE.toUpperCase() }],
    ['a truncated signature', { signature: SIGNATURE.slice(0, -1) }],
    ['a padded signature', { signature: `${SIGNATURE}=` }],
    ['a repeated signature', { signature: [SIGNATURE, SIGNATURE] }],
  ])('are rejected with %s', (_name, changes) => {
    expect(verify(changes)).toBe('invalid_signature');
  });

  it('are rejected after a change of any one character', () => {
    fc.assert(
      fc.property(fc.nat(63), fc.constantFrom(...'0123456789abcdef'.split('')), (at, digit) => {
        const changed = SIGNATURE.slice(0, at) + digit + SIGNATURE.slice(at + 1);
        expect(verify({ signature: changed })).toBe(changed === SIGNATURE ? 'valid' : 'invalid_signature');
      }),
    );
  });
});
