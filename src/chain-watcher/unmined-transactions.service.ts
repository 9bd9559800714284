import { Injectable } from '@nestjs/common';
import { TransfersService } from '../payments/transfers/transfers.service.js';
import { Sql } from '../platform/database/sql.js';
import { ChainCursorRepository } from './chain-cursor.repository.js';
import { MempoolWatcher } from './mempool-watcher.service.js';
import { PaymentLoopsService } from './payment-loops.service.js';
import type { WatchStep } from './watch-step.js';

/** Follows transactions that are in no block: records new ones and drops those that disappeared. */
@Injectable()
export class UnminedTransactionsService {
  constructor(
    private readonly sql: Sql,
    private readonly cursors: ChainCursorRepository,
    private readonly mempools: MempoolWatcher,
    private readonly transfers: TransfersService,
    private readonly paymentLoops: PaymentLoopsService,
  ) {}

  /**
   * Call when every block up to the tip is applied.
   * @returns whether more of the mempool is waiting to be read
   */
  async watch(step: WatchStep): Promise<boolean> {
    const { chain, adapter, tip, asOf, epoch } = step;
    const { isChanged, isMore, isComplete } = adapter.mempool
      ? await this.mempools.look(chain, adapter.mempool, tip, epoch)
      : { isChanged: false, isMore: false, isComplete: true };
    if (isChanged) this.paymentLoops.wake();
    if (isComplete) await this.cursors.markCaughtUp(chain.slug, tip, asOf, epoch);
    await this.dropDisappeared(step);
    return isMore;
  }

  /**
   * Drops recorded transactions that the node no longer knows, and those that were mined without the transfers
   * recorded before: on account chains the same transaction can have other effects in another block.
   */
  private async dropDisappeared(step: WatchStep): Promise<void> {
    const { chain, adapter, tip, epoch } = step;
    const unmined = await this.transfers.unminedTransactions(chain.slug);
    if (unmined.length === 0) return;
    const fates = await Promise.all(unmined.map((txHash) => adapter.transactionFate(txHash)));
    const forgotten = unmined.filter((_, i) => fates[i] === 'unknown');
    const mined = unmined.filter((_, i) => fates[i] === 'mined');
    if (forgotten.length + mined.length === 0) return;
    // A block that came meanwhile may hold them: a node without a transaction index would not say so.
    if ((await adapter.tip()).hash !== tip.hash) return;
    const idle = await this.findApplied(step, mined);
    if (forgotten.length + idle.length === 0) return;
    await this.sql.transaction(async (tx) => {
      await this.cursors.hold(tx, chain.slug, tip, epoch);
      await this.transfers.drop(chain.slug, { forgotten, idle });
    });
    this.mempools.forget(chain.slug, forgotten);
    this.paymentLoops.wake();
  }

  /** Those in a block that is already applied: their transfers in it were recorded then. */
  private async findApplied(
    { chain, adapter, tip }: WatchStep,
    txHashes: readonly string[],
  ): Promise<string[]> {
    const applied: string[] = [];
    for (const txHash of txHashes) {
      const seen = await adapter.transaction(txHash);
      if (seen.fate !== 'mined' || seen.block.height > tip.height) continue;
      const kept = await this.cursors.findKeptHash(chain.slug, seen.block.height);
      // Blocks below the kept history cannot be replaced any more.
      if (kept === null || kept === seen.block.hash) applied.push(txHash);
    }
    return applied;
  }
}
