import type { HDKey } from '@scure/bip32';
import { evmAddressOfPublicKey, toChecksumAddress } from '../chains/evm/evm-address.pure.js';
import { toTronAddress } from '../chains/tron/tron-address.pure.js';

/** A deposit address before it belongs to a payment. */
export interface DerivedAddress {
  /** What blocks are matched on: the 20 address bytes on EVM chains and Tron, the output script on UTXO chains. */
  key: Buffer;
  /** What people see. */
  address: string;
}

/** Makes an address of a compressed public key. */
export type AddressEncoding = (publicKey: Uint8Array) => DerivedAddress;

/** One address on every EVM chain. */
export const evmEncoding: AddressEncoding = (publicKey) => {
  const key = evmAddressOfPublicKey(publicKey);
  return { key, address: toChecksumAddress(key) };
};

/** The same 20 bytes as on EVM chains, in another spelling (java-tron's documentation, "Account"). */
export const tronEncoding: AddressEncoding = (publicKey) => {
  const key = evmAddressOfPublicKey(publicKey);
  return { key, address: toTronAddress(key) };
};

/** The receiving addresses of an account, `m/…/0/index`; the change branch is never used (BIP44). */
export class AddressChain {
  /** Derived once: it halves the cost of an address. */
  private readonly external: HDKey;

  constructor(
    account: HDKey,
    private readonly encode: AddressEncoding,
  ) {
    this.external = account.deriveChild(0);
  }

  /**
   * Null when this index has no valid key (BIP32: less likely than 1 in 2^127); the caller takes the next.
   * @param index 0 to 2^31 - 1
   */
  derive(index: number): DerivedAddress | null {
    const child = this.external.deriveChild(index);
    // The library answers the next valid key by itself; at our index it would be somebody else's.
    if (child.index !== index || !child.publicKey) return null;
    return this.encode(child.publicKey);
  }
}
