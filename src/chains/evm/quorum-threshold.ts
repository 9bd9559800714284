import type { ObservedTransfer } from '../chain-adapter.pure.js';

/**
 * Transfers that need more than one endpoint's word.
 * @param largeFrom by asset, in its smallest unit; assets that are not listed need one endpoint
 */
export function findLarge(
  transfers: readonly ObservedTransfer[],
  largeFrom: ReadonlyMap<string, bigint> | undefined,
): ObservedTransfer[] {
  if (!largeFrom) return [];
  // Several transfers in one transaction count together.
  const sums = new Map<string, bigint>();
  const name = ({ txHash, asset, key }: ObservedTransfer) => `${txHash} ${asset} ${key.toString('hex')}`;
  for (const transfer of transfers)
    sums.set(name(transfer), (sums.get(name(transfer)) ?? 0n) + transfer.amount);
  return transfers.filter((transfer) => {
    const from = largeFrom.get(transfer.asset);
    return from !== undefined && (sums.get(name(transfer)) ?? 0n) >= from;
  });
}

/**
 * Whether an endpoint shows each of these transfers as often, with the same transaction, asset, recipient and amount, and
 * from no other sender.
 * Ordinals are not compared, because nodes count the frames of a trace differently.
 */
export function showsAll(
  shown: readonly ObservedTransfer[],
  transfers: readonly ObservedTransfer[],
): boolean {
  const times = (among: readonly ObservedTransfer[], one: ObservedTransfer) =>
    among.filter((other) => isSameCredit(one, other)).length;
  return transfers.every((one) => times(shown, one) >= times(transfers, one));
}

function isSameCredit(a: ObservedTransfer, b: ObservedTransfer): boolean {
  const isSameSender = !a.sender || !b.sender || a.sender.equals(b.sender);
  return (
    a.txHash === b.txHash &&
    a.asset === b.asset &&
    a.amount === b.amount &&
    a.key.equals(b.key) &&
    isSameSender
  );
}
