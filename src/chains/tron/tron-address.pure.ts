import { createBase58check } from '@scure/base';
import { createHash } from 'node:crypto';

const base58check = createBase58check((data: Uint8Array) => createHash('sha256').update(data).digest());
/** What stands before the 20 bytes of every address, on all networks. */
export const ADDRESS_PREFIX = 0x41;
/** 21 bytes of which the first is 0x41, with four of checksum: always 34 digits, the first a "T". */
const TEXT = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;

/** As people see it: base58check. @param key the 20 bytes that contracts and logs know (as on EVM chains) */
export function toTronAddress(key: Uint8Array): string {
  if (key.length !== 20) throw new Error('a Tron address has 20 bytes behind its prefix');
  return base58check.encode(Uint8Array.from([ADDRESS_PREFIX, ...key]));
}

/** The 20 bytes of an address that somebody typed, or what is wrong with it. Hexadecimal is for machines only. */
export function readTronAddress(text: string): Buffer | 'malformed' | 'checksum' {
  if (!TEXT.test(text)) return 'malformed';
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(text);
  } catch {
    // Its letters are those of an address, and yet it is none.
    return 'checksum';
  }
  return bytes.length === 21 && bytes[0] === ADDRESS_PREFIX ? Buffer.from(bytes.subarray(1)) : 'malformed';
}

/** The 20 bytes of a contract, or null. */
export function parseTronContract(text: string): Buffer | null {
  const bytes = readTronAddress(text);
  return typeof bytes === 'string' ? null : bytes;
}
