import { Inject, Injectable, Logger } from '@nestjs/common';
import { type BlockRef, type ChainAdapter, ChainInconsistencyError } from '../chains/chain-adapter.pure.js';
import { ChainHealthService } from '../chains/chain-health.service.js';
import type { Chain } from '../chains/chain.pure.js';
import { OwnFundsService } from '../payments/own-funds/own-funds.service.js';
import { TransfersService } from '../payments/transfers/transfers.service.js';
import { Sql } from '../platform/database/sql.js';
import { failpoint } from '../platform/kernel/failpoints.js';
import { ChainCursorRepository } from './chain-cursor.repository.js';
import { DeepForkService } from './deep-fork.service.js';
import { DetectionLatencyService } from './detection-latency.service.js';
import { MempoolWatcher } from './mempool-watcher.service.js';
import { PaymentLoopsService } from './payment-loops.service.js';
import { UnreadTraces } from './unread-traces.service.js';
import type { WatchStep } from './watch-step.js';

/** Reverts blocks that the node no longer has. */
@Injectable()
export class ReorgService {
  private readonly logger = new Logger('ChainWatcher');

  @Inject(UnreadTraces) private readonly unread: UnreadTraces;
  @Inject(OwnFundsService) private readonly ownFunds: OwnFundsService;

  constructor(
    private readonly sql: Sql,
    private readonly cursors: ChainCursorRepository,
    private readonly transfers: TransfersService,
    private readonly health: ChainHealthService,
    private readonly mempools: MempoolWatcher,
    private readonly deepForks: DeepForkService,
    private readonly latency: DetectionLatencyService,
    private readonly paymentLoops: PaymentLoopsService,
  ) {}

  /**
   * Walks back to the common ancestor and reverts everything above it.
   * @param from a block of the node that differs from ours: at the cursor's height, or the node's lower tip
   * @returns false when the chain had to be halted
   */
  async rollBack({ chain, adapter, cursor, epoch }: WatchStep, from: BlockRef): Promise<boolean> {
    const ancestor = await this.findAncestor(chain, adapter, cursor, from);
    if (!ancestor) return false;
    const reverted = await this.transfers.transactionsAbove(chain.slug, ancestor.height);
    const fates = await Promise.all(reverted.map((txHash) => adapter.transactionFate(txHash)));
    // One that was mined again counts as waiting, too: its new block is still to be applied.
    const waiting = reverted.filter((_, i) => fates[i] !== 'unknown');
    const depth = cursor.height - ancestor.height;
    await this.sql.transaction(async (tx) => {
      await this.cursors.move(tx, chain.slug, cursor, ancestor, epoch);
      failpoint('reorg.cursor-moved');
      await this.cursors.forgetAbove(tx, chain.slug, ancestor.height);
      await this.unread.forgetAbove(chain.slug, ancestor.height);
      await this.ownFunds.rollBack(chain.slug, ancestor.height);
      await this.transfers.rollBack(chain.slug, ancestor.height, waiting);
      await this.health.sawReorg(tx, chain.slug, depth);
    });
    failpoint('reorg.committed');
    this.mempools.forgetAll(chain.slug);
    this.latency.forgetAbove(chain.slug, ancestor.height);
    this.logger.warn({ chain: chain.slug, depth, orphaned: reverted.length }, 'reorg');
    this.paymentLoops.wake();
    return true;
  }

  /**
   * If the node's blocks do not form one chain downwards from `from`, there is no fork: the node contradicts itself,
   * which must neither revert anything nor halt the chain.
   */
  private async findAncestor(
    chain: Chain,
    adapter: ChainAdapter,
    cursor: BlockRef,
    from: BlockRef,
  ): Promise<BlockRef | null> {
    let expected = from.hash;
    for (let height = from.height; ; height--) {
      const kept = height < 0 ? null : await this.cursors.findKeptHash(chain.slug, height);
      if (kept === null) return this.deepForks.resolve(chain, adapter, cursor, height);
      const header = await (adapter.agreedHeader?.(height, kept) ?? adapter.header(height));
      if (header?.hash !== expected)
        throw new ChainInconsistencyError(`${chain.slug}: the node shows two blocks ${height}`);
      if (header.hash === kept) return { height, hash: kept };
      expected = header.parentHash;
    }
  }
}
