import type { BlockRef, ChainAdapter } from '../chains/chain-adapter.pure.js';
import type { Chain } from '../chains/chain.pure.js';

/** What a step on one chain knows when it decides what to do. */
export interface WatchStep {
  chain: Chain;
  adapter: ChainAdapter;
  /** Of the lease: fences writes of a watcher that lost it. */
  epoch: number;
  /** The newest block that is applied. */
  cursor: BlockRef;
  /** The node's newest block. */
  tip: BlockRef;
  /** A time just before the node was asked for the tip. */
  asOf: Date;
}
