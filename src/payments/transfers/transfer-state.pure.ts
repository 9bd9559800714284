/** Shown in the API as PENDING, CONFIRMED, ORPHANED and, for the last two, REPLACED (specification/payments.md#transactions). */
export type TransferState = 'pending' | 'confirmed' | 'orphaned' | 'replaced' | 'dropped';

/** The `status` of a transaction in the API (specification/payments.md#transactions). */
export const TRANSACTION_STATUS = {
  pending: 'PENDING',
  confirmed: 'CONFIRMED',
  orphaned: 'ORPHANED',
  replaced: 'REPLACED',
  dropped: 'REPLACED',
} as const satisfies Record<TransferState, string>;

/** Whether a transfer is in a block or a mempool, as far as is known; it need not count. */
export function isLive({ state }: { state: TransferState }): boolean {
  return state === 'pending' || state === 'confirmed';
}

/**
 * Whether a live, matched transfer arrived too late for its quote and has no rate yet
 * (specification/payment-states.md#late-funds).
 */
export function awaitsRate(transfer: {
  state: TransferState;
  isMatched: boolean;
  quoteId: string | null;
}): boolean {
  return transfer.isMatched && transfer.quoteId === null && isLive(transfer);
}

/**
 * Makes transfers what Postgres has made their rows, so that they need not be read again.
 * @param transfers of the locked payments
 * @param ids of the rows that were confirmed
 * @throws Error when one of them is not among the transfers, or no longer pending there: what was read is outdated
 */
export function markConfirmed(
  transfers: readonly { id: string; state: TransferState; confirmedAt: Date | null }[],
  ids: readonly string[],
  at: Date,
): void {
  const confirmed = new Set(ids);
  const marked = transfers.filter(({ id, state }) => state === 'pending' && confirmed.has(id));
  if (marked.length !== confirmed.size)
    throw new Error('a transfer was confirmed that had changed since it was read');
  for (const transfer of marked) {
    transfer.state = 'confirmed';
    transfer.confirmedAt = at;
  }
}

/** Whether one of them waits and has the blocks that it needs, if not yet its final one. */
export function reachesDepth(
  transfers: readonly {
    chain: string;
    state: TransferState;
    blockHeight: number | null;
    confirmationsRequired: number;
  }[],
  { chain, height }: { chain: string; height: number },
): boolean {
  return transfers.some(
    (one) =>
      one.chain === chain &&
      one.state === 'pending' &&
      one.blockHeight !== null &&
      height - one.blockHeight + 1 >= one.confirmationsRequired,
  );
}
