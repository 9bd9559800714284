import type { ChainConfig } from '../config-chains.js';
import { familyOf } from './chain-families.pure.js';
import type { Chain } from './chain.pure.js';

/** Shorter than this finds the blocks of no chain much sooner, and costs a request each time. */
const SHORTEST_MS = 3_000;
/** Longer than this, a payer notices the delay. */
const LONGEST_MS = 15_000;
/** Chains with a mempool: payments are shown before their block, so its time says nothing. */
const MEMPOOL_MS = 1_000;

/** What the operator has set, if anything. */
export interface PollSettings {
  chains: readonly Pick<ChainConfig, 'slug' | 'pollIntervalMs'>[];
  /** For all chains; null: each has its own default. */
  chainPollIntervalMs: number | null;
}

/** Milliseconds between two polls of a chain that shows nothing new (decisions/0803-poll-by-block-time.md). */
export function pollIntervalMs(
  chain: Pick<Chain, 'slug' | 'family' | 'averageBlockSeconds'>,
  { chains, chainPollIntervalMs }: PollSettings,
): number {
  const own = chains.find(({ slug }) => slug === chain.slug)?.pollIntervalMs;
  return own ?? chainPollIntervalMs ?? defaultMs(chain);
}

/** Half a block time: on average a block waits for a quarter of its time. */
function defaultMs({ family, averageBlockSeconds }: Pick<Chain, 'family' | 'averageBlockSeconds'>): number {
  if (!familyOf(family).isReadByBlocks) return MEMPOOL_MS;
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, averageBlockSeconds * 500));
}
