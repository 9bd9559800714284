import { GAP } from './address-gap.pure.js';
import type { EarlierUseContract } from './earlier-use.contract.js';
import type { WalletSearchEntity } from './wallet-search.entity.js';

/** Addresses of one key; a node that says that all are used is not asked for ever. */
const MOST = 100_000;

/** The next addresses of one of the keys. */
export interface AddressWindow {
  /** Position of the key. */
  of: number;
  first: number;
  count: number;
}

/** Which of the addresses of each window were used; null: it is not known. */
export type AskForUse = (
  windows: readonly AddressWindow[],
) => Promise<readonly (readonly boolean[])[] | null>;

/** Addresses of one key in one question: it begins with the least and doubles what was looked at. */
export interface WindowSize {
  least: number;
  most: number;
}

/** Ten thousand used addresses take some fifty questions of this size. */
export const ACCOUNT_WINDOW: WindowSize = { least: GAP, most: 200 };
/** A node scans its whole set for each question, however many addresses it has. */
export const SCAN_WINDOW: WindowSize = { least: 200, most: 10_000 };

/**
 * The index after the last used address of each key, or where it was begun; null: it is not known. All keys are in one
 * question, as long as they have used ones.
 */
export async function findPast(
  starts: readonly number[],
  size: WindowSize,
  ask: AskForUse,
): Promise<number[] | null> {
  const keys = starts.map((start, of) => ({ of, start, next: start, past: start }));
  for (;;) {
    const open = keys.filter(({ start, next, past }) => next - past < GAP && next - start < MOST);
    if (open.length === 0) return keys.map(({ past }) => past);
    const windows = open.map(({ of, start, next }): AddressWindow => {
      const count = Math.min(size.most, Math.max(size.least, next - start));
      return { of, first: next, count };
    });
    const answers = await ask(windows);
    if (!answers) return null;
    for (const [i, key] of open.entries()) {
      const last = answers[i]?.lastIndexOf(true) ?? -1;
      if (last >= 0) key.past = key.next + last + 1;
      key.next += windows[i]?.count ?? 0;
    }
  }
}

/** @param searches of one wallet @param chains slugs of its family that the gateway watches */
export function describeEarlierUse(
  searches: readonly Pick<WalletSearchEntity, 'chain' | 'firstIndex' | 'skipped' | 'isVisible'>[],
  chains: readonly string[],
): EarlierUseContract {
  const moved = searches.filter(({ skipped }) => skipped > 0);
  return {
    state: chains.every((slug) => searches.some(({ chain }) => chain === slug)) ? 'known' : 'unknown',
    skippedAddresses: moved.reduce((sum, { skipped }) => sum + skipped, 0),
    continuedAt:
      moved.length === 0 ? null : Math.max(...moved.map(({ firstIndex, skipped }) => firstIndex + skipped)),
    unseenOn: searches
      .filter(({ chain, isVisible }) => !isVisible && chains.includes(chain))
      .map(({ chain }) => chain)
      .toSorted(),
  };
}
