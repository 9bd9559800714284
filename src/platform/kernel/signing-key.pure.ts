import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { sha256 } from './hmac.pure.js';

/** A public key (RFC 7517, RFC 8037). */
export interface PublicSigningKey {
  kty: 'OKP';
  crv: 'Ed25519';
  /** The 32 bytes of the key, base64url. */
  x: string;
  /** Its thumbprint (RFC 7638). */
  kid: string;
  alg: 'EdDSA';
  use: 'sig';
}

export interface SigningKey {
  privateKey: KeyObject;
  public: PublicSigningKey;
}

/** DER of a private Ed25519 key up to its 32 bytes (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** @param seed the 32 bytes of the private key (RFC 8032, section 5.1.5) */
export function signingKeyOf(seed: Buffer): SigningKey {
  if (seed.length !== 32) throw new Error('an Ed25519 seed has 32 bytes');
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  if (x === undefined) throw new Error('an Ed25519 key without its public half');
  return { privateKey, public: publicSigningKeyOf(x) };
}

/** @param x the 32 bytes of the key, base64url */
export function publicSigningKeyOf(x: string): PublicSigningKey {
  // RFC 7638: the required members in lexicographic order.
  const kid = sha256(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x })).toString('base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' };
}

/**
 * A compact JWS (RFC 7515, section 7.1). Ed25519 is deterministic: the same statement has the same signature.
 * @param type `typ`, so that a statement of one kind cannot pass for one of another (RFC 8725, section 3.11)
 */
export function signStatement(key: SigningKey, type: string, statement: string): string {
  const input = `${headerOf(key.public, type)}.${base64url(statement)}`;
  return `${input}.${sign(null, Buffer.from(input), key.privateKey).toString('base64url')}`;
}

/** The statement of a JWS that {@link signStatement} made with this key and type; null for anything else. */
export function openStatement(key: PublicSigningKey, type: string, jws: string): string | null {
  const [header, payload = '', signature = '', ...more] = jws.split('.');
  // Only one spelling of the header exists, so it is compared and not read.
  if (header !== headerOf(key, type) || more.length > 0) return null;
  const { kty, crv, x } = key;
  const publicKey = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
  const bytes = Buffer.from(`${header}.${payload}`);
  const signed = Buffer.from(signature, 'base64url');
  // The last character has bits that are not read: only one spelling of them is accepted.
  if (signed.toString('base64url') !== signature || !verify(null, bytes, publicKey, signed)) return null;
  return Buffer.from(payload, 'base64url').toString('utf8');
}

function headerOf({ kid }: PublicSigningKey, type: string): string {
  return base64url(JSON.stringify({ alg: 'EdDSA', typ: type, kid }));
}

function base64url(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url');
}
