import type { BlockRef } from '../chain-adapter.pure.js';

/** Milliseconds after which the node is asked again instead: a block may have taken its place. */
const FRESH_MS = 1_000;

/**
 * The block that a node named while it was waited for. Whoever is woken by that needs neither to ask which one it is
 * nor to wait for its bytes: they are on their way.
 */
export class TipNotification {
  /** Null before the first answer, which may be of a block that everybody knows. */
  private lastHash: string | null = null;
  private head: { block: BlockRef; at: number } | null = null;
  private raw: { hash: string; bytes: Promise<string> } | null = null;

  /** @param fetch asks the node for the raw bytes of a block by its hash */
  constructor(private readonly fetch: (hash: string) => Promise<string>) {}

  /**
   * What the node answered; when the time to wait was up, that is the block of before.
   * @param now milliseconds of a clock that never goes back
   */
  hear(block: BlockRef, now: number): void {
    const isNews = this.lastHash !== null && this.lastHash !== block.hash;
    this.lastHash = block.hash;
    if (!isNews) return;
    this.head = { block, at: now };
    const bytes = this.fetch(block.hash);
    // Heard by whoever takes them.
    bytes.catch(() => null);
    this.raw = { hash: block.hash, bytes };
  }

  /** The newest block, once, and only if that was just now. */
  takeHead(now: number): BlockRef | null {
    const { head } = this;
    this.head = null;
    return head && now - head.at <= FRESH_MS ? head.block : null;
  }

  /** The bytes of that block, once; null where it is another. They reject as the node refuses. */
  takeRaw(hash: string): Promise<string> | null {
    if (this.raw?.hash !== hash) return null;
    const { bytes } = this.raw;
    this.raw = null;
    return bytes;
  }
}
