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
