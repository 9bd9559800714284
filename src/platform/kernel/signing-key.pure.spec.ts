import { createPublicKey, verify } from 'node:crypto';
import { openStatement, signingKeyOf, signStatement } from './signing-key.pure.js';

/** RFC 8037, appendix A.1. */
const SEED = Buffer.from('nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', 'base64url');
const KEY = signingKeyOf(SEED);
const OTHER = signingKeyOf(Buffer.alloc(32, 1));
const TYPE = 'a-statement+jws';
const JWS = signStatement(KEY, TYPE, '{"v":1}');

describe('signingKeyOf', () => {
  it('makes the public key and thumbprint of RFC 8037 from its seed', () => {
    expect(KEY.public).toEqual({
      kty: 'OKP',
      crv: 'Ed25519',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
      alg: 'EdDSA',
      use: 'sig',
    });
  });

  it.each([0, 31, 33])('refuses a seed of %d bytes', (length) => {
    expect(() => signingKeyOf(Buffer.alloc(length))).toThrow('32 bytes');
  });
});

describe('signStatement', () => {
  it('makes a signature that the public key verifies', () => {
    const [header = '', payload, signature = ''] = JWS.split('.');
    const { kid, x } = KEY.public;
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'EdDSA', typ: TYPE, kid });
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const bytes = Buffer.from(`${header}.${payload}`);
    expect(verify(null, bytes, publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
  });
});

/** The last of 86 characters has four bits that belong to none of the 64 bytes. */
function respelled(jws: string): string {
  const [last = ''] = jws.slice(-1);
  const other = { A: 'B', Q: 'R', g: 'h', w: 'x' }[last];
  if (other === undefined) throw new Error(`not the end of a signature: ${last}`);
  return jws.slice(0, -1) + other;
}

describe('openStatement', () => {
  it('returns what was signed', () => {
    expect(openStatement(KEY.public, TYPE, JWS)).toBe('{"v":1}');
  });

  const [header, payload, signature] = JWS.split('.');
  it.each([
    ['of another key', signStatement(OTHER, TYPE, '{"v":1}')],
    ['of another type', signStatement(KEY, 'another+jws', '{"v":1}')],
    ['that was changed', `${header}.${Buffer.from('{"v":2}').toString('base64url')}.${signature}`],
    [
      'with the signature of another key',
      `${header}.${payload}.${signStatement(OTHER, TYPE, '{"v":1}').split('.')[2]}`,
    ],
    ['whose signature is spelled otherwise', respelled(JWS)],
    ['that is cut off', `${header}.${payload}`],
    ['with one part more', `${JWS}.x`],
    ['that is no JWS', ''],
  ])('returns null for a statement %s', (_what, jws) => {
    expect(openStatement(KEY.public, TYPE, jws)).toBeNull();
  });
});
