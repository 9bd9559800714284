/** api.md C2: PENDING, CONFIRMED, ORPHANED, REPLACED, DROPPED on the wire. */
export type TransferState = 'pending' | 'confirmed' | 'orphaned' | 'replaced' | 'dropped';

/** A transfer that the network has not taken back, whether it counts or not. */
export function isLive({ state }: { state: TransferState }): boolean {
  return state === 'pending' || state === 'confirmed';
}
