import { HARDENED_OFFSET } from '@scure/bip32';
import { familyOf } from '../chains/chain-families.pure.js';
import type { ScriptType } from '../chains/chain-family.pure.js';
import type { AddressFamily } from '../chains/chain.pure.js';
import type { KeyOrigin } from './key-origin.pure.js';

/** BIP 44, 49, 84 and 86. */
const PURPOSES: Readonly<Record<ScriptType, number>> = {
  p2pkh: 44,
  'p2sh-p2wpkh': 49,
  p2wpkh: 84,
  p2tr: 86,
};

/** What decides the path of an account's key. */
export interface AccountPlace {
  family: AddressFamily;
  network: string;
  /** Null for families with one type only. */
  scriptType: ScriptType | null;
  /** How many steps below the master key it is (BIP32). */
  depth: number;
  /** The last step to the key, which is hardened (BIP32: the child number that the key carries). */
  childNumber: number;
}

/**
 * The usual path of an account's key, as in `m/84'/0'/0'`. The key carries its last step only; the two steps before it
 * are those of the standards (BIP44, SLIP-44), which a wallet with paths of its own does not follow. Electrum's own
 * wallets have none before it: `m` (standard) or `m/0'` (segwit), so that a key says its whole path.
 */
export function accountPath({ family, network, scriptType, depth, childNumber }: AccountPlace): string {
  if (depth === 0) return 'm';
  if (depth === 1) return `m/${childNumber - HARDENED_OFFSET}'`;
  const { coinType, scriptTypes } = familyOf(family).accounts;
  // SLIP-44: all test networks share the coin type 1. EVM chains and Tron use the same keys everywhere.
  const coin = scriptTypes !== null && network !== 'mainnet' ? 1 : coinType;
  return `m/${PURPOSES[scriptType ?? 'p2pkh']}'/${coin}'/${childNumber - HARDENED_OFFSET}'`;
}

/** The path that a descriptor states, in the same form: `84h/0h/0h` is `m/84'/0'/0'`. */
export function pathOf({ path }: KeyOrigin): string {
  return ['m', ...path.map((step) => step.replace('h', "'"))].join('/');
}

/** The steps of such a path as BIP32 counts them: hardened ones have 2^31 added. */
export function stepsOf(path: string): number[] {
  const [root, ...steps] = path.split('/');
  if (root !== 'm') throw new Error('a path begins with m');
  return steps.map((step) => {
    const [, digits, mark] = /^(0|[1-9]\d{0,9})('?)$/.exec(step) ?? [];
    const index = Number(digits);
    if (digits === undefined || index >= HARDENED_OFFSET) throw new Error(`a path has no step ${step}`);
    return mark ? index + HARDENED_OFFSET : index;
  });
}

/** From the account to the key of an address: the receiving branch (BIP44). */
export const addressPath = (index: number): string => `0/${index}`;

/** From the master key to that of an address. */
export const walletPathOf = (account: string, index: number): string => `${account}/${addressPath(index)}`;
