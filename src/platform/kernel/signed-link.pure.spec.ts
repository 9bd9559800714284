import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { type LinkVerdict, verifySignedLink, withoutSignatures } from './signed-link.pure.js';

// The test vector of specification/checkout.md#signed-links.
const KEY = createSecretKey('test-checkout-signing-key-0001', 'utf8');
const OTHER_KEY = createSecretKey('another-key', 'utf8');
const ID = '550e8400-e29b-41d4-a716-446655440000';
const EXPIRES = '1773576000';
const SIGNATURE = '8bcb8232f77ead3d3e6d8220a4dd4512c5b2bd95683e8add8e9fb12229804e53';
const NOW = 1_773_576_000;

interface Link {
  keys?: KeyObject[];
  prefix?: string;
  id?: string;
  expires?: unknown;
  signature?: unknown;
  now?: number;
}

function verify(link: Link): LinkVerdict {
  const { keys, prefix, id, now, ...query } = {
    keys: [KEY],
    prefix: '',
    id: ID,
    expires: EXPIRES,
    signature: SIGNATURE,
    now: NOW,
    ...link,
  };
  return verifySignedLink(keys, prefix, id, query, now);
}

/** A link that is signed as it stands, so that nothing but its form is wrong. */
function signed({
  prefix = '',
  id = ID,
  expires = EXPIRES,
}: Partial<Record<'prefix' | 'id' | 'expires', string>>) {
  const signature = createHmac('sha256', KEY).update(`${prefix}${id}|${expires}`).digest('hex');
  return { prefix, id, expires, signature };
}

describe('verifySignedLink', () => {
  it.each<[what: string, link: Link, verdict: LinkVerdict]>([
    ['in its last second', {}, 'valid'],
    ['long before its end', { now: 1 }, 'valid'],
    ['a second after its end', { now: NOW + 1 }, 'link_expired'],
    ['signed by the newest of two keys', { keys: [KEY, OTHER_KEY] }, 'valid'],
    ['signed by the oldest of two keys', { keys: [OTHER_KEY, KEY] }, 'valid'],
    ['signed by the oldest key, after its end', { keys: [OTHER_KEY, KEY], now: NOW + 1 }, 'link_expired'],
    ['signed by a key that was removed', { keys: [OTHER_KEY] }, 'invalid_signature'],
    ['on a gateway without keys', { keys: [] }, 'invalid_signature'],
    ['of its own prefix', signed({ prefix: 'refund|' }), 'valid'],
    ['of another prefix', { ...signed({ prefix: 'refund|' }), prefix: '' }, 'invalid_signature'],
    ['read under a prefix that it was not signed with', { prefix: 'refund|' }, 'invalid_signature'],
    ['of ten digits', signed({ expires: '1000000000' }), 'link_expired'],
    ['of eleven digits', signed({ expires: '99999999999' }), 'valid'],
  ])('a link %s', (_what, link, verdict) => expect(verify(link)).toBe(verdict));

  it.each<[what: string, link: Link]>([
    ['another id', { id: ID.replace('5', '6') }],
    ['another expiry', { expires: '1773576001' }],
    ['one digit of the signature changed', { signature: SIGNATURE.replace('8', '9') }],
    ['no expiry', { expires: undefined }],
    ['no signature', { signature: undefined }],
    ['an expiry of null', { expires: null }],
    ['a signature of null', { signature: null }],
    ['a number as its expiry', { expires: NOW }],
    ['a repeated expiry', { expires: [EXPIRES] }],
    ['a repeated signature', { signature: [SIGNATURE, SIGNATURE] }],
    ['a nested expiry', { expires: { toString: () => EXPIRES } }],
    ['a nested signature', { signature: { toString: () => SIGNATURE } }],
    ['an empty signature', { signature: '' }],
    ['an upper-case signature', { signature: SIGNATURE.toUpperCase() }],
    ['a signature that is cut off', { signature: SIGNATURE.slice(0, -2) }],
    ['a longer signature', { signature: `${SIGNATURE}00` }],
    ['a signature and a line feed', { signature: `${SIGNATURE}\n` }],
    ['a signature in base64', { signature: Buffer.from(SIGNATURE, 'hex').toString('base64') }],
  ])('a link with %s has an invalid signature', (_what, link) => {
    expect(verify(link)).toBe('invalid_signature');
    // Also afterwards: whether it expired is not revealed to those who cannot sign.
    expect(verify({ ...link, now: NOW * 2 })).toBe('invalid_signature');
  });

  it.each([
    ['an empty id', signed({ id: '' })],
    ['an upper-case id', signed({ id: ID.toUpperCase() })],
    ['an id without hyphens', signed({ id: ID.replaceAll('-', '') })],
    ['an id in braces', signed({ id: `{${ID}}` })],
    ['an id and a line feed', signed({ id: `${ID}\n` })],
    ['an id that contains the expiry of another link', signed({ id: `${ID}|${EXPIRES}` })],
    ['an empty expiry', signed({ expires: '' })],
    ['an expiry of zero', signed({ expires: '0' })],
    ['an expiry of nine digits', signed({ expires: '999999999' })],
    ['an expiry of twelve digits', signed({ expires: '100000000000' })],
    ['an expiry with a leading zero', signed({ expires: `0${EXPIRES}` })],
    ['an expiry with a plus sign', signed({ expires: `+${EXPIRES}` })],
    ['an expiry with a minus sign', signed({ expires: `-${EXPIRES}` })],
    ['an expiry with a fraction', signed({ expires: `${EXPIRES}.0` })],
    ['an expiry with an exponent', signed({ expires: '1773576e3' })],
    ['an expiry in hexadecimal', signed({ expires: '0x69b6a1c0' })],
    ['an expiry with a space', signed({ expires: ` ${EXPIRES}` })],
    ['an expiry and a line feed', signed({ expires: `${EXPIRES}\n` })],
    ['other digits than ASCII', signed({ expires: '١٧٧٣٥٧٦٠٠٠' })],
  ])('a link with %s has an invalid signature, although its key signed it', (_what, link) =>
    expect(verify(link)).toBe('invalid_signature'),
  );
});

describe('withoutSignatures', () => {
  const link = (page: string) =>
    `https://pay.example/${page}/${ID}?expires=${EXPIRES}&signature=${SIGNATURE}`;
  const cut = (page: string) => `https://pay.example/${page}/${ID}`;

  it.each([
    ['a checkout', link('checkout'), cut('checkout')],
    ['a refund', link('refund'), cut('refund')],
    ['a receipt, which only shows', link('receipt'), link('receipt')],
    [
      'a webhook in JSON',
      JSON.stringify({ a: JSON.stringify({ b: link('checkout') }) }),
      JSON.stringify({ a: JSON.stringify({ b: cut('checkout') }) }),
    ],
    ['two links', `${link('checkout')} ${link('refund')}`, `${cut('checkout')} ${cut('refund')}`],
    [
      'a page of the merchant',
      'https://shop.example/checkout/1?signature=ab',
      'https://shop.example/checkout/1?signature=ab',
    ],
  ])('of %s', (_kind, text, expected) => expect(withoutSignatures(text)).toBe(expected));
});
