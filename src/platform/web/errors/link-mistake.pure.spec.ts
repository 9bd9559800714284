import { CHECKOUT_LINK, CLAIM_LINK, describeExpiredLink, describeLinkMistake } from './link-mistake.pure.js';

const ID = '550e8400-e29b-41d4-a716-446655440000';
const SIGNATURE = '8bcb8232f77ead3d3e6d8220a4dd4512c5b2bd95683e8add8e9fb12229804e53';
const EXPIRES = '1773576000';
const RIGHT = { expires: EXPIRES, signature: SIGNATURE };

const describeIt = (query: Record<string, unknown>, { id = ID, hasToken = false } = {}) =>
  describeLinkMistake({ id, query, hasToken }, CHECKOUT_LINK);

describe('describeLinkMistake', () => {
  it.each<[what: string, query: Record<string, unknown>, says: string]>([
    ['escaped for HTML', { expires: EXPIRES, 'amp;signature': SIGNATURE }, '&amp; must be &'],
    [
      'encoded as a whole',
      { [`expires=${EXPIRES}&signature=${SIGNATURE}`]: '' },
      'percent-encoded as a whole',
    ],
    ['encoded three times', { [`expires%3D${EXPIRES}`]: '' }, 'percent-encoded as a whole'],
    ['without a query', {}, 'expires and signature are missing'],
    ['without a signature', { expires: EXPIRES }, 'put it in quotes'],
    ['with an empty signature', { ...RIGHT, signature: '' }, 'signature is missing'],
    ['without expires', { signature: SIGNATURE }, 'expires is missing'],
    ['with expires twice', { ...RIGHT, expires: [EXPIRES, EXPIRES] }, 'appears twice'],
    ['with the signature twice', { ...RIGHT, signature: [SIGNATURE, SIGNATURE] }, 'appears twice'],
    ['in milliseconds', { ...RIGHT, expires: `${EXPIRES}000` }, 'milliseconds'],
    ['with a date', { ...RIGHT, expires: '2026-03-15' }, 'in digits'],
    ['cut off', { ...RIGHT, signature: SIGNATURE.slice(0, 40) }, '40 of 64 characters'],
    ['with a bracket behind it', { ...RIGHT, signature: `${SIGNATURE}>` }, 'Something follows the signature'],
    ['with a signature of other letters', { ...RIGHT, signature: 'xyz' }, 'other than 0-9 and a-f'],
    ['too long', { ...RIGHT, signature: `${SIGNATURE}00` }, '66 characters in place of 64'],
    ['in capitals', { ...RIGHT, signature: SIGNATURE.toUpperCase() }, 'in capitals'],
    ['of the right form', RIGHT, 'does not belong to this id and this expires'],
  ])('describes a link %s', (_what, query, says) => {
    expect(describeIt(query)).toContain(says);
    expect(describeIt(query)).toMatch(/checkoutUrl exactly as the API returned it(, with its query)?\.$/);
  });

  it('explains that links need no token when a token is sent', () => {
    expect(describeIt({}, { hasToken: true })).toBe(
      'This endpoint takes no token but the expires and signature of checkoutUrl; with a token use GET /api/payment/{paymentId}.',
    );
    expect(describeIt(RIGHT, { hasToken: true })).toBe(describeIt(RIGHT));
  });

  it('recognizes an id in upper case', () =>
    expect(describeIt(RIGHT, { id: ID.toUpperCase() })).toContain('The id in the path is in capitals'));

  it('names the field of a claim', () => {
    const link = { id: ID, query: RIGHT, hasToken: false };
    expect(describeLinkMistake(link, CLAIM_LINK)).toContain('Use claimUrl exactly');
  });

  it('never repeats the request', () => {
    const sent = '<script>secret</script>';
    for (const query of [{ [sent]: sent }, { expires: sent, signature: sent }, { [`expires=${sent}`]: sent }])
      expect(describeIt(query, { id: sent })).not.toContain('secret');
  });
});

test('describeExpiredLink says when the link ended', () =>
  expect(describeExpiredLink(EXPIRES, 'Create another.')).toBe(
    'The link ended at 2026-03-15T12:00:00Z. Create another.',
  ));
