import { Injectable } from '@nestjs/common';
import {
  type BlockRef,
  CATCH_UP_FROM,
  type ChainAdapter,
  type ObservedBlock,
} from '../chains/chain-adapter.pure.js';
import { readBlocksConcurrently } from '../chains/read-blocks-concurrently.pure.js';

/** Blocks requested concurrently near the tip; more does not help, since the node is the bottleneck. */
const CONCURRENT_BLOCKS = 8;
/** Blocks of the longest range; an adapter returns fewer where its node cannot handle that many. */
const LONGEST_RANGE = 256;

/** Ranges requested ahead, and how many of those requests run concurrently. */
const PREFETCHED_RANGES = 8;
const CONCURRENT_RANGES = 3;

/** A range that was requested ahead. */
interface PrefetchedRange {
  from: number;
  /** Null when the request failed; the range is requested again when its turn comes. */
  blocks: Promise<ObservedBlock[] | null>;
  /** The same blocks once they have arrived. */
  ready: ObservedBlock[] | null;
  hasFailed: boolean;
}

/** State of a chain in catch-up. */
interface Progress {
  /** The range that the caller waits for. */
  turn: PrefetchedRange | null;
  /** The next ranges, in order. */
  ahead: PrefetchedRange[];
  /** Blocks in the last range, and whether the one before it had the same number. */
  length: number;
  isSteady: boolean;
  tip: BlockRef;
}

/**
 * Reads the blocks after a cursor. In catch-up it requests the next ranges while the caller processes this one, several
 * concurrently once their length is steady. Ranges that have arrived are returned together, because the caller pays per
 * commit rather than per block. The caller checks the hashes of prefetched blocks like those of any other.
 */
@Injectable()
export class BlockReader {
  private readonly progress = new Map<string, Progress>();

  /** Consecutive blocks above the cursor: possibly fewer than there are, none if the node has none. */
  async read(adapter: ChainAdapter, cursor: BlockRef, tip: BlockRef): Promise<ObservedBlock[]> {
    const from = cursor.height + 1;
    const count = tip.height - cursor.height;
    if (!adapter.blocks || count <= CATCH_UP_FROM) {
      this.forget(adapter.chain);
      if (adapter.blocks && count >= (adapter.cheapRange ?? Infinity)) return adapter.blocks(from, count);
      return readBlocksConcurrently(adapter, from, Math.min(CONCURRENT_BLOCKS, count));
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

  /** Drops prefetched blocks: after a failure they may come from a faulty node. */
  forget(slug: string): void {
    this.progress.delete(slug);
  }

  /** @param next height to continue at when nothing is prefetched */
  private readAhead(adapter: ChainAdapter, progress: Progress, next: number): void {
    if (!adapter.blocks || this.progress.get(adapter.chain) !== progress) return;
    while (progress.ahead.length < PREFETCHED_RANGES && countPending(progress) < CONCURRENT_RANGES) {
      const from = nextHeight(progress, next);
      if (from === null) return;
      const count = progress.tip.height - from + 1;
      if (count <= CATCH_UP_FROM) return;
      const blocks = adapter.blocks(from, Math.min(LONGEST_RANGE, count)).catch(() => null);
      const ahead: PrefetchedRange = { from, blocks, ready: null, hasFailed: false };
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

function countPending({ ahead }: Progress): number {
  return ahead.filter(({ ready, hasFailed }) => !ready && !hasFailed).length;
}

/** Height after the last prefetched range; null while its length is unknown. */
function nextHeight({ ahead, length, isSteady }: Progress, next: number): number | null {
  const last = ahead.at(-1);
  if (!last) return next;
  if (last.ready) return last.ready.length > 0 ? last.from + last.ready.length : null;
  return isSteady && length > 0 && !last.hasFailed ? last.from + length : null;
}

/** Takes whole ranges that have arrived, from `next` on, up to `most` blocks. */
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
