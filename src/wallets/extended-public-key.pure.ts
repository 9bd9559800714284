import { createBase58check } from '@scure/base';
import { HARDENED_OFFSET, HDKey } from '@scure/bip32';
import type { AddressFamily } from '../chains/chain.pure.js';
import { familyOf } from '../chains/chain-families.pure.js';
import type { ScriptType } from '../chains/chain-family.pure.js';
import { sha256 } from '../platform/security/hmac.pure.js';
import { PRIVATE_KEY, secretProblem } from './pasted-secret.pure.js';

/** Why a text is refused, as the rest of a sentence about its field. Never holds any of the text. */
export class ExtendedKeyError extends Error {}

/** An account's public branch: every address of the account can be made of it, and nothing spent. */
export interface ExtendedPublicKey {
  /** What is kept. A merchant's whole income can be read with it: sealed at rest, never logged. */
  text: string;
  /** Which outputs are made of its keys; null where a family has one kind only. */
  scriptType: ScriptType | null;
  /** `xpub6C...9f2A` */
  masked: string;
  /** First 4 bytes of the key's hash160 as hex (BIP32), as wallets show it. */
  fingerprint: string;
  /**
   * SHA-256 of public key and chain code, and of family and script type where those make other addresses of the
   * same key: equal for whatever would hand out the same address twice.
   */
  keyHash: Buffer;
  node: HDKey;
}

const base58check = createBase58check(sha256);
/** Version bytes (BIP32, SLIP-132) of public keys that people confuse with an xpub. */
export const XPUB = 0x0488b21e;
const OTHER_PREFIXES = new Map([
  [0x049d7cb2, 'ypub'],
  [0x04b24746, 'zpub'],
  [0x0295b43f, 'Ypub'],
  [0x02aa7ed3, 'Zpub'],
]);
const TEST_NETWORK_PREFIXES = new Map([
  [0x043587cf, 'tpub'],
  [0x044a5262, 'upub'],
  [0x045f1cf6, 'vpub'],
]);
/** BIP44: m / purpose' / coin' / account' */
const ACCOUNT_DEPTH = 3;

/** What people paste instead: an address of either. */
const ADDRESS = /^(?:0x[0-9a-f]{40}|T[1-9A-HJ-NP-Za-km-z]{33})$/i;

/**
 * Reads the account key of an EVM wallet, m/44'/60'/0', or of a Tron wallet, m/44'/195'/0'. Only `xpub` will do:
 * neither has version bytes of its own, so test networks use the very same keys, and a tpub comes from a wallet set
 * to Bitcoin's test network, whose addresses the merchant's wallet would never show.
 * @throws ExtendedKeyError
 */
export function parseExtendedPublicKey(input: string, family: AddressFamily): ExtendedPublicKey {
  const text = input.trim();
  const secret = secretProblem(text);
  if (secret) throw new ExtendedKeyError(secret);
  if (ADDRESS.test(text)) throw refused('must be an extended public key (xpub), not an address');
  if (!/^[1-9A-HJ-NP-Za-km-z]{100,120}$/.test(text)) {
    throw refused('must be an extended public key (xpub) and nothing else: no path, brackets or spaces');
  }
  const bytes = decodeExtendedKey(text);
  checkPrefix(bytes.readUInt32BE(0));
  const { coinType, keyHashSuffix } = familyOf(family).accounts;
  checkAccount(bytes, `m/44'/${coinType}'/0'`);
  const node = toAccountNode(bytes);
  return {
    text,
    scriptType: null,
    masked: maskKey(text),
    fingerprint: fingerprintOf(node),
    keyHash: sha256(Buffer.concat([keyMaterial(bytes), Buffer.from(keyHashSuffix)])),
    node,
  };
}

/** `xpub6C...9f2A` */
export function maskKey(text: string): string {
  return `${text.slice(0, 6)}...${text.slice(-4)}`;
}

export function fingerprintOf(node: HDKey): string {
  return node.fingerprint.toString(16).padStart(8, '0');
}

/** Public key and chain code, which are the same under any prefix. @param bytes 78, as BIP32 lays them out */
export function keyMaterial(bytes: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(45), bytes.subarray(13, 45)]);
}

/** The 78 bytes of an extended public key of any prefix (BIP32). @throws ExtendedKeyError */
export function decodeExtendedKey(text: string): Buffer {
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(text);
  } catch {
    throw refused('is mistyped or incomplete: its checksum does not match');
  }
  if (bytes.length !== 78) throw refused('must be an extended public key (xpub)');
  // 0x00 where a public key has 0x02 or 0x03: a private key, whatever its prefix says.
  if (bytes[45] === 0) throw refused(PRIVATE_KEY);
  return Buffer.from(bytes);
}

function checkPrefix(version: number): void {
  if (version === XPUB) return;
  const bitcoin = OTHER_PREFIXES.get(version);
  if (bitcoin) throw refused(`must be an xpub: a ${bitcoin} is for Bitcoin addresses`);
  const test = TEST_NETWORK_PREFIXES.get(version);
  if (test) throw refused(`must be an xpub of the main network: a ${test} is for Bitcoin's test network`);
  throw refused('must be an xpub: its prefix is of another network');
}

/**
 * An account key and no other: depth 3, its last step hardened.
 * @param path of the family's usual account, for the message
 * @throws ExtendedKeyError
 */
export function checkAccount(bytes: Buffer, path: string): void {
  const depth = bytes[4] ?? 0;
  if (depth !== ACCOUNT_DEPTH) {
    const which = depth === 0 ? "the wallet's master key" : `a key of depth ${depth}`;
    throw refused(`must be an account key (depth 3, ${path}), not ${which}`);
  }
  // Below a hardened step a leaked child key gives away this account only, never its siblings (BIP32, Security).
  if (bytes.readUInt32BE(9) < HARDENED_OFFSET) {
    throw refused(`must be an account key whose last step is hardened (${path})`);
  }
}

/** The key behind any prefix. @throws ExtendedKeyError */
export function toAccountNode(bytes: Buffer): HDKey {
  try {
    return HDKey.fromExtendedKey(encodeExtendedKey(bytes, XPUB));
  } catch {
    throw refused('does not hold a valid public key: its point is not on the curve');
  }
}

/** The same key under another prefix. @param version BIP32, SLIP-132 */
export function encodeExtendedKey(bytes: Buffer, version: number): string {
  const copy = Buffer.from(bytes);
  copy.writeUInt32BE(version);
  return base58check.encode(copy);
}

export function refused(reason: string): ExtendedKeyError {
  return new ExtendedKeyError(reason);
}
