import type { HDKey } from '@scure/bip32';
import type { ChainAddress } from '../chains/chain-family.pure.js';
import { childKeys } from './child-keys.pure.js';
import { fingerprintOf } from './extended-public-key.pure.js';
import type { WalletAddresses } from './wallet-source.pure.js';

/** Returns the address of a compressed public key. */
export type AddressEncoding = (publicKey: Uint8Array) => ChainAddress;

/** An address with the compressed public key that it is of. */
export interface KeyedAddress extends ChainAddress {
  publicKey: Uint8Array;
}

/** Addresses that a chain remembers; about 200 bytes each. */
const MAX_DERIVED = 128;

/** The receiving addresses of an account, `m/…/0/index`; no payment gets one of the change branch (BIP44). */
export class AddressChain implements WalletAddresses {
  readonly treasury = null;
  /** Derived once, which halves the cost of an address. */
  private readonly external: HDKey;
  /**
   * By index, the oldest first. A stored address is compared with its derivation each time that it is shown, and a
   * customer's page shows it every few seconds.
   */
  private readonly derived = new Map<number, ChainAddress>();

  constructor(
    private readonly account: HDKey,
    private readonly encode: AddressEncoding,
    /** The path of the account's key, as in `m/84'/0'/0'`: the usual one unless its origin is known. */
    readonly accountPath: string,
    /** Of the master key, where the origin is known. */
    readonly masterFingerprint: string | null = null,
  ) {
    this.external = account.deriveChild(0);
  }

  /** Of the account's key (BIP32). */
  get fingerprint(): string {
    return fingerprintOf(this.account);
  }

  get feeAccount(): ChainAddress | null {
    const { publicKey } = this.account.deriveChild(1).deriveChild(0);
    return publicKey ? this.encode(publicKey) : null;
  }

  /**
   * Null when this index has no valid key (BIP32: less likely than 1 in 2^127); the caller takes the next one.
   * @param index 0 to 2^31 - 1
   */
  derive(index: number): ChainAddress | null {
    const known = this.derived.get(index);
    if (known) return known;
    const child = this.external.deriveChild(index);
    // For an invalid index the library returns the next valid key, which is the key of another index.
    if (child.index !== index || !child.publicKey) return null;
    const address = this.encode(child.publicKey);
    const [oldest] = this.derived.keys();
    if (this.derived.size >= MAX_DERIVED && oldest !== undefined) this.derived.delete(oldest);
    this.derived.set(index, address);
    return address;
  }

  /** As {@link derive}, for many at once, which are not remembered. */
  deriveEach(indexes: readonly number[]): (KeyedAddress | null)[] {
    const { publicKey, chainCode } = this.external;
    if (!publicKey || !chainCode) throw new Error('an account key without a public key or a chain code');
    return childKeys({ publicKey, chainCode }, indexes).map(
      (child) => child && { ...this.encode(child), publicKey: child },
    );
  }
}
