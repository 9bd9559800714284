import { Injectable } from '@nestjs/common';
import type { BlockRef, ChainAdapter, ObservedBlock } from '../chains/chain-adapter.js';
import { readOneByOne } from '../chains/one-by-one.js';

/** Blocks read at once, each by itself; more does not help (anchors: the node is the bottleneck). */
const AT_ONCE = 8;
/** Further behind than this, blocks are read in ranges. */
const CATCH_UP_FROM = 16;
/** Blocks of the longest range; an adapter gives fewer where its node cannot do that many. */
const LONGEST_RANGE = 256;

/** Ranges that are asked for before their turn, where their places can be told. */
const AHEAD = 3;

/** A range that was asked for before its turn. */
interface Ahead {
  from: number;
  /** Null: it failed, and is read again when its turn comes. */
  blocks: Promise<ObservedBlock[] | null>;
  /** Those blocks, as soon as they are there. */
  ready: ObservedBlock[] | null;
}

/** What is known of a chain in catch-up. */
interface Progress {
  /** The next ranges, in order. */
  ahead: Ahead[];
  /** Blocks of the last range, and whether the one before had as many. */
  length: number;
  isSteady: boolean;
}

/**
 * Reads the blocks that follow a cursor. In catch-up the next range is asked for while the caller works on this one,
 * and once ranges have settled at a length, some after it, too; those that have come by then are handed over together,
 * because what they cost the caller is the commit and not the block. What was read ahead is judged like everything
 * else, by its hashes, once it is its turn.
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
    const [first, ...later] = before?.ahead[0]?.from === from ? before.ahead : [];
    const blocks = (await first?.blocks) ?? (await adapter.blocks(from, Math.min(LONGEST_RANGE, count)));
    const progress = { ahead: later, length: blocks.length, isSteady: before?.length === blocks.length };
    this.progress.set(adapter.chain, progress);
    const more = takeReady(progress, from + blocks.length, LONGEST_RANGE - blocks.length);
    this.readAhead(adapter, progress, from + blocks.length + more.length, tip);
    return more.length === 0 ? blocks : [...blocks, ...more];
  }

  /** After trouble: what was read ahead may be of a node that was wrong. */
  forget(slug: string): void {
    this.progress.delete(slug);
  }

  private readAhead(adapter: ChainAdapter, progress: Progress, next: number, tip: BlockRef): void {
    const { length, isSteady } = progress;
    const starts = Array.from({ length: isSteady && length > 0 ? AHEAD : 1 }, (_, i) => next + i * length);
    progress.ahead = starts.flatMap((from) => {
      const count = tip.height - from + 1;
      if (!adapter.blocks || count <= CATCH_UP_FROM) return [];
      const asked = progress.ahead.find((one) => one.from === from);
      return [asked ?? ask(adapter.blocks(from, Math.min(LONGEST_RANGE, count)), from)];
    });
  }
}

function ask(answer: Promise<ObservedBlock[]>, from: number): Ahead {
  const ahead: Ahead = { from, ready: null, blocks: answer.catch(() => null) };
  void ahead.blocks.then((blocks) => (ahead.ready = blocks));
  return ahead;
}

/** What has come of the blocks from `next` on, at most so many, and in whole ranges. */
function takeReady(progress: Progress, next: number, most: number): ObservedBlock[] {
  const taken: ObservedBlock[] = [];
  for (let first = progress.ahead[0]; first?.ready?.length; first = progress.ahead[0]) {
    const { from, ready } = first;
    if (from !== next + taken.length || taken.length + ready.length > most) break;
    taken.push(...ready);
    progress.isSteady &&= ready.length === progress.length;
    progress.length = ready.length;
    progress.ahead.shift();
  }
  return taken;
}
