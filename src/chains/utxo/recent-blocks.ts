import type { BlockRef } from '../chain-adapter.pure.js';
import type { JsonRpc } from '../json-rpc.js';
import { toHash, toHeight, toList, toObject } from './utxo-source.js';

/** Blocks below the tip that are searched: a day of Bitcoin. */
const DEPTH = 144;
/** Blocks per batch; their lists of hashes have some hundred kilobytes each. */
const BATCH = 12;
/** Transactions whose search is cached. */
const REMEMBERED = 100;

/**
 * Finds a transaction in the newest blocks of a node without a transaction index. Searched blocks are cached for each
 * transaction, so that the next search reads only new ones.
 */
export class RecentBlocks {
  /** Hashes of searched blocks without the transaction, by transaction. */
  private readonly without = new Map<string, Set<string>>();

  constructor(private readonly rpc: JsonRpc) {}

  /** Height of its block in the canonical chain, or null. */
  async find(txHash: string, tip: BlockRef): Promise<number | null> {
    const known = this.without.get(txHash) ?? new Set<string>();
    const heights = Array.from({ length: Math.min(DEPTH, tip.height + 1) }, (_, i) => tip.height - i);
    const hashes = await this.rpc.batch(heights.map((height) => ['getblockhash', [height]]));
    const fresh = hashes.map(toHash).filter((hash) => !known.has(hash));
    for (let start = 0; start < fresh.length; start += BATCH) {
      const some = fresh.slice(start, start + BATCH);
      const blocks = await this.rpc.batch(some.map((hash) => ['getblock', [hash, true]]));
      for (const block of blocks.map(toObject)) {
        if (toList(block['tx']).includes(txHash)) {
          this.without.delete(txHash);
          return toHeight(block['height']);
        }
        known.add(toHash(block['hash']));
      }
    }
    this.remember(txHash, known);
    return null;
  }

  private remember(txHash: string, hashes: Set<string>): void {
    this.without.delete(txHash);
    this.without.set(txHash, hashes);
    const [oldest] = this.without.keys();
    if (oldest !== undefined && this.without.size > REMEMBERED) this.without.delete(oldest);
  }
}
