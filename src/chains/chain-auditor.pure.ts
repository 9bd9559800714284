import type { BlockRef, Credit } from './chain-adapter.pure.js';

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

/** An output that nobody has spent, with the block that made it. */
export interface UnspentOutput {
  key: Buffer;
  txHash: string;
  ordinal: string;
  height: number;
}

/**
 * What a chain of Bitcoin's kind still holds for some keys, by the node's set of unspent outputs and not by its
 * blocks. Slow: the whole set is gone through, once for all keys.
 */
export interface UnspentScanner {
  /** Null where the node has no such thing. Rejects on a failure, and when another scan is under way. */
  scan(keys: readonly Buffer[]): Promise<{ at: BlockRef; outputs: UnspentOutput[] } | null>;
}

/**
 * A second way to read a chain, for checking what the first one wrote: by transaction and by address, where the
 * adapter reads by block. Rejects on a node failure.
 */
export interface ChainAuditor {
  /** The reason why a claim is not what the chain shows, in the claims' order; null where it is. */
  examine(claims: readonly TransferClaim[]): Promise<(string | null)[]>;

  /** Every asset of every key at a block, which must be canonical; those that nodes do not tell are left out. */
  holdings(at: BlockRef, keys: readonly Buffer[]): Promise<Holding[]>;

  /** All of a token that came to and went from a key since a time, up to a block; null for the native coin. */
  flow(asset: string, key: Buffer, since: Date, at: BlockRef): Promise<{ came: bigint; went: bigint } | null>;
}

/** In words, why a claim is not what its transaction shows at its place; null where it is. */
export function mismatch(claim: TransferClaim, credit: Credit | null): string | null {
  if (!credit) return `the transaction moves nothing at ${claim.ordinal}`;
  if (credit.asset !== claim.asset) return `it moves ${credit.asset}`;
  if (!credit.key.equals(claim.key)) return `it pays 0x${credit.key.toString('hex')}`;
  return credit.amount === claim.amount ? null : `it moves ${credit.amount}`;
}
