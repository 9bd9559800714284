import { Injectable } from '@nestjs/common';
import type { BlockRef, ChainAdapter, ObservedBlock } from '../chains/chain-adapter.pure.js';
import { readBlocksConcurrently } from '../chains/read-blocks-concurrently.pure.js';

/** Blocks read at once, each by itself; more does not help (anchors: the node is the bottleneck). */
const AT_ONCE = 8;
/** Further behind than this, blocks are read in ranges. */
const CATCH_UP_FROM = 16;
/** Blocks of the longest range; an adapter gives fewer where its node cannot do that many. */
const LONGEST_RANGE = 256;

/** Ranges that are asked for before their turn, and how many of them at once. */
const AHEAD = 8;
const UNDER_WAY = 3;

/** A range that was asked for before its turn. */
interface Ahead {
  from: number;
  /** Null: it failed, and is read again when its turn comes. */
  blocks: Promise<ObservedBlock[] | null>;
  /** Those blocks, as soon as they are there. */
  ready: ObservedBlock[] | null;
  hasFailed: boolean;
}

/** What is known of a chain in catch-up. */
interface Progress {
  /** The range that is waited for. */
  turn: Ahead | null;
  /** The next ranges, in order. */
  ahead: Ahead[];
  /** Blocks of the last range, and whether the one before had as many. */
  length: number;
  isSteady: boolean;
  tip: BlockRef;
}

/**
 * Reads the blocks that follow a cursor. In catch-up the next ranges are asked for while the caller works on this one,
 * several at once when ranges have settled at a length; those that have come by their turn are handed over together,
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
      return readBlocksConcurrently(adapter, from, Math.min(AT_ONCE, count));
    }
    const before = this.progress.get(adapter.chain);
    const progress = before ?? { turn: null, ahead: [], length: 0, isSteady: false, tip };
    this.progress.set(adapter.chain, progress);
    progress.tip = tip;
    if (progress.ahead[0]?.from !== from) progress.ahead = [];
    progress.turn = progress.ahead.shift() ?? null;
    const blocks =
      (await progress.turn?.blocks) ?? (await adapter.blocks(from, Math.min(LONGEST_RANGE, count)));
    progress.turn = null;
    progress.isSteady = blocks.length === progress.length;
    progress.length = blocks.length;
    const more = takeReady(progress, from + blocks.length, LONGEST_RANGE - blocks.length);
    this.readAhead(adapter, progress, from + blocks.length + more.length);
    return more.length === 0 ? blocks : [...blocks, ...more];
  }

  /** After trouble: what was read ahead may be of a node that was wrong. */
  forget(slug: string): void {
    this.progress.delete(slug);
  }

  /** @param next where to go on while nothing is ahead */
  private readAhead(adapter: ChainAdapter, progress: Progress, next: number): void {
    if (!adapter.blocks || this.progress.get(adapter.chain) !== progress) return;
    while (progress.ahead.length < AHEAD && countUnderWay(progress) < UNDER_WAY) {
      const from = placeBehind(progress, next);
      if (from === null) return;
      const count = progress.tip.height - from + 1;
      if (count <= CATCH_UP_FROM) return;
      const blocks = adapter.blocks(from, Math.min(LONGEST_RANGE, count)).catch(() => null);
      const ahead: Ahead = { from, blocks, ready: null, hasFailed: false };
      progress.ahead.push(ahead);
      void blocks.then((found) => {
        ahead.ready = found;
        ahead.hasFailed = found === null;
        const isWanted = progress.turn === ahead || progress.ahead.includes(ahead);
        if (found && isWanted) this.readAhead(adapter, progress, from + found.length);
      });
    }
  }
}

function countUnderWay({ ahead }: Progress): number {
  return ahead.filter(({ ready, hasFailed }) => !ready && !hasFailed).length;
}

/** Where the range behind all others begins; null while that cannot be told. */
function placeBehind({ ahead, length, isSteady }: Progress, next: number): number | null {
  const last = ahead.at(-1);
  if (!last) return next;
  if (last.ready) return last.ready.length > 0 ? last.from + last.ready.length : null;
  return isSteady && length > 0 && !last.hasFailed ? last.from + length : null;
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
