/** PENDING, CONFIRMED, ORPHANED and REPLACED on the wire (specification/payments.md#transactions). */
export type TransferState = 'pending' | 'confirmed' | 'orphaned' | 'replaced' | 'dropped';

/** A transfer that the network has not taken back, whether it counts or not. */
export function isLive({ state }: { state: TransferState }): boolean {
  return state === 'pending' || state === 'confirmed';
}
