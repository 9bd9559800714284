import { HDKey } from '@scure/bip32';
import { utxoAddress } from '../../src/chains/utxo/utxo-address.pure.js';
import type { ScriptType } from '../../src/chains/chain-family.pure.js';
import type { UtxoFamily } from '../../src/chains/utxo/utxo-network.pure.js';

/** Versions of test networks' keys whose addresses are witness key hashes (SLIP-0132). */
const VPUB = { private: 0x045f18bc, public: 0x045f1cf6 };
/** More than any test asks for. */
const ADDRESSES = 10_000;

/** A merchant's account in regtest (BIP84). @param seed 32 bytes */
export function bitcoinAccount(seed: Buffer): HDKey {
  return HDKey.fromMasterSeed(seed, VPUB).derive("m/84'/1'/0'");
}

/** The script of a shown address, found in the account: what a wallet would pay to. */
export function scriptOf(
  account: HDKey,
  address: string,
  family: UtxoFamily = 'bitcoin',
  scriptType: ScriptType = 'p2wpkh',
): Buffer {
  const branch = account.deriveChild(0);
  for (let i = 0; i < ADDRESSES; i++) {
    const { publicKey } = branch.deriveChild(i);
    const derived = publicKey && utxoAddress(publicKey, family, 'regtest', scriptType);
    if (derived?.address === address) return derived.key;
  }
  throw new Error(`${address} is not of the account`);
}
