import { Injectable } from '@nestjs/common';
import type { BlockRef, Mempool, MempoolTransaction } from '../chains/chain-adapter.pure.js';
import type { Chain } from '../chains/chain.pure.js';
import { Sql } from '../platform/database/sql.js';
import { TransfersService } from '../payments/transfers.service.js';
import { BlockMatcher } from './block-matcher.service.js';
import { ChainCursorService } from './chain-cursor.service.js';
import { mempoolPriority } from './mempool-priority.js';

/** Transactions read in one look: a node that was just started, or a full mempool, comes in pieces. */
const READ_AT_ONCE = 1_000;

/**
 * Sees transactions before a block holds them. A sighting is a promise and no more: it never touches what a block
 * has shown, and it counts as long as the mempool holds the transaction and nobody else spends its coins.
 */
@Injectable()
export class MempoolWatcher {
  /** Transactions that were looked at, by chain; forgotten whenever it is in doubt what became of them. */
  private readonly seen = new Map<string, Set<string>>();
  /** What waited at the last look, by chain, read or not. */
  private readonly listed = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly sql: Sql,
    private readonly cursors: ChainCursorService,
    private readonly matcher: BlockMatcher,
    private readonly transfers: TransfersService,
  ) {}

  /**
   * Records what is new; every block must have been applied before.
   * @param at the block that the cursor stands on
   * @returns whether something changed, whether more waits to be read, and whether now all of it is known
   */
  async look(
    chain: Chain,
    mempool: Mempool,
    at: BlockRef,
    epoch: number,
  ): Promise<{ isChanged: boolean; isMore: boolean; isComplete: boolean }> {
    // First: a node that still reads back what it left on its disk lists a part of it.
    const isLoaded = await mempool.isLoaded();
    const waiting = await mempool.list();
    const before = this.seen.get(chain.slug) ?? new Set<string>();
    const fresh = mempoolPriority(waiting, before, this.listed.get(chain.slug) ?? new Set());
    this.listed.set(chain.slug, new Set(waiting));
    const chosen = fresh.slice(0, READ_AT_ONCE);
    const { transactions, unread } = await mempool.read(chosen);
    const isChanged = transactions.length > 0 && (await this.record(chain, transactions, at, epoch));
    // Only now: what could not be recorded is read again.
    const read = new Set(chosen);
    for (const txHash of unread) read.delete(txHash);
    this.seen.set(chain.slug, new Set(waiting.filter((txHash) => before.has(txHash) || read.has(txHash))));
    const isCut = fresh.length > chosen.length;
    const isComplete = isLoaded && !isCut && unread.length === 0;
    // What a node would rather not be asked at once waits for the timer.
    return { isChanged, isMore: isCut && unread.length === 0, isComplete };
  }

  /** After a fork, after trouble with the node: everything is looked at again. */
  forgetAll(slug: string): void {
    this.seen.delete(slug);
  }

  /** Transactions that the node no longer knows: should they come back, they are new. */
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
      // Fenced like a block: a watcher that was overtaken must not put an old sight over a new fact.
      await this.cursors.hold(tx, chain.slug, at, epoch);
      return this.transfers.applySightings(tx, { chain: chain.slug, spends, transfers });
    });
  }
}
