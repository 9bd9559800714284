import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { evmAddressOfPublicKey, toChecksumAddress } from '../../../src/chains/evm/evm-address.pure.js';
import { childKeys } from '../../../src/wallets/child-keys.pure.js';
import type { Plan } from './plan.pure.js';

/** The message never has anything of the key. */
export class KeyError extends Error {}

/** A key with the address that it spends from. */
export interface Signer {
  address: string;
  privateKey: Uint8Array;
}

/** The keys of a plan, each compared with the plan. */
export interface PlanKeys {
  funding: Signer;
  /** In the order of the plan. */
  addresses: Signer[];
}

/**
 * The account that a phrase or an extended private key is of. A key that is below the master key is the account itself.
 * @param secret twelve to 24 English words (BIP39), or `xprv…` (BIP32)
 * @throws KeyError
 */
export function readAccount(secret: string, passphrase: string, accountPath: string): HDKey {
  const text = secret.normalize('NFKD').trim().split(/\s+/).join(' ');
  if (text === '') throw new KeyError('No key was given.');
  const isPhrase = text.includes(' ');
  if (isPhrase && !validateMnemonic(text.toLowerCase(), wordlist))
    throw new KeyError('This is no recovery phrase: 12 to 24 English words with a right checksum (BIP39).');
  try {
    if (isPhrase)
      return HDKey.fromMasterSeed(mnemonicToSeedSync(text.toLowerCase(), passphrase)).derive(accountPath);
    const key = HDKey.fromExtendedKey(text);
    if (!key.privateKey) throw new KeyError('This is a public key, which signs nothing.');
    return key.depth === 0 ? key.derive(accountPath) : key;
  } catch (error) {
    if (error instanceof KeyError) throw error;
    // What the library says could repeat what was typed.
    throw new KeyError(
      'This is neither a recovery phrase nor an extended private key (xprv) without a mistake.',
    );
  }
}

/** Derives every address again. @throws KeyError where one is not that of the plan */
export function keysOf(account: HDKey, plan: Plan): PlanKeys {
  const external = account.deriveChild(0);
  const funding = signerOf(account.deriveChild(1).deriveChild(0));
  const addresses = plan.addresses.map(({ index }) => signerOf(external.deriveChild(index)));
  const wrong = plan.addresses.filter(({ address }, i) => addresses[i]?.address !== address).length;
  if (wrong > 0 || funding.address !== plan.funding.address)
    throw new KeyError(
      wrong === 0
        ? 'The account that pays the fees is not of this key. The plan was changed: nothing is signed.'
        : `${wrong} of ${plan.addresses.length} addresses are not of this key: nothing is signed. ` +
            'Another wallet, passphrase or account path (--account)?',
    );
  return { funding, addresses };
}

function signerOf({ publicKey, privateKey }: HDKey): Signer {
  if (!publicKey || !privateKey) throw new KeyError('The key has no private part.');
  return { address: toChecksumAddress(evmAddressOfPublicKey(publicKey)), privateKey };
}

/** Beyond the highest index of a plan. */
const AHEAD = 500;
const MOST_COMPARED = 10_000;

/** Whether an address is one of the account's that payments have got, or may get soon. */
export function isOfAccount(account: HDKey, plan: Plan, address: string): boolean {
  const { publicKey, chainCode } = account.deriveChild(0);
  if (!publicKey || !chainCode) throw new KeyError('The key has no chain code.');
  const end = Math.max(...plan.addresses.map(({ index }) => index)) + AHEAD;
  const start = Math.max(0, end - MOST_COMPARED);
  const indexes = Array.from({ length: end - start }, (_, i) => start + i);
  return childKeys({ publicKey, chainCode }, indexes).some(
    (child) => child !== null && toChecksumAddress(evmAddressOfPublicKey(child)) === address,
  );
}
