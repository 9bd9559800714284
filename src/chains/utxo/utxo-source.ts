import { type BlockRef, ChainInconsistencyError, type TransactionFate } from '../chain-adapter.pure.js';

/** The newest block, and what the node calls its network; null where it has no name for it. */
export interface UtxoHead extends BlockRef {
  network: string | null;
}

/**
 * What {@link UtxoAdapter} asks of whoever keeps a chain of Bitcoin's kind. Raw bytes come as hex, unproved: the
 * adapter checks them against their hashes. Nothing here asks by address: nobody learns which ones are ours.
 * Every method rejects on a failure.
 */
export interface UtxoSource {
  head(): Promise<UtxoHead>;

  /** Of the canonical block at a height; null above the tip. */
  hashAt(height: number): Promise<string | null>;

  /** At least the first 80 bytes. */
  rawHeader(hash: string): Promise<string>;

  rawBlock(hash: string): Promise<string>;

  /** Consecutive canonical blocks, as many of them as there are: in one go where the source can do that. */
  rawBlocks?(from: number, count: number): Promise<{ hash: string; raw: string }[]>;

  /** Hashes of all that waits to be mined; a long list may be some seconds old. */
  waiting(): Promise<string[]>;

  /** False while the node still reads its mempool back, so that {@link waiting} lists a part of it. */
  hasLoadedMempool(): Promise<boolean>;

  /** Transactions that wait; null for one that is not there, undefined for one that was not asked for now. */
  rawWaiting(txHashes: readonly string[]): Promise<(string | null | undefined)[]>;

  /** What stale blocks alone hold is unknown. */
  fate(txHash: string): Promise<TransactionFate>;

  /** The height of the canonical block that should hold a transaction: a claim, which the raw block proves. */
  locate(txHash: string): Promise<number | 'mempool' | 'unknown'>;

  /** {@link ChainAdapter.waitForBlock} */
  waitForBlock?(maxMs: number, signal: AbortSignal): Promise<void>;

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
