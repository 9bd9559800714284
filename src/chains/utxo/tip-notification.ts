import type { BlockRef } from '../chain-adapter.pure.js';

/** Milliseconds after which the notification is outdated, because another block may have replaced it. */
const FRESH_MS = 1_000;

/**
 * The block in a node's new-block notification. The step woken by it need not request the tip, and the block's bytes are
 * already being fetched.
 */
export class TipNotification {
  /** Null before the first notification, which may be about an old block. */
  private lastHash: string | null = null;
  private head: { block: BlockRef; at: number } | null = null;
  private raw: { hash: string; bytes: Promise<string> } | null = null;

  /** @param fetch requests the raw bytes of a block by its hash */
  constructor(private readonly fetch: (hash: string) => Promise<string>) {}

  /**
   * Takes the node's response, which names the previous block when the wait timed out.
   * @param now milliseconds of a monotonic clock
   * @returns whether the block may be new
   */
  hear(block: BlockRef, now: number): boolean {
    const { lastHash } = this;
    this.lastHash = block.hash;
    if (lastHash === null || lastHash === block.hash) return lastHash === null;
    this.head = { block, at: now };
    const bytes = this.fetch(block.hash);
    // The caller that takes the bytes handles a rejection.
    bytes.catch(() => null);
    this.raw = { hash: block.hash, bytes };
    return true;
  }

  /** The newest block, once, if the notification is recent. */
  takeHead(now: number): BlockRef | null {
    const { head } = this;
    this.head = null;
    return head && now - head.at <= FRESH_MS ? head.block : null;
  }

  /** The bytes of that block, once; null for another block. Rejects when the node fails. */
  takeRaw(hash: string): Promise<string> | null {
    if (this.raw?.hash !== hash) return null;
    const { bytes } = this.raw;
    this.raw = null;
    return bytes;
  }
}
