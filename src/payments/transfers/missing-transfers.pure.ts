/** Identity of a transfer within its chain (specification/chains.md#transfers). */
interface Identity {
  txHash: string;
  ordinal: string;
}

/** What a repeated reading of blocks means for the records. */
export interface MissingTransfers<T> {
  /** Transfers to record. */
  missing: T[];
  /** Transactions of which nothing may be recorded, because the records place their transfers elsewhere. */
  conflicting: string[];
}

/**
 * Compares transfers that were read again with those that are recorded in blocks. A transaction with something missing
 * must show everything that is recorded of it, at the same position and in the same block: otherwise the missing transfer
 * may be a recorded one under another name, and would be credited twice.
 */
export function findMissing<T extends Identity & { block: { hash: string } }>(
  observed: readonly T[],
  recorded: readonly (Identity & { blockHash: string | null })[],
): MissingTransfers<T> {
  const blockOf = new Map(recorded.map((transfer) => [keyOf(transfer), transfer.blockHash]));
  const seen = new Map(observed.map((transfer) => [keyOf(transfer), transfer.block.hash]));
  const unseen = recorded.filter((transfer) => seen.get(keyOf(transfer)) !== transfer.blockHash);
  const doubtful = new Set(unseen.map(({ txHash }) => txHash));
  const absent = observed.filter((transfer) => !blockOf.has(keyOf(transfer)));
  const conflicting = absent.flatMap(({ txHash }) => (doubtful.has(txHash) ? [txHash] : []));
  return {
    missing: absent.filter(({ txHash }) => !doubtful.has(txHash)),
    conflicting: [...new Set(conflicting)],
  };
}

function keyOf({ txHash, ordinal }: Identity): string {
  return `${txHash} ${ordinal}`;
}
