import type { BlockRef, Credit } from './chain-adapter.pure.js';

/** A recorded transfer, to be compared with the chain. */
export interface TransferClaim {
  txHash: string;
  ordinal: string;
  /** The transaction's block, as it was recorded. */
  height: number;
  blockHash: string;
  asset: string;
  key: Buffer;
  amount: bigint;
  /** On EVM chains, the account that must have signed the transaction. */
  sender?: Buffer;
}

/** Balance of an address in an asset at one block. */
export interface Holding {
  key: Buffer;
  asset: string;
  amount: bigint;
  /**
   * False when the address has spent: then its balance says nothing about what it received. True where that was not
   * read, because the balance is what was credited.
   */
  isUnspent: boolean;
}

/** An address, and the time from which it was watched. */
export interface AddressSince {
  key: Buffer;
  since: Date;
}

/** Sums of a token's incoming and outgoing transfers. */
export interface AddressFlow {
  came: bigint;
  went: bigint;
}

/** An unspent output, with the height of the block that created it. */
export interface UnspentOutput {
  key: Buffer;
  txHash: string;
  ordinal: string;
  height: number;
  amount: bigint;
}

/**
 * Reads the unspent outputs of some keys from a node's UTXO set rather than its blocks. Slow: it scans the whole set,
 * once for all keys.
 */
export interface UnspentScanner {
  /** Null when the node does not support it. Rejects on a failure, and while another scan is running. */
  scan(keys: readonly Buffer[]): Promise<{ at: BlockRef; outputs: UnspentOutput[] } | null>;
}

/**
 * A second way to read a chain, to check recorded transfers: by transaction and by address, where the adapter reads by
 * block. Rejects on a node failure.
 */
export interface ChainAuditor {
  /** For each claim, why it differs from the chain; null when it does not. */
  examine(claims: readonly TransferClaim[]): Promise<(string | null)[]>;

  /**
   * Balances of every key at a canonical block; without those that nodes do not report.
   * @param credited what the records say that the key received of the asset
   */
  holdings(
    at: BlockRef,
    keys: readonly Buffer[],
    credited: (key: Buffer, asset: string) => bigint,
  ): Promise<Holding[]>;

  /**
   * All of a token received and sent by each key (in hex) since its time, up to a block. Null where that cannot be read:
   * always for the native coin.
   */
  flows(
    asset: string,
    claims: readonly AddressSince[],
    at: BlockRef,
  ): Promise<ReadonlyMap<string, AddressFlow> | null>;
}

/** Why a claim differs from the credit at its ordinal, in words; null when it does not. */
export function mismatch(claim: TransferClaim, credit: Credit | null): string | null {
  if (!credit) return `the transaction moves nothing at ${claim.ordinal}`;
  if (credit.asset !== claim.asset) return `it moves ${credit.asset}`;
  if (!credit.key.equals(claim.key)) return `it pays 0x${credit.key.toString('hex')}`;
  return credit.amount === claim.amount ? null : `it moves ${credit.amount}`;
}

/** In the order of their first members. */
export function groupedBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Asks when the answer is first needed, and never again. */
export function lazily<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let answer: Promise<Answer> | null = null;
  return () => (answer ??= ask());
}
