import type { BlockRef } from './chain-adapter.js';

/** What a recorded transfer claims of itself. */
export interface TransferClaim {
  txHash: string;
  ordinal: string;
  /** The transaction's block, as it was recorded. */
  height: number;
  blockHash: string;
  asset: string;
  key: Buffer;
  amount: bigint;
}

/** What an address holds of an asset at one block. */
export interface Holding {
  key: Buffer;
  asset: string;
  amount: bigint;
  /** False where the address has spent: then what it holds says nothing of what it got. */
  isUnspent: boolean;
}

/**
 * A second way to read a chain, for checking what the first one wrote: by transaction and by address, where the
 * adapter reads by block. Rejects on a node failure.
 */
export interface ChainAuditor {
  /** The reason why a claim is not what the chain shows, in the claims' order; null where it is. */
  examine(claims: readonly TransferClaim[]): Promise<(string | null)[]>;

  /** Every asset of every key at a block, which must be canonical. */
  holdings(at: BlockRef, keys: readonly Buffer[]): Promise<Holding[]>;

  /** All of a token that came to and went from a key since a time, up to a block; null for the native coin. */
  flow(asset: string, key: Buffer, since: Date, at: BlockRef): Promise<{ came: bigint; went: bigint } | null>;
}
