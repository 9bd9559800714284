import { HARDENED_OFFSET, type HDKey } from '@scure/bip32';
import type { AddressFamily } from '../chains/chain.pure.js';
import { familyOf } from '../chains/chain-families.pure.js';
import { refused } from './key-refusal.pure.js';

/** Where a key comes from (BIP380), as whoever wrote the descriptor says: the key proves its last step only. */
export interface KeyOrigin {
  /** Of the master key (BIP32), in small letters. */
  fingerprint: string;
  /** The steps from the master key to the key, hardened ones with an h. */
  path: string[];
}

/** Purposes whose second step is the coin (BIP 44, 49, 84 and 86). */
const OF_COINS = ['44h', '49h', '84h', '86h'];
/** SLIP-44: all test networks share it. */
const TEST_COIN = '1h';

/**
 * What is known of where an account's key comes from. One of depth 0 or 1 says it all by itself (BIP32): it is the
 * master key, or names it.
 * @param stated what was pasted with the key
 * @throws ExtendedKeyError when the key contradicts it, or it is of another coin
 */
export function originOf(
  node: HDKey,
  stated: KeyOrigin | null,
  family: AddressFamily,
  network: string,
): KeyOrigin | null {
  const own = ownOrigin(node);
  if (!stated) return own;
  if (stated.path.length !== node.depth)
    throw refused('descriptor', 'must be a key whose origin leads to it: they differ in depth');
  if (stated.path.some((step) => !step.endsWith('h')))
    throw refused('account', 'must be an account key: all steps of its origin must be hardened');
  const last = stated.path.at(-1);
  if (last !== undefined && last !== stepOf(node))
    throw refused('descriptor', 'must be a key whose origin leads to it: their last steps differ');
  if (own && own.fingerprint !== stated.fingerprint)
    throw refused('descriptor', 'must be a key whose origin leads to it: they name different master keys');
  checkCoin(stated, family, network);
  return stated;
}

function ownOrigin(node: HDKey): KeyOrigin | null {
  if (node.depth === 0) return { fingerprint: hex(node.fingerprint), path: [] };
  // Some programs leave it out.
  if (node.depth !== 1 || node.parentFingerprint === 0) return null;
  return { fingerprint: hex(node.parentFingerprint), path: [stepOf(node)] };
}

const hex = (fingerprint: number) => fingerprint.toString(16).padStart(8, '0');

const stepOf = ({ index }: HDKey) => `${index - HARDENED_OFFSET}h`;

/** A wallet shows an account of another coin, if at all, as that coin's. */
function checkCoin({ path }: KeyOrigin, family: AddressFamily, network: string): void {
  const [purpose = '', coin = ''] = path;
  if (path.length !== 3 || !OF_COINS.includes(purpose)) return;
  const { coinType, scriptTypes } = familyOf(family).accounts;
  const isTest = scriptTypes !== null && network !== 'mainnet';
  if (coin === `${coinType}h` || (isTest && coin === TEST_COIN)) return;
  const wanted = isTest ? `1' or ${coinType}'` : `${coinType}'`;
  throw refused(
    coin === TEST_COIN ? 'other-network' : 'other-kind',
    `must be the key of an account for ${family}: the coin in its origin (the second step) must be ${wanted}, not ${coin.replace('h', "'")}`,
  );
}
