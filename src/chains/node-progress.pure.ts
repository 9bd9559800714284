import type { Chain } from './chain.pure.js';

/** How far a node is, by its newest block and its own word. */
export interface NodeProgress {
  /** Of its newest block. */
  headTime: Date;
  /** It says that it is still downloading the chain (`initialblockdownload`). */
  isSyncing: boolean;
  /** Blocks that it knows of and does not have yet (`eth_syncing`, `headers`); null where it gives no number. */
  blocksLeft: number | null;
  /** Blocks that a pruned node still has; absent where it keeps all, or does not say. */
  keptBlocks?: number;
}

/** What a node that is behind has yet to read. */
export interface Backlog {
  /** At least 1; by the age of its newest block where it gives no number itself. */
  blocks: number;
  /** By its own word, and not only by the age of its newest block. */
  isDeclared: boolean;
}

/**
 * Average block times. The time in a block may lie that much before the block was found: Bitcoin requires only that it
 * is later than the median of the eleven blocks before (Bitcoin Core, validation.cpp, "time-too-old").
 */
const TIMESTAMP_LAG_BLOCKS = 6;
/** Blocks, and seconds of blocks: nodes report some that they are just importing. */
const TOLERATED_BLOCKS = 10;
const TOLERATED_SECONDS = 120;

/**
 * Age in seconds from which the newest block of a node shows that the node is behind: a chain that is not stalled has a
 * newer one. Null where stalls are not checked, as on private chains that make blocks on demand.
 * @param stallAfter seconds, see stallSeconds()
 */
export function oldHeadSeconds(
  { averageBlockSeconds }: Pick<Chain, 'averageBlockSeconds'>,
  stallAfter: number | null,
): number | null {
  return stallAfter === null ? null : stallAfter + TIMESTAMP_LAG_BLOCKS * averageBlockSeconds;
}

/** Null for a node that has the newest blocks. */
export function backlogOf(
  { headTime, isSyncing, blocksLeft }: NodeProgress,
  chain: Pick<Chain, 'averageBlockSeconds'>,
  stallAfter: number | null,
  now: Date,
): Backlog | null {
  const { averageBlockSeconds } = chain;
  const tolerated = Math.max(TOLERATED_BLOCKS, Math.ceil(TOLERATED_SECONDS / averageBlockSeconds));
  const isDeclared = isSyncing || (blocksLeft ?? 0) > tolerated;
  const age = (now.getTime() - headTime.getTime()) / 1_000;
  const limit = oldHeadSeconds(chain, stallAfter);
  if (!isDeclared && (limit === null || age <= limit)) return null;
  const byAge = Math.max(1, Math.ceil(age / averageBlockSeconds));
  return { blocks: isDeclared && blocksLeft ? blocksLeft : byAge, isDeclared };
}

/** A backlog as it was recorded. */
export interface RecordedBacklog extends Backlog {
  since: Date;
  /** The most blocks since then. */
  startedWith: number;
}

/** What is left, for people and programs. */
export interface CatchUp {
  blocksLeft: number;
  /** At the pace so far; null while there is none. */
  secondsLeft: number | null;
}

/** Milliseconds; the pace of a shorter time says little. */
const SHORTEST_PACE_MS = 30_000;

/** @param asOf when the backlog was last recorded */
export function catchUpOf({ blocks, since, startedWith }: RecordedBacklog, asOf: Date): CatchUp {
  const elapsed = asOf.getTime() - since.getTime();
  const done = startedWith - blocks;
  const isMeasured = done > 0 && elapsed >= SHORTEST_PACE_MS;
  return {
    blocksLeft: blocks,
    secondsLeft: isMeasured ? Math.ceil((blocks * elapsed) / done / 1_000) : null,
  };
}

const UNITS: readonly [seconds: number, name: string][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];

/** A sentence in English: "About 21600 blocks left, about 3 hours." */
export function describeCatchUp({ blocksLeft, secondsLeft }: CatchUp): string {
  const blocks = `About ${blocksLeft} ${blocksLeft === 1 ? 'block' : 'blocks'} left`;
  return secondsLeft === null ? `${blocks}.` : `${blocks}, about ${roughly(secondsLeft)}.`;
}

/** In English, rounded: "3 hours". */
export function roughly(seconds: number): string {
  const [unit, name] = UNITS.find(([size]) => seconds >= 2 * size) ?? [60, 'minute'];
  const count = Math.max(1, Math.round(seconds / unit));
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
