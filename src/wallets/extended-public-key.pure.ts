import { createBase58check } from '@scure/base';
import { HARDENED_OFFSET, HDKey } from '@scure/bip32';
import type { AddressFamily } from '../chains/chain.pure.js';
import { familyOf } from '../chains/chain-families.pure.js';
import { sha256 } from '../platform/kernel/hmac.pure.js';
import { originOf } from './key-origin.pure.js';
import { ForeignPrefixError, refused } from './key-refusal.pure.js';
import { writeKeyExpression } from './output-descriptor.pure.js';
import { pastedAccounts } from './pasted-account.pure.js';
import { PRIVATE_KEY } from './pasted-secret.pure.js';
import type { WalletSource } from './wallet-source.pure.js';

export { ExtendedKeyError, type KeyRefusal } from './key-refusal.pure.js';

/** The public key of an account: it derives every address of the account, and cannot spend. */
export interface ExtendedPublicKey extends WalletSource {
  /** The key as its wallet writes it, behind its origin if it was pasted with that, and nothing that stood around it. */
  expression: string;
  node: HDKey;
}

const base58check = createBase58check(sha256);
/** Version bytes (BIP32, SLIP-132) of `xpub`, and of public keys that are confused with it. */
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
export const ACCOUNT_DEPTH = 3;

/**
 * Parses the account key of an EVM wallet, m/44'/60'/0', or of a Tron wallet, m/44'/195'/0'. Only `xpub` is accepted:
 * neither family has version bytes of its own, so test networks use the same keys, and a tpub belongs to a wallet on
 * Bitcoin's test network, where the merchant would not find the addresses.
 * @throws ExtendedKeyError
 */
export function parseExtendedPublicKey(input: string, family: AddressFamily): ExtendedPublicKey {
  const [pasted] = pastedAccounts(input);
  if (!pasted) throw new Error('a text without an account passed its checks');
  if (pasted.scriptType !== null)
    throw refused(
      'other-kind',
      'must be an xpub: descriptors and such exports are for Bitcoin and its relatives',
    );
  const bytes = decodeExtendedKey(pasted.key);
  checkPrefix(bytes.readUInt32BE(0));
  const { coinType, keyHashSuffix } = familyOf(family).accounts;
  checkAccount(bytes, `m/44'/${coinType}'/0'`);
  const node = toAccountNode(bytes);
  const text = writeKeyExpression(pasted);
  return {
    text,
    scriptType: null,
    masked: maskKey(pasted.key),
    expression: text,
    fingerprint: fingerprintOf(node),
    origin: originOf(node, pasted.origin, family, 'mainnet'),
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

/** Decodes an extended public key of any prefix into its 78 bytes (BIP32). @throws ExtendedKeyError */
export function decodeExtendedKey(text: string): Buffer {
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(text);
  } catch {
    throw refused('typo', 'is mistyped or incomplete: its checksum does not match');
  }
  if (bytes.length !== 78) throw refused('form', 'must be an extended public key (xpub)');
  // A public key starts with 0x02 or 0x03. 0x00 is a private key, whatever the prefix.
  if (bytes[45] === 0) throw refused('secret', PRIVATE_KEY);
  return Buffer.from(bytes);
}

function checkPrefix(version: number): void {
  if (version === XPUB) return;
  const bitcoin = OTHER_PREFIXES.get(version);
  if (bitcoin)
    throw new ForeignPrefixError('other-kind', `must be an xpub: a ${bitcoin} is for Bitcoin addresses`);
  const test = TEST_NETWORK_PREFIXES.get(version);
  if (test)
    throw new ForeignPrefixError(
      'other-kind',
      `must be an xpub of the main network: a ${test} is for Bitcoin's test network`,
    );
  throw new ForeignPrefixError('other-kind', 'must be an xpub: its prefix is of another network');
}

/**
 * Refuses all keys but account keys: depth 3, with a hardened last step.
 * @param path of the family's first account, for the message
 * @param others depths at which wallet programs of the family keep their account, too
 * @throws ExtendedKeyError
 */
export function checkAccount(bytes: Buffer, path: string, others: readonly number[] = []): void {
  const depth = bytes[4] ?? 0;
  if (depth !== ACCOUNT_DEPTH && !others.includes(depth)) {
    const which = depth === 0 ? "the wallet's master key" : `a key of depth ${depth}`;
    const electrum = others.length > 0 ? "; Electrum's are m and m/0'" : '';
    throw refused('account', `must be an account key (depth 3, ${path}${electrum}), not ${which}`);
  }
  if (depth === 0) {
    if (bytes.subarray(5, 13).every((byte) => byte === 0)) return;
    throw refused(
      'account',
      'must be a whole key: it says that it is a master key, and that it has a parent',
    );
  }
  // After a hardened step, a leaked child key compromises this account only, not its siblings (BIP32, Security).
  if (bytes.readUInt32BE(9) < HARDENED_OFFSET) {
    throw refused('account', `must be an account key whose last step is hardened (${path})`);
  }
}

/** Returns the key, whatever its prefix. @throws ExtendedKeyError */
export function toAccountNode(bytes: Buffer): HDKey {
  try {
    return HDKey.fromExtendedKey(encodeExtendedKey(bytes, XPUB));
  } catch {
    throw refused('typo', 'does not hold a valid public key: its point is not on the curve');
  }
}

/** Encodes a key with another prefix. @param version BIP32, SLIP-132 */
export function encodeExtendedKey(bytes: Buffer, version: number): string {
  const copy = Buffer.from(bytes);
  copy.writeUInt32BE(version);
  return base58check.encode(copy);
}
