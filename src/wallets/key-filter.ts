/** Bits; 8 MB, however many addresses there are. A million of them let one foreign key in a thousand pass. */
const BITS = 2 ** 26;
const LAST_BIT = BITS - 1;
/** Where the marks of a key begin: within the hash of every kind of address and script that we hand out. */
const MARK_OFFSET = 8;
/** Two numbers of 32 bits: what the filter knows a key by. Keys are hashes, so their own bytes are as good as any. */
export const MARK_BYTES = 8;
/** A shorter key has no marks: it always passes. */
export const SHORTEST_KEY = MARK_OFFSET + MARK_BYTES;
/** As SQL counts bytes: from one. */
export const MARK_POSITION = MARK_OFFSET + 1;

/**
 * A Bloom filter of deposit addresses' keys (B. H. Bloom, 1970): what it does not let pass is certainly none of
 * those that were added; what passes must be looked up.
 */
export class KeyFilter {
  private readonly bits = new Int32Array(BITS / 32);

  /** @param marks {@link MARK_BYTES} of each key, one after the other */
  add(marks: Buffer): void {
    const { buffer, byteOffset, length } = marks;
    // Half the time of the buffer's own readers, and a million keys are added at once.
    const view = new DataView(buffer, byteOffset, length);
    for (let at = 0; at + MARK_BYTES <= length; at += MARK_BYTES) {
      this.set(view.getInt32(at, true));
      this.set(view.getInt32(at + 4, true));
    }
  }

  /** @param key a Buffer, or what answers like one */
  mayHold(key: Pick<Buffer, 'length' | 'readInt32LE'>): boolean {
    if (key.length < SHORTEST_KEY) return true;
    return this.has(key.readInt32LE(MARK_OFFSET)) && this.has(key.readInt32LE(MARK_OFFSET + 4));
  }

  private set(mark: number): void {
    const word = (mark & LAST_BIT) >>> 5;
    this.bits[word] = (this.bits[word] ?? 0) | (1 << (mark & 31));
  }

  private has(mark: number): boolean {
    return ((this.bits[(mark & LAST_BIT) >>> 5] ?? 0) & (1 << (mark & 31))) !== 0;
  }
}
