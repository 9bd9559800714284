import { Injectable, Logger } from '@nestjs/common';
import type { BlockRef, ChainAdapter } from '../chains/chain-adapter.pure.js';
import type { Chain } from '../chains/chain.pure.js';
import { ChainCursorService } from './chain-cursor.service.js';

/** What goes into a recorded block: nothing on a chain that is settled by depth. */
export interface FinalHeight {
  /** Null when it is not known: then nothing is confirmed. */
  finalHeight?: number | null;
}

/** How far a chain is final, for those that are settled by that instead of by depth. */
@Injectable()
export class ChainFinalityService {
  private readonly logger = new Logger('ChainFinality');
  /** Chains whose trouble was told. */
  private readonly troubled = new Set<string>();

  constructor(private readonly cursors: ChainCursorService) {}

  /**
   * Trouble with it delays confirmations and nothing else: funds are still seen.
   * @param applied the block that the cursor stands on, or those that are about to be applied
   */
  async read(chain: Chain, adapter: ChainAdapter, applied: readonly BlockRef[]): Promise<FinalHeight> {
    if (chain.finality !== 'finalized') return {};
    try {
      if (!adapter.finalized) throw new Error('the chain has no finalized block');
      const { height, hash } = await adapter.finalized();
      // Still to come: it counts once it is the block that we applied there.
      if (height > (applied.at(-1)?.height ?? -1)) return { finalHeight: null };
      const known = applied.find((block) => block.height === height)?.hash;
      // Below the kept history there is nothing to compare it with, and no fork that we would survive.
      const kept = known ?? (await this.cursors.findKeptHash(chain.slug, height));
      if (kept !== null && kept !== hash)
        throw new Error(`the final block ${height} is not the one we applied`);
      this.troubled.delete(chain.slug);
      return { finalHeight: height };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (!this.troubled.has(chain.slug)) {
        this.logger.warn({ chain: chain.slug, error: message }, 'final height unknown: nothing is confirmed');
      }
      this.troubled.add(chain.slug);
      return { finalHeight: null };
    }
  }
}
