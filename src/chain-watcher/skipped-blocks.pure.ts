/** Blocks that the watcher does not read, both ends included. */
export interface SkippedBlocks {
  from: number;
  to: number;
}

/** What is known when an operator wants a chain to be watched from a later height on. */
export interface SkipRequest {
  /** The first block that is to be read. */
  height: number;
  /** The newest applied block. */
  applied: number;
  /** The node's newest block. */
  tip: number;
  /** When the block below `height` was made, by its own timestamp; null: the node has none. */
  lastSkippedAt: Date | null;
  /** When the first address of the chain's family was handed out; null: none was. */
  oldestAddressAt: Date | null;
  isForced: boolean;
}

export type SkipDecision =
  | { kind: 'skip'; blocks: SkippedBlocks }
  /** There is no block between the applied one and `height`. */
  | { kind: 'nothing' }
  | { kind: 'above-tip' }
  /** One of these blocks can pay an address that existed by then. */
  | { kind: 'payable'; blocks: SkippedBlocks; since: Date };

/**
 * How far a timestamp can be before the moment at which its block was made. Bitcoin's must only be above the median of
 * the eleven blocks before it, about an hour, and the clocks of database and miners differ. Milliseconds.
 */
const TIMESTAMP_LEAD = 2 * 3_600_000;

/** Whether blocks may be left out: not while one of them could have paid an address, unless the operator insists. */
export function decideSkip(request: SkipRequest): SkipDecision {
  const { height, applied, tip, lastSkippedAt, oldestAddressAt, isForced } = request;
  if (height <= applied + 1) return { kind: 'nothing' };
  if (height > tip + 1 || lastSkippedAt === null) return { kind: 'above-tip' };
  const blocks = { from: applied + 1, to: height - 1 };
  const isPayable =
    oldestAddressAt !== null && oldestAddressAt.getTime() <= lastSkippedAt.getTime() + TIMESTAMP_LEAD;
  return isPayable && !isForced
    ? { kind: 'payable', blocks, since: oldestAddressAt }
    : { kind: 'skip', blocks };
}
