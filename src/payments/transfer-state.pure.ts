/** Shown in the API as PENDING, CONFIRMED, ORPHANED and, for the last two, REPLACED (specification/payments.md#transactions). */
export type TransferState = 'pending' | 'confirmed' | 'orphaned' | 'replaced' | 'dropped';

/** Whether a transfer is in a block or a mempool, as far as is known; it need not count. */
export function isLive({ state }: { state: TransferState }): boolean {
  return state === 'pending' || state === 'confirmed';
}
