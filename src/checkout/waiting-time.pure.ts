import { toIsoSeconds } from '../platform/kernel/clock.pure.js';
import type { Chain } from '../chains/chain.pure.js';
import type { Progress } from '../payments/confirmation-progress.pure.js';

/** The recent blocks of a chain, and the seconds between the first and the last of them. */
export interface BlockPace {
  blocks: number;
  seconds: number;
}

/** Intervals of mined blocks are random, so an average of fewer blocks is not used. */
const ENOUGH_BLOCKS = 30;

/** Average seconds between two blocks: measured, or from the chain catalog if too few blocks were measured. */
export function blockSeconds(
  pace: BlockPace | null,
  { averageBlockSeconds }: Pick<Chain, 'averageBlockSeconds'>,
): number {
  const isMeasured = pace !== null && pace.blocks >= ENOUGH_BLOCKS && pace.seconds > 0;
  return isMeasured ? pace.seconds / pace.blocks : averageBlockSeconds;
}

/**
 * Estimated whole seconds until the funds that were seen count; 0 when they do. It changes with each block and not with
 * the clock: block intervals are random, so the time already waited does not shorten the rest. The first block of an
 * unmined transfer is one of the missing blocks.
 *
 * Null if there is no basis for an estimate: nothing was seen, the chain or its node has stalled, or a block takes
 * longer than usual to become final.
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

/** Seconds between blocks from which people ask where the next one stays. */
const SLOW = 60;
/** Mined blocks come at random: six of seven come within twice the average. */
const USUALLY_WITHIN = 2;

/**
 * What a customer wants to know of a slow chain while nothing seems to move.
 * @param newestAt when the newest block came; null: it is not known, or no block is waited for
 */
export function nextBlock(
  newestAt: Date | null,
  secondsPerBlock: number,
): { newestBlockAt: string | null; nextBlockWithin: number | null } {
  if (newestAt === null || secondsPerBlock < SLOW) return { newestBlockAt: null, nextBlockWithin: null };
  return {
    newestBlockAt: toIsoSeconds(newestAt),
    nextBlockWithin: Math.ceil(secondsPerBlock * USUALLY_WITHIN),
  };
}
