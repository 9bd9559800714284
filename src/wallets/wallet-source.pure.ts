import type { ChainAddress, ScriptType } from '../chains/chain-family.pure.js';
import { sha256 } from '../platform/kernel/hmac.pure.js';
import type { KeyOrigin } from './key-origin.pure.js';
import {
  depositAddressOf,
  parseTreasury,
  type Treasury,
  TreasuryError,
  treasuryText,
} from './treasury/treasury-address.pure.js';

/** Where the addresses of a wallet come from: a key, or a factory whose addresses can only pay one treasury. */
export const WALLET_KINDS = ['key', 'treasury'] as const;
export type WalletKind = (typeof WALLET_KINDS)[number];

/** What is stored of it; an {@link ExtendedPublicKey} is one. */
export interface WalletSource {
  /** The text that is stored. A key reveals the merchant's whole income, so it is encrypted at rest and never logged. */
  text: string;
  /** The type of its outputs; null for families with one type only. */
  scriptType: ScriptType | null;
  /** `xpub6C...9f2A`. Of a treasury the whole text: the first collection publishes it on the blockchain. */
  masked: string;
  /** First 4 bytes of the key's hash160 as hex (BIP32). Most wallets show that of their master key instead. */
  fingerprint: string;
  /** Where the key comes from, if it was pasted with that or says it; it can be claimed for any key. */
  origin: KeyOrigin | null;
  /**
   * SHA-256 of public key and chain code, and of family and script type if those change the addresses: two texts that
   * derive the same addresses have the same hash.
   */
  keyHash: Buffer;
}

/** The addresses of a wallet, by index. */
export interface WalletAddresses {
  readonly fingerprint: string;
  /** Null: not known, or there is no key. */
  readonly masterFingerprint: string | null;
  /** The path of the account's key, as in `m/84'/0'/0'`; null: there is no key. */
  readonly accountPath: string | null;
  /** Null: there is a key. */
  readonly treasury: Treasury | null;

  /** The first of the change branch (BIP44), which no payment gets; null: there is no key. */
  readonly feeAccount: ChainAddress | null;

  /** Null: this index has no address. */
  derive(index: number): ChainAddress | null;
  deriveEach(indexes: readonly number[]): ((ChainAddress & { publicKey: Uint8Array | null }) | null)[];
}

/** The addresses whose coins and tokens can go to the treasury only. */
export class TreasuryAddresses implements WalletAddresses {
  readonly fingerprint: string;
  readonly masterFingerprint = null;
  readonly accountPath = null;
  readonly feeAccount = null;

  constructor(readonly treasury: Treasury) {
    this.fingerprint = fingerprintOfTreasury(treasury);
  }

  derive(index: number): ChainAddress {
    const { key, address } = depositAddressOf(this.treasury, index);
    return { key: Buffer.from(key), address };
  }

  deriveEach(indexes: readonly number[]): (ChainAddress & { publicKey: null })[] {
    return indexes.map((index) => ({ ...this.derive(index), publicKey: null }));
  }
}

export function sourceOfTreasury(treasury: Treasury): WalletSource {
  const text = treasuryText(treasury);
  return {
    text,
    scriptType: null,
    masked: text,
    fingerprint: fingerprintOfTreasury(treasury),
    origin: null,
    keyHash: sha256(Buffer.from(text)),
  };
}

/** The treasury that a text is, the one that is sealed or the one that is shown; null: it is of a key, or of nothing. */
export function findTreasury(text: string | null): Treasury | null {
  if (!text?.startsWith('treasury(')) return null;
  try {
    return parseTreasury(text);
  } catch (error) {
    // In a row that the gateway did not write: it is no key either.
    if (error instanceof TreasuryError) return null;
    throw error;
  }
}

/** Whether both pay the same treasury by the same contract, whatever their namespaces. */
export function isSameTreasury(one: string | null, other: string): boolean {
  const [a, b] = [findTreasury(one), findTreasury(other)];
  return a !== null && b !== null && identityOf(a) === identityOf(b);
}

/** As short as that of a key, and the same wherever the treasury is set. */
function fingerprintOfTreasury(treasury: Treasury): string {
  return sha256(Buffer.from(identityOf(treasury))).toString('hex', 0, 4);
}

const identityOf = ({ address, factory, kind }: Treasury) => [address, factory, kind].join(' ');
