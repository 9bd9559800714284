import { createBase58check } from '@scure/base';
import { createHash } from 'node:crypto';

const base58check = createBase58check((data: Uint8Array) => createHash('sha256').update(data).digest());
/** Prefix of the 20 bytes of every address, on all networks. */
export const ADDRESS_PREFIX = 0x41;
/** Base58 of 21 bytes starting with 0x41 and 4 bytes of checksum: always 34 characters, starting with "T". */
const TEXT = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;

/** Base58check, as people see it. @param key the 20 bytes used in contracts and logs, as on EVM chains */
export function toTronAddress(key: Uint8Array): string {
  if (key.length !== 20) throw new Error('a Tron address has 20 bytes behind its prefix');
  return base58check.encode(Uint8Array.from([ADDRESS_PREFIX, ...key]));
}

/** The 20 bytes of an address that a person entered, or what is wrong with it. Hexadecimal is not accepted. */
export function readTronAddress(text: string): Buffer | 'malformed' | 'checksum' {
  if (!TEXT.test(text)) return 'malformed';
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(text);
  } catch {
    // Valid characters, but a wrong checksum.
    return 'checksum';
  }
  return bytes.length === 21 && bytes[0] === ADDRESS_PREFIX ? Buffer.from(bytes.subarray(1)) : 'malformed';
}

/** The 20 bytes of a contract, or null. */
export function parseTronContract(text: string): Buffer | null {
  const bytes = readTronAddress(text);
  return typeof bytes === 'string' ? null : bytes;
}
