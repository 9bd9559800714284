import { Injectable } from '@nestjs/common';
import { DepositAddressesService } from './deposit-addresses.service.js';

/** Wallets whose account is kept; a key never changes, so that one is read once. */
const MAX_KEPT = 10_000;

/** The accounts that pay fees, as blocks are compared with them. */
@Injectable()
export class FeeAccounts {
  private readonly kept = new Map<string, Buffer>();

  constructor(private readonly addresses: DepositAddressesService) {}

  /** The key of the account; null: the wallet's key cannot be read, or there is none. */
  async find(walletId: string): Promise<Buffer | null> {
    const known = this.kept.get(walletId);
    if (known) return known;
    const found = (await this.addresses.findFeeAccount(walletId))?.key ?? null;
    const [oldest] = this.kept.keys();
    if (oldest !== undefined && this.kept.size >= MAX_KEPT) this.kept.delete(oldest);
    if (found) this.kept.set(walletId, found);
    return found;
  }
}
