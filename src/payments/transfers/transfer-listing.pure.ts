import type { Transfer } from '../payment.pure.js';
import { isLive, TRANSACTION_STATUS } from './transfer-state.pure.js';

/**
 * The most transfers of a payment that are shown one by one wherever a payment is shown: anybody can send thousands
 * (docs/decisions/0835-show-the-largest-transfers.md).
 */
export const MAX_LISTED = 25;

/** The transfers that are shown one by one, and all others: single ones, or sums of them. */
export interface ListedTransfers {
  /** In the order in which they were seen. */
  listed: Transfer[];
  others: Transfer[];
}

/**
 * The largest of each coin are listed, those on the chain before those that are gone, so that no number of small ones
 * hides what a customer has paid. `LIST_SUMMED` of summed-transfer.repository.ts chooses the same.
 * @param transfers in the order in which they were seen
 * @param most how many are listed
 */
export function splitListed(transfers: readonly Transfer[], most = MAX_LISTED): ListedTransfers {
  const single = transfers.filter(({ sumOf }) => sumOf === null);
  if (single.length <= most)
    return { listed: single, others: transfers.filter(({ sumOf }) => sumOf !== null) };
  const ranks = new Map<string, number>();
  const ranked = single.toSorted(byImportance).map((transfer) => {
    const asset = `${transfer.chain} ${transfer.asset}`;
    const rank = (ranks.get(asset) ?? 0) + 1;
    ranks.set(asset, rank);
    return { transfer, rank, asset };
  });
  const chosen = new Set(
    ranked
      .toSorted((a, b) => a.rank - b.rank || (a.asset < b.asset ? -1 : 1))
      .slice(0, most)
      .map(({ transfer }) => transfer),
  );
  return {
    listed: single.filter((transfer) => chosen.has(transfer)),
    others: transfers.filter((transfer) => !chosen.has(transfer)),
  };
}

/** Of one coin. Sorting is stable, so that the first of two equal ones is the one that was seen first. */
function byImportance(a: Transfer, b: Transfer): number {
  if (isLive(a) !== isLive(b)) return isLive(a) ? -1 : 1;
  return a.amount > b.amount ? -1 : a.amount < b.amount ? 1 : 0;
}

/** How many transfers these are, which may be sums. */
export function countOf(transfers: readonly Transfer[]): number {
  return transfers.reduce((count, { sumOf }) => count + (sumOf ?? 1), 0);
}

/** Transfers by coin, network, status and whether they were asked for, at least one in each list. */
export function sumsByKind(transfers: readonly Transfer[]): [Transfer, ...Transfer[]][] {
  const kinds = new Map<string, [Transfer, ...Transfer[]]>();
  for (const transfer of transfers) {
    const { chain, asset, assetDecimals, state, isMatched } = transfer;
    const kind = [chain, asset, assetDecimals, TRANSACTION_STATUS[state], isMatched].join(' ');
    const before = kinds.get(kind);
    if (before) before.push(transfer);
    else kinds.set(kind, [transfer]);
  }
  return [...kinds.values()];
}
