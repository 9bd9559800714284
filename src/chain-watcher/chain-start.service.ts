import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  type BlockHeader,
  type BlockRef,
  type ChainAdapter,
  ChainInconsistencyError,
} from '../chains/chain-adapter.pure.js';
import type { Chain } from '../chains/chain.pure.js';
import { CONFIG, type Config } from '../config.js';
import { ChainCursorRepository } from './chain-cursor.repository.js';

/** Starts watching a chain that has no cursor yet. */
@Injectable()
export class ChainStartService {
  private readonly logger = new Logger('ChainStart');

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly cursors: ChainCursorRepository,
  ) {}

  /**
   * Starts at the configured height (CHAIN_<SLUG>_START_HEIGHT), or else below the tip, so that a fork right after the
   * start finds its common ancestor in the kept history.
   */
  async begin(chain: Chain, adapter: ChainAdapter, epoch: number): Promise<void> {
    const tip = await adapter.tip();
    const configured = this.config.chains.find(({ slug }) => slug === chain.slug)?.startHeight;
    const height = configured ?? Math.max(0, tip.height - chain.reorgWindow);
    const start = await adapter.header(height);
    if (!start) throw new Error(`the node has no block at the start height ${height}`);
    await this.cursors.create(chain.slug, start, epoch);
    this.logger.log({ chain: chain.slug, height }, 'cursor initialized');
  }

  /** The history of a cursor that begins at a block: that one, and one below it at which a fork finds its ancestor. */
  async historyAt(chain: Chain, adapter: ChainAdapter, at: BlockRef): Promise<BlockHeader[]> {
    const below = await adapter.header(Math.max(0, at.height - chain.reorgWindow));
    const newest = await adapter.header(at.height);
    if (!below || newest?.hash !== at.hash)
      throw new ChainInconsistencyError(`${chain.slug}: the node does not show its block ${at.height}`);
    return below.height === newest.height ? [newest] : [below, newest];
  }
}
