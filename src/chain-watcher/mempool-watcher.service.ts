import { Injectable } from '@nestjs/common';
import type { BlockRef, Mempool, MempoolTransaction } from '../chains/chain-adapter.pure.js';
import type { Chain } from '../chains/chain.pure.js';
import { Sql } from '../platform/database/sql.js';
import { TransfersService } from '../payments/transfers/transfers.service.js';
import { BlockMatcher } from './block-matcher.service.js';
import { ChainCursorRepository } from './chain-cursor.repository.js';
import { mempoolPriority } from './mempool-priority.pure.js';

/** Transactions read per step: the mempool of a node that was just connected, or is congested, is read in parts. */
const READ_PER_STEP = 1_000;

/**
 * Records transactions before they are mined. An unmined transaction is no more than an announcement: it never changes
 * what a block has shown, and counts while the mempool holds it and no other transaction spends its inputs.
 */
@Injectable()
export class MempoolWatcher {
  /** Transactions already read, by chain; dropped whenever their state is in doubt. */
  private readonly seen = new Map<string, Set<string>>();
  /** Everything in the mempool at the last step, by chain, read or not. */
  private readonly listed = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly sql: Sql,
    private readonly cursors: ChainCursorRepository,
    private readonly matcher: BlockMatcher,
    private readonly transfers: TransfersService,
  ) {}

  /**
   * Records new transactions; every block must have been applied before.
   * @param at the block at the cursor
   * @returns whether something changed, whether more should be read at once, and whether the whole mempool is known
   */
  async look(
    chain: Chain,
    mempool: Mempool,
    at: BlockRef,
    epoch: number,
  ): Promise<{ isChanged: boolean; isMore: boolean; isComplete: boolean }> {
    // Before the list: a node that is still loading its mempool from disk lists only a part of it.
    const isLoaded = await mempool.isLoaded();
    const waiting = await mempool.list();
    const before = this.seen.get(chain.slug) ?? new Set<string>();
    const fresh = mempoolPriority(waiting, before, this.listed.get(chain.slug) ?? new Set());
    this.listed.set(chain.slug, new Set(waiting));
    const chosen = fresh.slice(0, READ_PER_STEP);
    const { transactions, unread } = await mempool.read(chosen);
    const isChanged = transactions.length > 0 && (await this.record(chain, transactions, at, epoch));
    // Marked as read only after the commit: what could not be recorded is read again.
    const read = new Set(chosen);
    for (const txHash of unread) read.delete(txHash);
    this.seen.set(chain.slug, new Set(waiting.filter((txHash) => before.has(txHash) || read.has(txHash))));
    const isCut = fresh.length > chosen.length;
    const isComplete = isLoaded && !isCut && unread.length === 0;
    // What the node throttles waits for the next interval.
    return { isChanged, isMore: isCut && unread.length === 0, isComplete };
  }

  /** After a fork or a node failure everything is read again. */
  forgetAll(slug: string): void {
    this.seen.delete(slug);
  }

  /** Transactions that the node no longer knows; if they return, they are new. */
  forget(slug: string, txHashes: readonly string[]): void {
    const seen = this.seen.get(slug);
    for (const txHash of txHashes) seen?.delete(txHash);
  }

  private async record(
    chain: Chain,
    transactions: readonly MempoolTransaction[],
    at: BlockRef,
    epoch: number,
  ): Promise<boolean> {
    const transfers = await this.matcher.matchTransfers(
      chain,
      transactions.flatMap((transaction) => transaction.transfers),
    );
    const spends = new Map(
      transactions.flatMap(({ inputs, txHash }) => inputs.map((outpoint) => [outpoint, txHash] as const)),
    );
    return this.sql.transaction(async (tx) => {
      // Fenced like a block: an overtaken watcher must not overwrite newer facts.
      await this.cursors.hold(tx, chain.slug, at, epoch);
      return this.transfers.applySightings({ chain: chain.slug, spends, transfers });
    });
  }
}
