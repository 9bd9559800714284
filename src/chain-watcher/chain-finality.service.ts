import { Injectable, Logger } from '@nestjs/common';
import type { BlockRef, ChainAdapter } from '../chains/chain-adapter.pure.js';
import type { Chain } from '../chains/chain.pure.js';
import { ChainCursorRepository } from './chain-cursor.repository.js';

/** Finality of applied blocks; empty on a chain that is settled by depth. */
export interface FinalHeight {
  /** Null when unknown: then nothing is confirmed. */
  finalHeight?: number | null;
}

/** Reads the height up to which a chain is final, for chains settled by finality. */
@Injectable()
export class ChainFinalityService {
  private readonly logger = new Logger('ChainFinality');
  /** Chains whose failure is logged already. */
  private readonly failing = new Set<string>();

  constructor(private readonly cursors: ChainCursorRepository) {}

  /**
   * A failure delays confirmations and nothing else: transfers are still recorded.
   * @param applied the block at the cursor, or those about to be applied
   */
  async read(chain: Chain, adapter: ChainAdapter, applied: readonly BlockRef[]): Promise<FinalHeight> {
    if (chain.finality !== 'finalized') return {};
    try {
      if (!adapter.finalized) throw new Error('the chain has no finalized block');
      const { height, hash } = await adapter.finalized();
      // Above the applied blocks: it counts once the block applied at that height is the same.
      if (height > (applied.at(-1)?.height ?? -1)) return { finalHeight: null };
      const known = applied.find((block) => block.height === height)?.hash;
      // Below the kept history there is nothing to compare with, and a fork that deep halts the chain anyway.
      const kept = known ?? (await this.cursors.findKeptHash(chain.slug, height));
      if (kept !== null && kept !== hash) throw new Error(`the final block ${height} is not the applied one`);
      this.failing.delete(chain.slug);
      return { finalHeight: height };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (!this.failing.has(chain.slug)) {
        this.logger.warn({ chain: chain.slug, error: message }, 'final height unknown: nothing is confirmed');
      }
      this.failing.add(chain.slug);
      return { finalHeight: null };
    }
  }
}
