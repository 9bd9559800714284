/** The bech32 alphabet, which cash addresses share (BIP173). */
const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATORS = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];
const LOW_BITS = (1n << 35n) - 1n;
/** Version byte: bits 3 to 6 are the type, the lowest three the length of the hash. */
const KEY_HASH_VERSION = 0;
/** By type; 2 and 3 also accept tokens, for the same script (CHIP-2022-02). */
const KINDS = ['p2pkh', 'p2sh', 'p2pkh', 'p2sh'] as const;
/** Bytes, by the lowest three bits; other lengths have no script. */
const HASH_LENGTHS = [20, undefined, undefined, 32];
const CHECKSUM_LENGTH = 8;

/** Destination of a cash address. */
export interface CashDestination {
  kind: 'p2pkh' | 'p2sh';
  /** 20 bytes; 32 for scripts hashed twice with SHA-256. */
  hash: Buffer;
}

/**
 * The cash address of a public key's hash, including its prefix
 * (Bitcoin Cash specification "CashAddr").
 * @param hash 20 bytes
 */
export function toCashAddress(prefix: string, hash: Uint8Array): string {
  if (hash.length !== 20) throw new Error('a cash address holds 20 bytes');
  return writeCashAddress(prefix, KEY_HASH_VERSION, hash);
}

/** Reads an address with its prefix or without; all in one case, as the CashAddr specification requires. */
export function readCashAddress(
  prefix: string,
  text: string,
): (CashDestination & { address: string }) | 'malformed' | 'checksum' {
  const lower = text.toLowerCase();
  const bare = lower.startsWith(`${prefix}:`) ? lower.slice(prefix.length + 1) : lower;
  const values = Array.from(bare, (letter) => ALPHABET.indexOf(letter));
  // 42 letters hold 20 bytes, 61 hold 32.
  if (values.includes(-1) || (values.length !== 42 && values.length !== 61)) return 'malformed';
  if (text !== lower && text !== text.toUpperCase()) return 'checksum';
  if (polymod([...expand(prefix), ...values]) !== 0n) return 'checksum';
  const bytes = toBytes(values.slice(0, -CHECKSUM_LENGTH));
  const version = bytes?.[0];
  if (!bytes || version === undefined) return 'malformed';
  const [kind, length] = [KINDS[version >> 3], HASH_LENGTHS[version & 7]];
  const hash = bytes.subarray(1);
  if (!kind || hash.length !== length || (kind === 'p2pkh' && length !== 20)) return 'malformed';
  // In the spelling without token support, since payments are in the native coin.
  return { kind, hash, address: writeCashAddress(prefix, version & 0b1111, hash) };
}

function writeCashAddress(prefix: string, version: number, hash: Uint8Array): string {
  const payload = inFives(Uint8Array.from([version, ...hash]));
  const checksum = polymod([...expand(prefix), ...payload, ...Array<number>(CHECKSUM_LENGTH).fill(0)]);
  const tail = Array.from({ length: CHECKSUM_LENGTH }, (_, i) =>
    Number((checksum >> BigInt(5 * (7 - i))) & 31n),
  );
  return `${prefix}:${[...payload, ...tail].map((value) => ALPHABET[value]).join('')}`;
}

function expand(prefix: string): number[] {
  return [...Array.from(prefix, (letter) => letter.charCodeAt(0) & 31), 0];
}

function polymod(values: readonly number[]): bigint {
  let sum = 1n;
  for (const value of values) {
    const top = sum >> 35n;
    sum = ((sum & LOW_BITS) << 5n) ^ BigInt(value);
    for (const [i, generator] of GENERATORS.entries()) if ((top >> BigInt(i)) & 1n) sum ^= generator;
  }
  return sum ^ 1n;
}

/** Bytes as groups of five bits, the last one padded with zeros. */
function inFives(bytes: Uint8Array): number[] {
  const groups: number[] = [];
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5;) groups.push((buffer >> (bits -= 5)) & 31);
  }
  if (bits > 0) groups.push((buffer << (5 - bits)) & 31);
  return groups;
}

/** The inverse; null when the padding is not zero. */
function toBytes(fives: readonly number[]): Buffer | null {
  const bytes: number[] = [];
  let buffer = 0;
  let bits = 0;
  for (const five of fives) {
    buffer = ((buffer << 5) | five) & 0xfff;
    bits += 5;
    if (bits >= 8) bytes.push((buffer >> (bits -= 8)) & 0xff);
  }
  return bits < 5 && (buffer & ((1 << bits) - 1)) === 0 ? Buffer.from(bytes) : null;
}
