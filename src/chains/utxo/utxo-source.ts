import type { Clock } from '../../platform/kernel/clock.pure.js';
import { type BlockRef, ChainInconsistencyError, type TransactionFate } from '../chain-adapter.pure.js';

/** The newest block, and what the source says about itself; null where it does not. */
export interface UtxoHead extends BlockRef {
  /** The node's name of its network. */
  network: string | null;
  /** It is still downloading the chain. */
  isSyncing: boolean;
  /** Blocks of which it has no more than the header. */
  blocksLeft: number | null;
  /** Blocks that it still has, where it is pruned. */
  keptBlocks?: number;
}

/**
 * Source of a UTXO chain for {@link UtxoAdapter}. Raw bytes are unverified hex, which the adapter checks against their
 * hashes. Nothing is requested by address, so that a source does not learn which ones are ours. Every method rejects on
 * failure.
 */
export interface UtxoSource {
  readonly clock: Clock;

  head(): Promise<UtxoHead>;

  /** Hash of the canonical block at a height; null above the tip. */
  hashAt(height: number): Promise<string | null>;

  /** At least the first 80 bytes. */
  rawHeader(hash: string): Promise<string>;

  rawBlock(hash: string): Promise<string>;

  /** Consecutive canonical blocks, as many as exist; only where the source can read several at once. */
  rawBlocks?(from: number, count: number): Promise<{ hash: string; raw: string }[]>;

  /** Hashes of the mempool; a long list may be some seconds old. */
  waiting(): Promise<string[]>;

  /** False while the node is loading its mempool, so that {@link waiting} is incomplete. */
  hasLoadedMempool(): Promise<boolean>;

  /** Transactions of the mempool; null for one that is not there, undefined for one that was not requested. */
  rawWaiting(txHashes: readonly string[]): Promise<(string | null | undefined)[]>;

  /** A transaction that only stale blocks hold is unknown. */
  fate(txHash: string): Promise<TransactionFate>;

  /** Height of the canonical block that should hold a transaction; unverified until the raw block is read. */
  locate(txHash: string): Promise<number | 'mempool' | 'unknown'>;

  /** {@link ChainAdapter.waitForBlock} */
  waitForBlock?(maxMs: number, signal: AbortSignal): Promise<boolean>;

  /** {@link ChainAdapter.takeAnnounced} */
  takeAnnounced?(): BlockRef | null;
}

const HASH = /^[0-9a-f]{64}$/;

export function toObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed('answer');
  return value as Record<string, unknown>;
}

export function toText(value: unknown): string {
  if (typeof value !== 'string') throw malformed('text');
  return value;
}

export function toHash(value: unknown): string {
  if (typeof value !== 'string' || !HASH.test(value)) throw malformed('hash');
  return value;
}

export function toHashes(value: unknown): string[] {
  if (!Array.isArray(value)) throw malformed('mempool');
  return value.map(toHash);
}

export function toHeight(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw malformed('height');
  return value;
}

export function toList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw malformed('list');
  return value;
}

export function malformed(field: string): ChainInconsistencyError {
  return new ChainInconsistencyError(`the node sent a malformed ${field}`);
}
