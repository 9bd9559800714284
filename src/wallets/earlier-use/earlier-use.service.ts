import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { groupedBy } from '../../chains/chain-auditor.pure.js';
import type { AddressFamily, Chain } from '../../chains/chain.pure.js';
import { ChainsService } from '../../chains/chains.service.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { Sql } from '../../platform/database/sql.js';
import { WalletIntegrityError } from '../integrity-errors.pure.js';
import { WalletAuthenticator } from '../wallet-authenticator.service.js';
import { WalletKeys, WalletNetworkError } from '../wallet-keys.service.js';
import { findTreasury, type WalletAddresses, type WalletSource } from '../wallet-source.pure.js';
import type { WalletContract } from '../wallet.contract.js';
import { AddressGaps } from './address-gaps.service.js';
import { describeEarlierUse } from './earlier-use.pure.js';
import { UsedAddresses } from './used-addresses.service.js';
import { type DueSearch, WalletSearchRepository } from './wallet-search.repository.js';

/** What a chain said: the index after the last used address; null: its source has no answer for any address. */
export interface Looked {
  chain: string;
  past: number | null;
}

export type UseOfAddresses = Pick<WalletContract, 'earlierUse' | 'addressGap'>;

/** Of a chain whose node did not answer. */
const PAUSE_SECONDS = 60;
/** Wallets in one question. */
const BATCH = 50;

/**
 * Looks on the chains for addresses of a key that another program has handed out, and begins past them, as wallets do
 * (docs/decisions/0898-look-for-earlier-use-of-a-key.md). Which chains have answered is in the database, so a process may
 * be killed at any moment, and two may look at once: the counter only grows.
 */
@Injectable()
export class EarlierUse {
  private readonly logger = new Logger('EarlierUse');
  private readonly pausedUntil = new Map<string, Date>();
  /** Wallets that cannot be read as long as this process runs: of another network, or not authentic. */
  private readonly unreadable = new Set<string>();
  /** Milliseconds that whoever sets a key waits for the nodes. What is not known by then is looked at later. */
  patienceMs = 4_000;

  constructor(
    private readonly chains: ChainsService,
    private readonly clock: Clock,
    private readonly sql: Sql,
    private readonly searches: WalletSearchRepository,
    private readonly used: UsedAddresses,
    private readonly keys: WalletKeys,
    private readonly rows: WalletAuthenticator,
    readonly gaps: AddressGaps,
  ) {}

  /**
   * What the chains that answer quickly say about a key that will be set: outside of the transaction that sets it. Nothing
   * for the key of an active wallet, or a treasury.
   */
  async look(family: AddressFamily, source: WalletSource): Promise<Looked[]> {
    if (findTreasury(source.masked)) return [];
    const known = await this.searches.findByKeyHash(source.keyHash);
    if (known?.retiredAt === null) return [];
    const addresses = this.keys.addressesOf(family, source);
    const ended = new AbortController();
    const timeout = delay(this.patienceMs, null, { signal: ended.signal, ref: false }).catch(() => null);
    const looks = this.chainsOf(family).map(async ({ slug }): Promise<Looked[]> => {
      if (this.used.isSlow(slug)) return [];
      const from = [{ addresses, first: known?.nextIndex ?? 0 }];
      const past = await Promise.race([this.used.findPast(slug, from, ended.signal), timeout]);
      return past === null ? [] : [{ chain: slug, past: past === 'unseen' ? null : (past[0] ?? null) }];
    });
    try {
      return (await Promise.all(looks)).flat();
    } finally {
      ended.abort();
    }
  }

  /** Moves the counter of a wallet past what was found, in the transaction that makes it active. */
  async begin(walletId: string, looked: readonly Looked[]): Promise<void> {
    await this.searches.deleteOf(walletId);
    for (const one of looked) await this.settle(walletId, one);
  }

