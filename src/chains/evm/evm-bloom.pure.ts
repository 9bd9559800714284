import { keccak_256 } from '@noble/hashes/sha3.js';

/** The bits of one value in a 2048-bit bloom filter (Ethereum yellow paper, 4.3.1). */
type BloomBits = readonly { byte: number; mask: number }[];

/**
 * Whether a block may contain a log with all of these addresses and topics: false is certain, true is not. Detects a
 * node whose response to a log query is incomplete.
 */
export class LogFilter {
  private readonly bits: BloomBits;

  /** @param values bytes of the address and of each topic */
  constructor(values: readonly Uint8Array[]) {
    this.bits = values.flatMap(bloomBits);
  }

  /** @param bloom 256 bytes of a header's logsBloom */
  mayMatch(bloom: Uint8Array): boolean {
    return this.bits.every(({ byte, mask }) => ((bloom[byte] ?? 0) & mask) !== 0);
  }
}

/** Three 11-bit numbers from the first six bytes of the hash; bit 0 is the last bit of the last byte. */
function bloomBits(value: Uint8Array): BloomBits {
  const hash = Buffer.from(keccak_256(value));
  return [0, 2, 4].map((offset) => {
    const bit = hash.readUInt16BE(offset) & 0x7ff;
    return { byte: 255 - (bit >> 3), mask: 1 << (bit & 7) };
  });
}

/** The bloom filter over these values: 256 bytes. */
export function bloomOf(values: Iterable<Uint8Array>): Buffer {
  const bloom = Buffer.alloc(256);
  for (const value of values)
    for (const { byte, mask } of bloomBits(value)) bloom[byte] = (bloom[byte] ?? 0) | mask;
  return bloom;
}
