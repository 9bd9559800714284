import type { ChainCondition } from '../../chains/chain-health.pure.js';

/** Average block times without a look at the node, after which nobody knows the newest block. */
const UNKNOWN_AFTER_BLOCKS = 3;
/** Seconds; looks at chains with fast blocks may pause briefly without a problem. */
const SHORTEST_UNKNOWN = 60;

/** Why the newest block is not known. */
export type BlockUnknown = 'never' | 'unreachable' | 'outdated';

/** The newest block of a chain as far as somebody knows; what was known last stays beside `unknown`. */
export interface NewestBlock {
  height: number | null;
  /** Its own time; that of its first sight where the gateway has not read it yet. */
  time: Date | null;
  unknown: BlockUnknown | null;
  /** Since when it is unknown; null: it is known, or was never known. */
  unknownSince: Date | null;
}

interface Known {
  condition: Pick<ChainCondition, 'head' | 'roseAt' | 'checkedAt' | 'trouble'> | null;
  /** The newest block that the gateway has applied. */
  cursor: { height: number; blockTime: Date | null } | null;
}

/** A block that was seen long ago says nothing of now: its age would be counted on and on, as if it were the chain's. */
export function newestBlockOf(
  { condition, cursor }: Known,
  averageBlockSeconds: number,
  now: Date,
): NewestBlock {
  if (!condition) return { height: null, time: null, unknown: 'never', unknownSince: null };
  const { head, roseAt, checkedAt, trouble } = condition;
  const isRead = head !== null && cursor !== null && cursor.height >= head.height;
  const known = { height: head?.height ?? null, time: (isRead ? cursor.blockTime : null) ?? roseAt };
  if (trouble) return { ...known, unknown: 'unreachable', unknownSince: trouble.since };
  const limit = Math.max(SHORTEST_UNKNOWN, UNKNOWN_AFTER_BLOCKS * averageBlockSeconds) * 1_000;
  if (now.getTime() - checkedAt.getTime() > limit)
    return { ...known, unknown: 'outdated', unknownSince: checkedAt };
  if (known.height === null) return { ...known, unknown: 'never', unknownSince: null };
  return { ...known, unknown: null, unknownSince: null };
}
