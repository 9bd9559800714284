import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

const TEXT = /^0x[0-9a-fA-F]{40}$/;

/** `0x` and 40 hex digits whose case carries a checksum (EIP-55). @param address 20 bytes */
export function toChecksumAddress(address: Uint8Array): string {
  if (address.length !== 20) throw new Error('an EVM address has 20 bytes');
  const digits = Buffer.from(address).toString('hex');
  const hash = Buffer.from(keccak_256(Buffer.from(digits, 'ascii'))).toString('hex');
  const cased = digits.replace(/[a-f]/g, (digit, position: number) =>
    parseInt(hash.charAt(position), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased}`;
}

/**
 * The 20 bytes of an address as people write it. One case is taken as it is; mixed case must be the right
 * checksum, because funds sent to a mistyped address are lost.
 */
export function parseEvmAddress(text: string): Buffer | null {
  if (!TEXT.test(text)) return null;
  const digits = text.slice(2);
  const address = Buffer.from(digits, 'hex');
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return oneCase || toChecksumAddress(address) === text ? address : null;
}

/**
 * The last 20 bytes of keccak-256 over the uncompressed point without its 0x04 prefix.
 * @param publicKey compressed, 33 bytes
 */
export function evmAddressOfPublicKey(publicKey: Uint8Array): Buffer {
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  return Buffer.from(keccak_256(point.subarray(1)).subarray(12));
}
