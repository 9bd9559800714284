import type { BlockRef } from '../chains/chain-adapter.pure.js';

/** A fork that reaches below the history kept without a gap, as the nodes show it. */
export interface DeepFork {
  /** The chain's safe block; null when no node names one. */
  safe: BlockRef | null;
  /** The hash of the block at the safe block's height. */
  shownAtSafe: string | null;
  /** A fork down to a block at or above this height is not deep: its history has a gap (idle-chain.service.ts). */
  ordinaryFrom: number;
  /** The lowest block that is kept without a gap: it was replaced, like those above it. */
  lowestReplaced: number;
  /** Kept blocks below it, highest first, each with the hash that the nodes show at its height. */
  marks: readonly { kept: BlockRef; shown: string | null }[];
}

/**
 * The applied block from which the watcher may go on: the highest that is kept and still part of the chain, and
 * everything below it with it. Null when nothing is proven, or when a deep fork replaced blocks that are safe now, or no
 * node names a safe block: then a person has to decide.
 */
export function findResumePoint({
  safe,
  shownAtSafe,
  ordinaryFrom,
  lowestReplaced,
  marks,
}: DeepFork): BlockRef | null {
  const first = marks.findIndex(({ kept, shown }) => kept.hash === shown);
  const point = marks[first]?.kept ?? null;
  // A chain that has a block has all blocks below it.
  const isContradictory = marks.slice(first).some(({ kept, shown }) => kept.hash !== shown);
  if (!point || isContradictory) return null;
  if (point.height >= ordinaryFrom) return point;
  if (!safe || shownAtSafe !== safe.hash || safe.height >= lowestReplaced) return null;
  const isSafeReplaced = marks.slice(0, first).some(({ kept }) => kept.height <= safe.height);
  return isSafeReplaced ? null : point;
}
