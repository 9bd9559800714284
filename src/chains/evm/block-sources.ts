import type { ObservedBlock } from '../chain-adapter.pure.js';
import type { EvmEndpoint } from './evm-endpoint.js';

/** Blocks whose source is remembered by height. */
const REMEMBERED_BLOCKS = 64;

/** Which endpoint showed a block, to blame it if the block turns out to be wrong. */
export class BlockSources {
  private readonly sources = new WeakMap<ObservedBlock, EvmEndpoint>();
  private readonly recent = new Map<number, { parentHash: string; by: EvmEndpoint }>();

  add(block: ObservedBlock, by: EvmEndpoint): void {
    const { height, parentHash } = block;
    this.sources.set(block, by);
    this.recent.delete(height);
    this.recent.set(height, { parentHash, by });
    if (this.recent.size > REMEMBERED_BLOCKS) this.recent.delete(Math.min(...this.recent.keys()));
  }

  of(block: ObservedBlock): EvmEndpoint | undefined {
    return this.sources.get(block);
  }

  /** The applied block at a height was confirmed: who showed a block above that contradicts it was wrong. */
  blameAbove(height: number, hash: string, blamed: readonly EvmEndpoint[]): void {
    const above = this.recent.get(height + 1);
    if (!above || above.parentHash === hash || blamed.includes(above.by)) return;
    above.by.markFaulty('block', `a block ${height + 1} that does not follow block ${height}`);
    this.recent.delete(height + 1);
  }
}
