import { Injectable, Logger } from '@nestjs/common';
import type { BlockRef, ChainAdapter } from '../chains/chain-adapter.pure.js';
import type { Chain, FinalityTag } from '../chains/chain.pure.js';
import { type FinalHeights, TransfersService } from '../payments/transfers/transfers.service.js';
import { ChainCursorRepository } from './chain-cursor.repository.js';

/** Reads up to which height a chain calls its blocks final, if anything waits for that. */
@Injectable()
export class ChainFinalityService {
  private readonly logger = new Logger('ChainFinality');
  /** Chains and tags whose failure, or whose replacement by a number of blocks, is logged already. */
  private readonly logged = new Set<string>();

  constructor(
    private readonly cursors: ChainCursorRepository,
    private readonly transfers: TransfersService,
  ) {}

  /** The tags of blocks that recorded transfers wait for. */
  async listAwaited(chain: Chain, adapter: ChainAdapter): Promise<ReadonlySet<FinalityTag>> {
    // Chains without tags have nothing that waits for one.
    if (!adapter.tagged) return new Set();
    const recorded = await this.transfers.awaitedTags(chain.slug);
    return new Set(chain.finality === 'finalized' ? [...recorded, 'finalized'] : recorded);
  }

  /**
   * The heights that pending transfers wait for. A failure delays confirmations and nothing else: transfers are still
   * recorded.
   * @param awaited as {@link listAwaited} has it
   * @param applied the block at the cursor, or those about to be applied
   */
  async read(
    chain: Chain,
    adapter: ChainAdapter,
    awaited: ReadonlySet<FinalityTag>,
    applied: readonly BlockRef[],
  ): Promise<FinalHeights> {
    const heights: FinalHeights = {};
    for (const tag of awaited) {
      const name = `${chain.slug} ${tag}`;
      try {
        const height = await this.readTag(chain, adapter, tag, applied);
        if (height !== null) heights[tag] = height;
        this.logged.delete(name);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        this.warnOnce(
          name,
          { chain: chain.slug, tag, error: message },
          'unknown: nothing waiting for it counts',
        );
      }
    }
    return heights;
  }

  /** Null when the block is above those that are applied: it counts once the one applied at that height is the same. */
  private async readTag(
    { slug, blocksToFinality, requiredTags }: Chain,
    adapter: ChainAdapter,
    tag: FinalityTag,
    applied: readonly BlockRef[],
  ): Promise<number | null> {
    const newest = applied.at(-1)?.height ?? -1;
    const found = (await adapter.tagged?.(tag)) ?? null;
    if (!found) {
      const blocks = blocksToFinality?.[tag];
      if (blocks === undefined || requiredTags?.includes(tag))
        throw new Error(`no node names a ${tag} block`);
      this.warnOnce(
        `${slug} ${tag} depth`,
        { chain: slug, tag, blocks },
        'no node supports it: blocks count instead',
      );
      return newest - blocks + 1;
    }
    if (found.height > newest) return null;
    const known = applied.find(({ height }) => height === found.height)?.hash;
    // Below the kept history there is nothing to compare with, and a fork that deep halts the chain anyway.
    const kept = known ?? (await this.cursors.findKeptHash(slug, found.height));
    if (kept !== null && kept !== found.hash)
      throw new Error(`the ${tag} block ${found.height} is not the applied one`);
    return found.height;
  }

  private warnOnce(name: string, about: object, message: string): void {
    if (!this.logged.has(name)) this.logger.warn(about, message);
    this.logged.add(name);
  }
}
