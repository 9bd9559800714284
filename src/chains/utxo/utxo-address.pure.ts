import { createBase58check } from '@scure/base';
import { Address, OutScript, p2pkh, p2sh, p2tr, p2wpkh } from '@scure/btc-signer';
import { createHash } from 'node:crypto';
import { type CashDestination, readCashAddress, toCashAddress } from './cash-address.pure.js';
import type { ScriptType } from '../chain-family.pure.js';
import { getUtxoNetwork, type UtxoFamily, type UtxoNetworkName } from './utxo-network.pure.js';

/** Address of a public key. */
export interface UtxoAddress {
  /** The output script, matched against blocks. */
  key: Buffer;
  /** As people see it. */
  address: string;
}

const base58check = createBase58check((data: Uint8Array) => createHash('sha256').update(data).digest());
/** OP_DUP OP_HASH160 <20 bytes> OP_EQUALVERIFY OP_CHECKSIG: offset of the hash. */
const KEY_HASH_START = 3;

/** @param publicKey compressed, 33 bytes */
export function utxoAddress(
  publicKey: Uint8Array,
  family: UtxoFamily,
  network: UtxoNetworkName,
  scriptType: ScriptType,
): UtxoAddress {
  const { pubKeyHash, scriptHash, bech32 } = getUtxoNetwork(family, network);
  if (scriptType === 'p2pkh') {
    const key = Buffer.from(p2pkh(publicKey).script);
    const hash = key.subarray(KEY_HASH_START, KEY_HASH_START + 20);
    if (family === 'bitcoincash' && bech32 !== null) return { key, address: toCashAddress(bech32, hash) };
    return { key, address: base58check.encode(Uint8Array.from([pubKeyHash, ...hash])) };
  }
  if (bech32 === null || family === 'bitcoincash') {
    throw new Error(`${family} has no ${scriptType} addresses`);
  }
  // `wif` is for private keys, which are never handled here.
  const encoding = { bech32, pubKeyHash, scriptHash, wif: 0 };
  const { script, address } = payTo(publicKey, scriptType, encoding);
  if (address === undefined) throw new Error(`no ${scriptType} address`);
  return { key: Buffer.from(script), address };
}

/** Reads an address that a person entered: its script and its usual spelling, or what is wrong with it. */
export function readUtxoAddress(
  text: string,
  family: UtxoFamily,
  network: UtxoNetworkName,
): UtxoAddress | 'malformed' | 'checksum' {
  const { pubKeyHash, scriptHash, bech32 } = getUtxoNetwork(family, network);
  if (family === 'bitcoincash') {
    // The legacy spelling is also Bitcoin's; funds sent on the wrong chain would be lost.
    const read = bech32 === null ? 'malformed' : readCashAddress(bech32, text);
    return typeof read === 'string' ? read : { key: cashScript(read), address: read.address };
  }
  const isSegwit = bech32 !== null && new RegExp(`^${bech32}1[02-9ac-hj-np-z]+$`, 'i').test(text);
  if (!isSegwit && !/^[1-9A-HJ-NP-Za-km-z]{26,35}$/.test(text)) return 'malformed';
  // BIP173: all in one case.
  if (isSegwit && text !== text.toLowerCase() && text !== text.toUpperCase()) return 'checksum';
  const address = isSegwit ? text.toLowerCase() : text;
  if (!isSegwit) {
    const version = findVersion(address);
    if (version === null) return 'checksum';
    if (version !== pubKeyHash && version !== scriptHash) return 'malformed';
  }
  try {
    // Without segregated witness no address has this prefix; the version byte was checked above.
    const encoding = { bech32: bech32 ?? 'none', pubKeyHash, scriptHash, wif: 0 };
    const script = OutScript.encode(Address(encoding).decode(address));
    return { key: Buffer.from(script), address };
  } catch {
    // Valid characters, but a wrong checksum.
    return 'checksum';
  }
}

/** Version byte of a base58check address; null when its checksum is wrong. */
function findVersion(address: string): number | null {
  try {
    return base58check.decode(address)[0] ?? null;
  } catch {
    return null;
  }
}

/** OP_DUP OP_HASH160 … OP_EQUALVERIFY OP_CHECKSIG; OP_HASH160 … OP_EQUAL, or OP_HASH256 for 32 bytes. */
function cashScript({ kind, hash }: CashDestination): Buffer {
  const [before, after] =
    kind === 'p2pkh'
      ? [
          [0x76, 0xa9],
          [0x88, 0xac],
        ]
      : [[hash.length === 20 ? 0xa9 : 0xaa], [0x87]];
  return Buffer.from([...before, hash.length, ...hash, ...after]);
}

type Encoding = NonNullable<Parameters<typeof p2wpkh>[1]>;

function payTo(publicKey: Uint8Array, scriptType: Exclude<ScriptType, 'p2pkh'>, encoding: Encoding) {
  switch (scriptType) {
    case 'p2sh-p2wpkh':
      return p2sh(p2wpkh(publicKey, encoding), encoding);
    case 'p2wpkh':
      return p2wpkh(publicKey, encoding);
    case 'p2tr':
      // BIP341 uses the x coordinate only; BIP86: no script path.
      return p2tr(publicKey.slice(1), undefined, encoding);
  }
}
