/** The bech32 alphabet, which cash addresses share (BIP173). */
const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATORS = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];
const LOW_BITS = (1n << 35n) - 1n;
/** Version byte: bits 3 to 6 say what is hashed (0: a public key), the rest that the hash has 160 bits. */
const KEY_HASH_VERSION = 0;

/**
 * The cash address of a public key's hash, with its prefix, which belongs to it
 * (Bitcoin Cash specification "CashAddr").
 * @param hash 20 bytes
 */
export function toCashAddress(prefix: string, hash: Uint8Array): string {
  if (hash.length !== 20) throw new Error('a cash address holds 20 bytes');
  const payload = inFives(Uint8Array.from([KEY_HASH_VERSION, ...hash]));
  const expanded = [...Array.from(prefix, (letter) => letter.charCodeAt(0) & 31), 0];
  const checksum = polymod([...expanded, ...payload, ...Array<number>(8).fill(0)]);
  const tail = Array.from({ length: 8 }, (_, i) => Number((checksum >> BigInt(5 * (7 - i))) & 31n));
  return `${prefix}:${[...payload, ...tail].map((value) => ALPHABET[value]).join('')}`;
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
