import { createHash } from 'node:crypto';
import { ChainInconsistencyError } from '../chain-adapter.pure.js';

/** The hash of headers and transactions. */
export function sha256Twice(bytes: Buffer): Buffer<ArrayBuffer> {
  return createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();
}

/** Hashes are displayed with the last byte first. */
export function reversed(bytes: Buffer): string {
  return Buffer.from(bytes).reverse().toString('hex');
}

export function malformed(what: string): ChainInconsistencyError {
  return new ChainInconsistencyError(`the node sent malformed data: ${what}`);
}

/** Reads a whole text in hexadecimal. Invalid text is read as no bytes. */
export function readWhole<T>(hex: string, read: (reader: ByteReader) => T): T {
  // Decoding stops at the first character that is not hexadecimal, so the length shows invalid text. It takes only the
  // lowest byte of a character, though, so that "\u0130" would count as "0": other text than ASCII is longer in UTF-8.
  const isAscii = Buffer.byteLength(hex, 'utf8') === hex.length;
  const bytes = Buffer.from(hex, 'hex');
  return read(new ByteReader(isAscii && bytes.length * 2 === hex.length ? bytes : Buffer.alloc(0)));
}

/** Reads bytes in order and never beyond the end. */
export class ByteReader {
  position = 0;

  constructor(private readonly source: Buffer) {}

  take(count: number): Buffer {
    const end = this.position + count;
    if (end > this.source.length) throw malformed('it ends too early');
    const bytes = this.source.subarray(this.position, end);
    this.position = end;
    return bytes;
  }

  /** Without an intermediate buffer, because outputs are most of a block. */
  int64(): bigint {
    if (this.position + 8 > this.source.length) throw malformed('it ends too early');
    this.position += 8;
    return this.source.readBigInt64LE(this.position - 8);
  }

  peek(): number {
    const byte = this.source[this.position];
    if (byte === undefined) throw malformed('it ends too early');
    return byte;
  }

  since(start: number): Buffer {
    return this.source.subarray(start, this.position);
  }

  skipToLast(count: number): void {
    this.take(Math.max(0, this.source.length - count - this.position));
  }

  /** Bytes with a length prefix. */
  bytes(): Buffer {
    return this.take(this.count());
  }

  /** Items with a count prefix. */
  list<T>(read: (reader: ByteReader) => T): T[] {
    const parts: T[] = [];
    for (let left = this.count(); left > 0; left--) parts.push(read(this));
    return parts;
  }

  compactSize(): bigint {
    const first = this.take(1).readUInt8();
    if (first < 0xfd) return BigInt(first);
    if (first === 0xfd) return BigInt(this.take(2).readUInt16LE());
    return first === 0xfe ? BigInt(this.take(4).readUInt32LE()) : this.take(8).readBigUInt64LE();
  }

  /** Every item has at least a byte, so a count beyond the remaining bytes is malformed. */
  private count(): number {
    // Fast path without bigint for nearly all lengths.
    const first = this.peek();
    if (first < 0xfd) {
      this.position++;
      return this.within(first);
    }
    const value = this.compactSize();
    if (value > BigInt(this.source.length)) throw malformed('it ends too early');
    return this.within(Number(value));
  }

  private within(count: number): number {
    if (count > this.source.length - this.position) throw malformed('it ends too early');
    return count;
  }
}
