import { Injectable } from '@nestjs/common';
import type { AddressFamily } from '../chains/chain.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import { Keyring, UnsealError } from '../platform/kernel/keyring.js';
import { addressChainOf, readAccountKey } from './account-addresses.pure.js';
import { ExtendedKeyError, type ExtendedPublicKey } from './extended-public-key.pure.js';
import {
  KEY_PURPOSE,
  keyContext,
  PENDING_KEY_PURPOSE,
  pendingKeyContext,
  type WalletIdentity,
} from './wallet-authentication.pure.js';
import { WalletAuthenticator } from './wallet-authenticator.service.js';
import { COMPARED_ADDRESSES } from './wallet.contract.js';
import { ScriptTypeError } from './utxo-account-key.pure.js';
import {
  findTreasury,
  sourceOfTreasury,
  TreasuryAddresses,
  type WalletAddresses,
  type WalletSource,
} from './wallet-source.pure.js';

/** Decrypting and parsing a key takes about as long as deriving three addresses. */
const MAX_CACHED = 1_000;

/** The key was stored while CHAIN_<SLUG>_NETWORK was another network, so it cannot derive addresses of this one. */
export class WalletNetworkError extends Error {}

export interface KeyPlace {
  accountPath: string | null;
  masterFingerprint: string | null;
}

export const NOWHERE: KeyPlace = { accountPath: null, masterFingerprint: null };

/** Encrypts extended public keys, and decrypts them into chains of addresses. */
@Injectable()
export class WalletKeys {
  private readonly opened = new Map<string, WalletAddresses>();

  constructor(
    private readonly keyring: Keyring,
    private readonly rows: WalletAuthenticator,
    private readonly chains: ChainsService,
  ) {}

  /**
   * Parses a key of a family as it was entered.
   * @throws ExtendedKeyError, ScriptTypeError
   */
  read(family: AddressFamily, text: string, scriptType: string | null): ExtendedPublicKey {
    return readAccountKey(text, family, this.chains.networkOf(family), scriptType);
  }

  /** The text of a {@link WalletSource}. @throws ExtendedKeyError, ScriptTypeError */
  readStored(family: AddressFamily, text: string): WalletSource {
    const treasury = findTreasury(text);
    return treasury ? sourceOfTreasury(treasury) : this.read(family, text, null);
  }

  /** Of a source that is not a wallet yet. */
  addressesOf(family: AddressFamily, { text }: WalletSource): WalletAddresses {
    return this.open(family, text);
  }

  /** The key is encrypted for its wallet and owner, so it cannot be moved to another one. */
  seal(wallet: WalletIdentity, text: string): string {
    return this.keyring.seal(KEY_PURPOSE, keyContext(wallet), text);
  }

  /** As {@link seal}, for a key that waits. */
  sealPending(change: Omit<WalletIdentity, 'scriptType'>, text: string): string {
    return this.keyring.seal(PENDING_KEY_PURPOSE, pendingKeyContext(change), text);
  }

  /** @throws WalletIntegrityError when the key cannot be decrypted for this change */
  unsealPending(change: Omit<WalletIdentity, 'scriptType'> & { sealedKey: string | null }): string {
    try {
      return this.keyring.unseal(PENDING_KEY_PURPOSE, pendingKeyContext(change), change.sealedKey ?? '');
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      throw this.rows.refusal('wallet-change', `the key of wallet change ${change.id} cannot be decrypted`);
    }
  }

  /** @throws WalletNetworkError; WalletIntegrityError when the key cannot be decrypted for this owner */
  chain(wallet: WalletIdentity & { sealedKey: string }): WalletAddresses {
    // The text is sealed anew when its origin becomes known.
    const place = `${wallet.id} ${wallet.sealedKey}`;
    const cached = this.opened.get(place);
    if (cached) return cached;
    const chain = this.openStored(wallet, this.unseal(wallet));
    const [oldest] = this.opened.keys();
    if (oldest !== undefined && this.opened.size >= MAX_CACHED) this.opened.delete(oldest);
    this.opened.set(place, chain);
    return chain;
  }

  /** To compare with what a wallet program shows; none if the key is of another network than the gateway's. */
  firstAddresses(wallet: WalletIdentity & { sealedKey: string }): string[] {
    try {
      const chain = this.chain(wallet);
      return Array.from({ length: COMPARED_ADDRESSES }, (_, index) => chain.derive(index)?.address).filter(
        (address) => address !== undefined,
      );
    } catch (error) {
      if (error instanceof WalletNetworkError) return [];
      throw error;
    }
  }

  /** Where its wallet program keeps the key; null: not known, no key, or of another network than the gateway's. */
  place(wallet: WalletIdentity & { sealedKey: string }): KeyPlace {
    try {
      const { accountPath, masterFingerprint } = this.chain(wallet);
      return { accountPath, masterFingerprint };
    } catch (error) {
      if (error instanceof WalletNetworkError) return NOWHERE;
      throw error;
    }
  }

  private unseal(wallet: WalletIdentity & { sealedKey: string }): string {
    try {
      return this.keyring.unseal(KEY_PURPOSE, keyContext(wallet), wallet.sealedKey);
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      throw this.rows.refusal('wallet', `the key of wallet ${wallet.id} cannot be decrypted for its owner`);
    }
  }

  /** Stored keys were valid, so an error means that the configured network has changed. */
  private openStored({ id, family }: WalletIdentity, text: string): WalletAddresses {
    try {
      return this.open(family, text);
    } catch (error) {
      if (!(error instanceof ExtendedKeyError) && !(error instanceof ScriptTypeError)) throw error;
      throw new WalletNetworkError(`the key of ${family} wallet ${id} ${error.message}`);
    }
  }

  private open(family: AddressFamily, text: string): WalletAddresses {
    const treasury = findTreasury(text);
    if (treasury) return new TreasuryAddresses(treasury);
    return addressChainOf(this.read(family, text, null), family, this.chains.networkOf(family));
  }
}
