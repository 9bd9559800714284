import { InstructionsError } from './errors.js';

/** A public Ed25519 key: its 32 bytes as base64url, or a JSON Web Key with them (RFC 8037). */
export type PinnedKey = string | { kty: string; crv: string; x: string };

/** `CryptoKey` is a global type in browsers only. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** More would be an attempt to waste CPU time: the gateway has one for each of its keys. */
const MAX_SIGNATURES = 16;

/**
 * Verifies that one of the keys has signed a statement, and returns the statement.
 * @param signatures compact JWS (RFC 7515)
 * @param type the header `typ`, so that a signature of another kind does not count (RFC 8725, section 3.11)
 * @throws InstructionsError
 */
export async function verifyJws(
  signatures: unknown,
  type: string,
  keys: readonly PinnedKey[],
): Promise<Record<string, unknown>> {
  const pinned = new Map<string, string>();
  for (const key of readKeys(keys)) pinned.set(await thumbprint(key), key);
  for (const signature of readSignatures(signatures)) {
    const [header = '', payload = '', mac = '', ...rest] = signature.split('.');
    const { alg, typ, kid, crit } = readJson(header);
    const key = typeof kid === 'string' ? pinned.get(kid) : undefined;
    if (key === undefined) continue;
    if (alg !== 'EdDSA' || typ !== type || crit !== undefined || rest.length > 0)
      throw new InstructionsError('malformed', `the signature is no ${type} with Ed25519`);
    const verifier = await importKey(key);
    const signed = new TextEncoder().encode(`${header}.${payload}`);
    if (!(await crypto.subtle.verify('Ed25519', verifier, decode(mac), signed)))
      throw new InstructionsError('bad_signature', 'the signature does not hold');
    return readJson(payload);
  }
  throw new InstructionsError('unknown_key', 'none of the signatures is by a pinned key');
}

/** Ed25519 in Web Crypto: Node.js 18.4, Firefox 129, Safari 17, Chrome 137. */
async function importKey(x: string): Promise<Key> {
  try {
    return await crypto.subtle.importKey('raw', decode(x), 'Ed25519', false, ['verify']);
  } catch (error) {
    const isMissing = error instanceof Error && error.name === 'NotSupportedError';
    if (!isMissing) throw new TypeError('keys: not an Ed25519 public key', { cause: error });
    throw new InstructionsError('unsupported', 'this JavaScript engine cannot verify Ed25519 signatures');
  }
}

/** RFC 7638: SHA-256 of the required members in lexicographic order. */
async function thumbprint(x: string): Promise<string> {
  const members = new TextEncoder().encode(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', members));
  return btoa(String.fromCharCode(...hash))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '');
}

function readKeys(keys: unknown): string[] {
  if (!Array.isArray(keys) || keys.length === 0)
    throw new TypeError('keys: a list of the public keys that you have pinned');
  return keys.map((key: unknown) => {
    const { kty, crv, x } = typeof key === 'string' ? { kty: 'OKP', crv: 'Ed25519', x: key } : (key as Jwk);
    if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string' || !/^[\w-]{43}$/.test(x))
      throw new TypeError('keys: not an Ed25519 public key (43 characters of base64url, or a JWK)');
    return x;
  });
}

type Jwk = Partial<Record<'kty' | 'crv' | 'x', unknown>>;

function readSignatures(signatures: unknown): string[] {
  const isList = Array.isArray(signatures) && signatures.length > 0 && signatures.length <= MAX_SIGNATURES;
  if (!isList || signatures.some((signature) => typeof signature !== 'string'))
    throw new InstructionsError('malformed', 'there are no signatures');
  return signatures as string[];
}

function readJson(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(decode(part)));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    throw new InstructionsError('malformed', 'a signature is not a compact JWS', { cause: error });
  }
  throw new InstructionsError('malformed', 'a signature is not a compact JWS');
}

/** @throws InstructionsError */
function decode(part: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]+$/.test(part)) throw new InstructionsError('malformed', 'a signature is not a compact JWS');
  try {
    const text = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(text, (character) => character.charCodeAt(0));
  } catch (error) {
    throw new InstructionsError('malformed', 'a signature is not a compact JWS', { cause: error });
  }
}
