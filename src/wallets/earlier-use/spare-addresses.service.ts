import { Injectable, Logger } from '@nestjs/common';
import type { AddressFamily, Chain } from '../../chains/chain.pure.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { Sql } from '../../platform/database/sql.js';
import { EarlierUse } from './earlier-use.service.js';
import type { SpareAddressEntity } from './spare-address.entity.js';
import { type ShortWallet, SpareAddressRepository } from './spare-address.repository.js';
import { StrayReceiptRepository } from './stray-receipt.repository.js';

/** What came to an address that no payment has. */
export interface StrayTransfer {
  key: Buffer;
  txHash: string;
  ordinal: string;
  asset: string;
  amount: bigint;
}

/** Addresses after the counter that are watched: as many as wallets look ahead (BIP 44). */
const WATCHED = 20;
/** Up to this many are derived at once, so that they are written with each twentieth payment. */
const DERIVED = 40;
/** Wallets of one turn. */
const BATCH = 50;

/**
 * Watches the next addresses of each key. Money there means that another program hands them out, because nobody else
 * knows them: the counter goes on past it, and no payment is credited.
 */
@Injectable()
export class SpareAddresses {
  private readonly logger = new Logger('SpareAddresses');
  private readonly unreadable = new Set<string>();

  constructor(
    private readonly sql: Sql,
    private readonly spares: SpareAddressRepository,
    private readonly earlierUse: EarlierUse,
    private readonly receipts: StrayReceiptRepository,
    private readonly clock: Clock,
  ) {}

  /** Derives the next addresses of keys that have handed out theirs. True if more may be due. */
  async runOnce(): Promise<boolean> {
    const short = await this.spares.listShort(WATCHED, [...this.unreadable], BATCH);
    for (const one of short) await this.fill(one);
    return short.length === BATCH;
  }

  /** Which of some keys that are no deposit addresses are spare ones. */
  async find(family: AddressFamily, keys: readonly Buffer[]): Promise<SpareAddressEntity[]> {
    return keys.length === 0 ? [] : this.spares.findByKeys(family, keys);
  }

  /**
   * Tells the merchant what was paid, and goes on past it; before the block is applied, so that one that is read again says
   * it again. Of a token that nobody lists, anybody can claim a transfer.
   */
  async report(
    { slug: chain, assets }: Chain,
    found: readonly SpareAddressEntity[],
    transfers: readonly StrayTransfer[],
  ): Promise<void> {
    for (const { walletId, derivationIndex, key, address } of found) {
      const receipts = transfers.flatMap(({ key: paid, txHash, ordinal, asset, amount }) => {
        const known = assets.find((one) => one.asset === asset);
        if (!known || amount <= 0n || !paid.equals(key)) return [];
        const { currencyCode, decimals } = known;
        const place = { walletId, derivationIndex, chain, txHash, ordinal, address };
        return [{ ...place, currencyCode, decimals, amount, seenAt: this.clock.now() }];
      });
      if (receipts.length === 0) continue;
      for (const { txHash, currencyCode, amount } of receipts)
        this.logger.error(
          { walletId, chain, derivationIndex, address, txHash, currencyCode, amount: String(amount) },
          'another program uses the key: paid to an address that was not handed out',
        );
      await this.receipts.insert(receipts);
      await this.earlierUse.goPast(walletId, { chain, past: derivationIndex + 1 });
    }
  }

  private async fill({ wallet, last }: ShortWallet): Promise<void> {
    const { id: walletId, nextIndex, family } = wallet;
    const addresses = this.earlierUse.findAddresses(wallet);
    if (!addresses) {
      this.unreadable.add(walletId);
      return;
    }
    const first = Math.max(nextIndex, (last ?? -1) + 1);
    const count = nextIndex + DERIVED - first;
    const derived = Array.from({ length: count }, (_, i) => first + i).flatMap((derivationIndex) => {
      const address = addresses.derive(derivationIndex);
      return address ? [{ walletId, derivationIndex, family, ...address }] : [];
    });
    await this.sql.transaction(async () => {
      await this.spares.insert(derived);
      await this.spares.deleteBelow(walletId, nextIndex);
    });
  }
}
