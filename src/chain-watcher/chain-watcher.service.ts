import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { type ChainAdapter, PrunedBlockError } from '../chains/chain-adapter.pure.js';
import type { Chain } from '../chains/chain.pure.js';
import { ChainsService } from '../chains/chains.service.js';
import { isRefused } from '../platform/database/database-errors.pure.js';
import { SeparatePayments } from '../payments/transfers/separate-payments.service.js';
import { BlockApplierService } from './block-applier.service.js';
import { ChainCursorRepository, CursorMovedError } from './chain-cursor.repository.js';
import { ChainLeaseService } from './chain-lease.service.js';
import { ChainStartService } from './chain-start.service.js';
import { NodeStatusService } from './node-status.service.js';
import { PrunedBlocksService } from './pruned-blocks.service.js';
import { ReorgService } from './reorg.service.js';
import { WaitingTransfersService } from './waiting-transfers.service.js';

/**
 * Follows the configured chains, one step at a time. A step applies blocks, reverts those that a fork removed, or reads
 * the mempool; each commits its transfers in one transaction with the cursor. A step that fails is retried from its
 * start; nothing partial is written and no block is ever skipped (specification/chains.md#following-a-chain).
 */
@Injectable()
export class ChainWatcherService implements BeforeApplicationShutdown {
  @Inject(PrunedBlocksService)
  private readonly pruned: PrunedBlocksService;
  @Inject(SeparatePayments) private readonly separate: SeparatePayments;

  constructor(
    private readonly chains: ChainsService,
    private readonly leases: ChainLeaseService,
    private readonly cursors: ChainCursorRepository,
    private readonly start: ChainStartService,
    private readonly node: NodeStatusService,
    private readonly blocks: BlockApplierService,
    private readonly reorgs: ReorgService,
    private readonly waiting: WaitingTransfersService,
  ) {}

  /** One step on one chain; returns whether more is waiting. Node failures are reported, not thrown. */
  async runOnce(slug: string): Promise<boolean> {
    const chain = this.chains.get(slug);
    try {
      const isMore = await this.step(chain, this.chains.adapter(slug));
      this.separate.noteStep(slug, 'done');
      await this.node.reportSuccess(slug);
      return isMore;
    } catch (error) {
      if (error instanceof CursorMovedError) {
        this.leases.doubt(slug);
        return true;
      }
      const isDoneOtherwise = this.separate.noteStep(slug, 'failed');
      await this.node.reportFailure(slug, error);
      return isDoneOtherwise && isRefused(error);
    }
  }

  /** Runs steps until the chain's tip is applied. For tests and commands. */
  async drain(slug: string): Promise<void> {
    while (await this.runOnce(slug)) continue;
  }

  /** Lets another instance take over at once; a step still under way is fenced off by its epoch. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.leases.releaseAll();
  }

  private async step(chain: Chain, adapter: ChainAdapter): Promise<boolean> {
    const epoch = await this.leases.acquire(chain.slug);
    if (epoch === null) return false;
    await this.node.probe(adapter);
    const requested = this.node.requestTip(adapter);
    const cursor = await this.cursors.find(chain.slug);
    if (!cursor) {
      await this.start.begin(chain, adapter, epoch);
      return true;
    }
    if (cursor.isHalted) return false;
    const tip = await requested.tip;
    this.node.sawTip(chain.slug, tip);
    const step = { chain, adapter, epoch, cursor, tip, asOf: requested.asOf };
    if (tip.height > cursor.height) {
      const { fork, isMore } = await this.blocks.advance(step).catch(async (error: unknown) => {
        if (!(error instanceof PrunedBlockError)) throw error;
        await this.pruned.cross(step);
        return { fork: null, isMore: true };
      });
      return fork ? this.reorgs.rollBack(step, fork) : isMore;
    }
    const kept =
      tip.height === cursor.height ? cursor.hash : await this.cursors.findKeptHash(chain.slug, tip.height);
    // A known tip that is not above the cursor: the chain is up to date, or the node lags. Neither is a fork.
    if (kept === tip.hash) return this.waiting.watch(step);
    if (kept === null)
      throw new Error(`the node is far behind: its tip is ${tip.height}, ours is ${cursor.height}`);
    return this.reorgs.rollBack(step, tip);
  }
}
