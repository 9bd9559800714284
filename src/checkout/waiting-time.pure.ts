import type { Chain } from '../chains/chain.pure.js';
import type { Progress } from './confirmation-progress.pure.js';

/** Blocks that lately came on a chain, and the seconds from the first to the last of them. */
export interface BlockPace {
  blocks: number;
  seconds: number;
}

/** Mined blocks come at random: fewer than these say little of the next ones. */
const ENOUGH_BLOCKS = 30;

/** Seconds between two blocks: as they came lately, or as the catalog has it. */
export function blockSeconds(
  pace: BlockPace | null,
  { averageBlockSeconds }: Pick<Chain, 'averageBlockSeconds'>,
): number {
  const isMeasured = pace !== null && pace.blocks >= ENOUGH_BLOCKS && pace.seconds > 0;
  return isMeasured ? pace.seconds / pace.blocks : averageBlockSeconds;
}

/**
 * Whole seconds that funds which were seen will probably wait for, 0 when they count. It changes with each block and
 * not with the clock: where blocks are mined at random, having waited for one makes it come no sooner. What no block
 * holds yet waits for its first one as well, which is one of the missing.
 *
 * Null where a number would be made up: nothing was seen, the chain or our node of it stands still, or a block is
 * later final than usual.
 */
export function estimateSeconds(
  { waitsFor, missing }: Progress,
  secondsPerBlock: number,
  isMoving: boolean,
): number | null {
  if (waitsFor === 'done') return 0;
  if (waitsFor === 'funds' || !isMoving || missing === 0) return null;
  return Math.max(1, Math.ceil(missing * secondsPerBlock));
}
