import { Injectable } from '@nestjs/common';
import type { BlockRef, ChainAdapter, ObservedBlock } from '../chains/chain-adapter.js';
import { readOneByOne } from '../chains/one-by-one.js';

/** Blocks read at once, each by itself; more does not help (anchors: the node is the bottleneck). */
const AT_ONCE = 8;
/** Further behind than this, blocks are read in ranges. */
const CATCH_UP_FROM = 16;
/** Blocks of the longest range; an adapter gives fewer where its node cannot do that many. */
const LONGEST_RANGE = 256;

/** A range that was asked for before its turn. */
interface Ahead {
  from: number;
  /** Null: it failed, and is read again when its turn comes. */
  blocks: Promise<ObservedBlock[] | null>;
}

/** What is known of a chain in catch-up. */
interface Progress {
  /** The next range, and the one after it where its place can be told. */
  ahead: Ahead[];
  /** Blocks of the last range, and whether the one before had as many. */
  length: number;
  isSteady: boolean;
}

/**
 * Reads the blocks that follow a cursor. In catch-up the next range is asked for while the caller works on this one,
 * and once ranges have settled at a length, the one after it, too: what was read ahead is judged like everything else,
 * by its hashes, once it is its turn.
 */
@Injectable()
export class BlockReader {
  private readonly progress = new Map<string, Progress>();

  /** Consecutive heights from the cursor on; fewer than there are, and none if the node has none. */
  async read(adapter: ChainAdapter, cursor: BlockRef, tip: BlockRef): Promise<ObservedBlock[]> {
    const from = cursor.height + 1;
    const count = tip.height - cursor.height;
    if (!adapter.blocks || count <= CATCH_UP_FROM) {
      this.forget(adapter.chain);
      return readOneByOne(adapter, from, Math.min(AT_ONCE, count));
    }
    const before = this.progress.get(adapter.chain);
    const ready = before?.ahead[0]?.from === from ? before.ahead : [];
    const blocks = (await ready[0]?.blocks) ?? (await adapter.blocks(from, Math.min(LONGEST_RANGE, count)));
    const { length } = blocks;
    const progress = { ahead: ready.slice(1), length, isSteady: before?.length === length };
    this.progress.set(adapter.chain, progress);
    this.readAhead(adapter, progress, from + length, tip);
    return blocks;
  }

  /** After trouble: what was read ahead may be of a node that was wrong. */
  forget(slug: string): void {
    this.progress.delete(slug);
  }

  private readAhead(adapter: ChainAdapter, progress: Progress, next: number, tip: BlockRef): void {
    const { length, isSteady } = progress;
    const starts = isSteady && length > 0 ? [next, next + length] : [next];
    progress.ahead = starts.flatMap((from) => {
      const count = tip.height - from + 1;
      if (!adapter.blocks || count <= CATCH_UP_FROM) return [];
      const asked = progress.ahead.find((one) => one.from === from);
      if (asked) return [asked];
      const blocks = adapter.blocks(from, Math.min(LONGEST_RANGE, count)).catch(() => null);
      return [{ from, blocks }];
    });
  }
}
