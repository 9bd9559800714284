import { Injectable, Logger } from '@nestjs/common';
import type { BlockRef, ChainAdapter } from '../chains/chain-adapter.pure.js';
import type { Chain } from '../chains/chain.pure.js';
import { TransfersService } from '../payments/transfers/transfers.service.js';
import { Sql } from '../platform/database/sql.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { BlockMatcher } from './block-matcher.service.js';
import { ChainCursorRepository } from './chain-cursor.repository.js';
import { PaymentLoopsService } from './payment-loops.service.js';
import type { WatchStep } from './watch-step.js';

/** Between two attempts at the same tip: each reads whole blocks again. */
const RETRY_AFTER_MS = 10_000;

/** Asks again for large transfers that could not be confirmed when their block was applied. */
@Injectable()
export class AgreementService {
  private readonly logger = new Logger('Agreement');
  private readonly tried = new Map<string, { tip: string; at: number }>();

  constructor(
    private readonly sql: Sql,
    private readonly cursors: ChainCursorRepository,
    private readonly matcher: BlockMatcher,
    private readonly transfers: TransfersService,
    private readonly paymentLoops: PaymentLoopsService,
    private readonly clock: Clock,
  ) {}

  /** Call when every block up to the tip is applied. */
  async recheck({ chain, adapter, cursor, epoch }: WatchStep): Promise<void> {
    const blocks = await this.transfers.blocksAwaitingAgreement(chain.slug);
    if (blocks.length === 0 || this.isTooSoon(chain.slug, cursor.hash)) return;
    for (const block of blocks) {
      const txHashes = await this.findAgreed(chain, adapter, block);
      if (txHashes.length === 0) continue;
      await this.sql.transaction(async (tx) => {
        // Fenced like a block, which a fork may have removed meanwhile.
        await this.cursors.hold(tx, chain.slug, cursor, epoch);
        await this.transfers.agree(chain.slug, cursor.height, block.hash, txHashes);
      });
      this.logger.log(
        { chain: chain.slug, ...block, transactions: txHashes },
        'large transfers are confirmed now',
      );
      this.paymentLoops.wake();
    }
  }

  /** Transactions of the block that pay us and that two nodes show, or the block proves. A dispute leaves them waiting. */
  private async findAgreed(
    chain: Chain,
    adapter: ChainAdapter,
    { height, hash }: BlockRef,
  ): Promise<string[]> {
    try {
      const block = await adapter.block(height);
      if (block?.hash !== hash) return [];
      const { transfers } = await this.matcher.match(chain, adapter, [block]);
      const waiting = new Set(transfers.filter((one) => one.awaitsAgreement).map(({ txHash }) => txHash));
      return [...new Set(transfers.map(({ txHash }) => txHash))].filter((txHash) => !waiting.has(txHash));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.logger.warn({ chain: chain.slug, height, error: message }, 'large transfers still wait');
      return [];
    }
  }

  private isTooSoon(slug: string, tip: string): boolean {
    const at = this.clock.now().getTime();
    const last = this.tried.get(slug);
    if (last?.tip === tip && Math.abs(at - last.at) < RETRY_AFTER_MS) return true;
    this.tried.set(slug, { tip, at });
    return false;
  }
}