  /** Another program was paid at an address that this wallet has not handed out. */
  async goPast(walletId: string, found: Looked): Promise<void> {
    await this.sql.transaction(async () => {
      const firstIndex = await this.searches.lockCounter(walletId);
      if ((found.past ?? 0) <= firstIndex) return;
      // A chain that was not asked yet stays so.
      if (await this.searches.isKnown(walletId, found.chain)) await this.settle(walletId, found);
      else await this.searches.moveCounter(walletId, found.past ?? 0);
    });
  }

  /** Of wallets with keys. Nobody else has the addresses of a treasury, and no wallet program looks for them. */
  async describe(
    wallets: readonly { id: string; family: AddressFamily; maskedKey: string }[],
  ): Promise<Map<string, UseOfAddresses>> {
    const ofKeys = wallets.filter(({ maskedKey }) => !findTreasury(maskedKey));
    const ids = ofKeys.map(({ id }) => id);
    const [searches, gaps] = [await this.searches.listOf(ids), await this.gaps.describe(ids)];
    return new Map(
      ofKeys.map(({ id, family }): [string, UseOfAddresses] => {
        const own = searches.filter(({ walletId }) => walletId === id);
        const slugs = this.chainsOf(family).map(({ slug }) => slug);
        return [id, { earlierUse: describeEarlierUse(own, slugs), addressGap: gaps.get(id) ?? null }];
      }),
    );
  }

  /** Looks at what could not be looked at when it was set. True if more may be due. */
  async runOnce(): Promise<boolean> {
    const now = this.clock.now();
    const asked = this.chains.list().filter(({ slug }) => (this.pausedUntil.get(slug) ?? now) <= now);
    const due = await this.searches.listDue(asked, [...this.unreadable], BATCH);
    for (const [slug, group] of groupedBy(due, ({ chain }) => chain)) await this.lookLater(slug, group);
    return due.length === BATCH;
  }

  private async lookLater(slug: string, group: readonly DueSearch[]): Promise<void> {
    const readable = group.flatMap(({ wallet }) => {
      const addresses = this.findAddresses(wallet);
      return addresses ? [{ id: wallet.id, addresses, first: wallet.nextIndex }] : [];
    });
    if (readable.length === 0) return;
    const past = await this.used.findPast(slug, readable);
    if (past === null) {
      this.pausedUntil.set(slug, new Date(this.clock.now().getTime() + PAUSE_SECONDS * 1_000));
      this.logger.warn({ chain: slug, wallets: readable.length }, 'not known yet which addresses were used');
      return;
    }
    for (const [i, { id }] of readable.entries()) {
      const one = past === 'unseen' ? null : (past[i] ?? null);
      await this.sql.transaction(() => this.settle(id, { chain: slug, past: one }));
    }
  }

  /**
   * Addresses below the counter were handed out here by now, so what was found there is no sign of another program; those
   * from it on were not, while its row is locked.
   */
  private async settle(walletId: string, { chain, past }: Looked): Promise<void> {
    const firstIndex = await this.searches.lockCounter(walletId);
    const skipped = Math.max(0, (past ?? 0) - firstIndex);
    if (skipped > 0) {
      await this.searches.moveCounter(walletId, firstIndex + skipped);
      this.logger.warn({ walletId, chain, firstIndex, skipped }, 'addresses of the key were used before');
    }
    const isVisible = past !== null;
    await this.searches.save({
      walletId,
      chain,
      firstIndex,
      skipped,
      isVisible,
      searchedAt: this.clock.now(),
    });
  }

  /** Null: it is not authentic, or of another network. */
  findAddresses(wallet: DueSearch['wallet']): WalletAddresses | null {
    try {
      this.rows.requireWallet(wallet);
      return this.keys.chain(wallet);
    } catch (error) {
      if (!(error instanceof WalletIntegrityError || error instanceof WalletNetworkError)) throw error;
      this.unreadable.add(wallet.id);
      return null;
    }
  }

  private chainsOf(family: AddressFamily): Chain[] {
    return this.chains.list().filter((chain) => chain.family === family);
  }
}
