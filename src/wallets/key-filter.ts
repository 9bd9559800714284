/** 8 MB, whatever the number of addresses. With a million addresses, one foreign key in a thousand passes. */
const BITS = 2 ** 26;
const LAST_BIT = BITS - 1;
/** Position of the mark in a key: inside the hash of every type of address and script that is handed out. */
const MARK_OFFSET = 8;
/** Length of the mark: two 32-bit numbers that represent the key. Keys are hashes, so their bytes need no hashing. */
export const MARK_BYTES = 8;
/** Shorter keys have no mark and always pass. */
export const SHORTEST_KEY = MARK_OFFSET + MARK_BYTES;
/** Position of the mark in SQL, which counts bytes from 1. */
export const MARK_POSITION = MARK_OFFSET + 1;

/**
 * A Bloom filter (B. H. Bloom, 1970) of the keys of deposit addresses: a key that does not pass was certainly not added;
 * a key that passes must be looked up.
 */
export class KeyFilter {
  private readonly bits = new Int32Array(BITS / 32);

  /** @param marks the marks of keys, {@link MARK_BYTES} each, concatenated */
  add(marks: Buffer): void {
    const { buffer, byteOffset, length } = marks;
    // Twice as fast as the read methods of Buffer; up to a million keys are added at once.
    const view = new DataView(buffer, byteOffset, length);
    for (let at = 0; at + MARK_BYTES <= length; at += MARK_BYTES) {
      this.set(view.getInt32(at, true));
      this.set(view.getInt32(at + 4, true));
    }
  }

  /** @param key a Buffer, or an object with these members of one */
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
