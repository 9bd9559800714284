import { Inject, Injectable } from '@nestjs/common';
import type { BlockRef, ObservedBlock } from '../chains/chain-adapter.pure.js';
import { OwnFundsService } from '../payments/own-funds/own-funds.service.js';
import { TransfersService } from '../payments/transfers/transfers.service.js';
import { type Queryable, Sql } from '../platform/database/sql.js';
import { span } from '../platform/kernel/spans.js';
import { failpoint } from '../platform/kernel/failpoints.js';
import { BlockMatcher } from './block-matcher.service.js';
import { BlockReader } from './block-reader.service.js';
import { ChainCursorRepository } from './chain-cursor.repository.js';
import { ChainFinalityService } from './chain-finality.service.js';
import { DetectionLatencyService } from './detection-latency.service.js';
import { keptHistory } from './kept-history.pure.js';
import { PaymentLoopsService } from './payment-loops.service.js';
import { UnreadTraces } from './unread-traces.service.js';
import type { WatchStep } from './watch-step.js';

/** Outcome of moving forward. */
export interface Advance {
  /** The node's block at the cursor's height, if it is not the applied one; then nothing was applied. */
  fork: BlockRef | null;
  /** Whether another step should follow at once. */
  isMore: boolean;
}

/** Moves a chain forward: applies new blocks and finality, each in one transaction with the cursor. */
@Injectable()
export class BlockApplierService {
  @Inject(UnreadTraces) private readonly unread: UnreadTraces;
  @Inject(OwnFundsService) private readonly ownFunds: OwnFundsService;

  constructor(
    private readonly sql: Sql,
    private readonly cursors: ChainCursorRepository,
    private readonly reader: BlockReader,
    private readonly matcher: BlockMatcher,
    private readonly finality: ChainFinalityService,
    private readonly transfers: TransfersService,
    private readonly latency: DetectionLatencyService,
    private readonly paymentLoops: PaymentLoopsService,
  ) {}

  /** Applies blocks above the cursor, as many as the reader gives at once. */
  async advance(step: WatchStep): Promise<Advance> {
    const { chain, adapter, cursor, tip, asOf, epoch } = step;
    this.latency.sawHead(chain.slug, tip.height, performance.now());
    const blocks = await this.reader.read(adapter, cursor, tip);
    const [first] = blocks;
    if (!first) return { fork: null, isMore: false };
    if (first.parentHash !== cursor.hash)
      return { fork: { height: cursor.height, hash: first.parentHash }, isMore: true };
    const reached = await this.apply(step, blocks.slice(0, linkedLength(cursor, blocks)));
    if (!adapter.mempool && reached.hash === tip.hash)
      await this.cursors.markCaughtUp(chain.slug, reached, asOf, epoch);
    // At the tip, the next step reads the mempool.
    return { fork: null, isMore: adapter.mempool !== undefined || reached.height < tip.height };
  }

  /** Finality advances without new blocks, too. */
  async applyFinality({ chain, adapter, cursor, epoch }: WatchStep): Promise<void> {
    const awaited = await this.finality.listAwaited(chain, adapter);
    const final = await this.finality.read(chain, adapter, awaited, [cursor]);
    if (Object.keys(final).length === 0) return;
    const update = { chain: chain.slug, height: cursor.height, transfers: [], final };
    await this.sql.transaction(async (tx) => {
      // Fenced like a block: finality on one branch says nothing about another that was applied meanwhile.
      await this.cursors.hold(tx, chain.slug, cursor, epoch);
      await this.transfers.applyBlocks(update);
    });
    this.paymentLoops.wake();
  }

  /**
   * Commits blocks in one transaction, up to the first whose transfers cannot be verified.
   * @returns the new cursor
   */
  private async apply(
    { chain, adapter, cursor, epoch }: WatchStep,
    blocks: readonly ObservedBlock[],
  ): Promise<BlockRef> {
    const [{ known, transfers, own }, awaited] = await Promise.all([
      this.matcher.match(chain, adapter, blocks),
      this.finality.listAwaited(chain, adapter),
    ]);
    const last = known.at(-1);
    if (!last) return cursor;
    const final = await this.finality.read(chain, adapter, awaited, known);
    const history = keptHistory(chain, last.height);
    failpoint('blocks.matched');
    const range = { chain: chain.slug, from: cursor.height + 1, to: last.height };
    const commit = (tx: Queryable) => {
      const moved = this.cursors
        .advance(tx, chain.slug, cursor, known, history, epoch)
        .then(() => failpoint('blocks.cursor-moved'))
        .then(() => this.unread.record(chain.slug, known))
        .then(() => this.ownFunds.record(chain.slug, own));
      const spends = known.flatMap((block) => block.spends ?? []);
      const recorded = { chain: chain.slug, height: last.height, transfers, final, spends };
      return this.transfers.applyBlocks(recorded, moved);
    };
    await span('chain.commit', range, () => this.sql.transaction(commit));
    failpoint('blocks.committed');
    this.latency.committed(chain.slug, last.height, performance.now());
    this.paymentLoops.wake();
    return last;
  }
}

/** How many of the blocks form one chain on top of the cursor. */
function linkedLength(cursor: BlockRef, blocks: readonly ObservedBlock[]): number {
  const broken = blocks.findIndex(
    (block, i) => block.parentHash !== (i === 0 ? cursor : blocks[i - 1])?.hash,
  );
  return broken === -1 ? blocks.length : broken;
}
