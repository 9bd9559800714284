import { Injectable, Logger } from '@nestjs/common';
import { type BlockRef, type ChainAdapter, ChainInconsistencyError } from '../chains/chain-adapter.pure.js';
import type { Chain } from '../chains/chain.pure.js';
import { ChainCursorRepository } from './chain-cursor.repository.js';
import { keptHistory } from './kept-history.pure.js';
import { type DeepFork, findResumePoint } from './resume-point.pure.js';

/** Decides about a fork that reaches below the history kept without a gap. */
@Injectable()
export class DeepForkService {
  private readonly logger = new Logger('ChainWatcher');

  constructor(private readonly cursors: ChainCursorRepository) {}

  /**
   * The applied block to go back to; null when the chain was halted.
   * @param missing the highest height, below the replaced blocks, at which none is kept
   * @throws ChainInconsistencyError when the node contradicts itself, which must not halt the chain
   */
  async resolve(
    chain: Chain,
    adapter: ChainAdapter,
    cursor: BlockRef,
    missing: number,
  ): Promise<BlockRef | null> {
    await this.requireTip(chain, adapter);
    const point = findResumePoint(await this.look(chain, adapter, cursor, missing + 1));
    if (point) {
      const about = { chain: chain.slug, height: point.height };
      this.logger.warn(about, 'the fork goes below the history without a gap: continuing at a common block');
      return point;
    }
    const reason = `the fork is deeper than the kept history at height ${missing}`;
    await this.cursors.halt(chain.slug, cursor, missing, reason);
    this.logger.error(
      { chain: chain.slug, height: missing },
      'chain halted: fork deeper than the kept history',
    );
    return null;
  }

  private async look(
    chain: Chain,
    adapter: ChainAdapter,
    cursor: BlockRef,
    lowestReplaced: number,
  ): Promise<DeepFork> {
    const { lowest: ordinaryFrom, lowestMark } = keptHistory(chain, cursor.height);
    const safe = chain.resumesFromSafe ? ((await adapter.tagged?.('safe')) ?? null) : null;
    const shownAt = async ({ height, hash }: BlockRef) =>
      (await (adapter.agreedHeader?.(height, hash) ?? adapter.header(height)))?.hash ?? null;
    const marks: { kept: BlockRef; shown: string | null }[] = [];
    const below = await this.cursors.findKeptBelow(chain.slug, lowestReplaced);
    for (const kept of below.filter(({ height }) => height >= lowestMark)) {
      const shown = await shownAt(kept);
      marks.push({ kept, shown });
      if (shown === kept.hash) break;
    }
    return { safe, shownAtSafe: safe && (await shownAt(safe)), ordinaryFrom, lowestReplaced, marks };
  }

  /** A node that confuses heights also shows one chain downwards, but does not have the tip that it names. */
  private async requireTip(chain: Chain, adapter: ChainAdapter): Promise<void> {
    const tip = await adapter.tip();
    if ((await adapter.header(tip.height))?.hash !== tip.hash)
      throw new ChainInconsistencyError(`${chain.slug}: the node does not show its newest block`);
  }
}
