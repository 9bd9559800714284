import type { Chain } from '../chains/chain.pure.js';

/** Blocks kept without a gap, in reorg windows. */
const KEPT_WINDOWS = 2;
/** Below them, every so many blocks, one is kept as a mark, up to so many marks. */
const MARK_EVERY = 256;
const MARKS = 256;

/** Which of the applied blocks are kept. */
export interface KeptHistory {
  /** All from this height on. */
  lowest: number;
  /** Below, those whose height is a multiple of this, down to `lowestMark`. */
  markEvery: number;
  lowestMark: number;
}

/** Marks are kept where a fork may be deeper than any reasonable history (decisions/0804-resume-from-the-safe-head.md). */
export function keptHistory(
  { reorgWindow, resumesFromSafe }: Pick<Chain, 'reorgWindow' | 'resumesFromSafe'>,
  newest: number,
): KeptHistory {
  const lowest = newest - KEPT_WINDOWS * reorgWindow;
  return {
    lowest,
    markEvery: MARK_EVERY,
    lowestMark: resumesFromSafe ? lowest - MARKS * MARK_EVERY : lowest,
  };
}

export function isKept(height: number, { lowest, markEvery, lowestMark }: KeptHistory): boolean {
  return height >= lowest || (height >= lowestMark && height % markEvery === 0);
}
