import { Injectable } from '@nestjs/common';
import { Keyring } from '../common/keyring.js';
import { AddressChain } from './address-chain.js';
import { parseExtendedPublicKey } from './extended-public-key.js';

const PURPOSE = 'extended-public-key';
/** Opening a key costs about as much as three addresses. */
const MAX_CACHED = 1_000;

/** Seals extended public keys, and opens them again into the addresses that they make. */
@Injectable()
export class WalletKeys {
  private readonly chains = new Map<string, AddressChain>();

  constructor(private readonly keyring: Keyring) {}

  /** The wallet's id is sealed in: a key cannot be moved to another row. */
  seal(walletId: string, text: string): string {
    return this.keyring.seal(PURPOSE, walletId, text);
  }

  /** @throws UnsealError when the keyring cannot open it */
  chain(wallet: { id: string; sealedKey: string }): AddressChain {
    const cached = this.chains.get(wallet.id);
    if (cached) return cached;
    const text = this.keyring.unseal(PURPOSE, wallet.id, wallet.sealedKey);
    const chain = new AddressChain(parseExtendedPublicKey(text).node);
    const [oldest] = this.chains.keys();
    if (oldest !== undefined && this.chains.size >= MAX_CACHED) this.chains.delete(oldest);
    this.chains.set(wallet.id, chain);
    return chain;
  }
}
