import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { sha256Twice } from './byte-reader.pure.js';
import { findMergeMiningProblem } from './merge-mining.pure.js';
import type { UtxoFamily } from './utxo-network.pure.js';
import type { UtxoHeader } from './utxo-wire.pure.js';

/** Offset of the 4-byte compact target ("nBits") in a header. */
const BITS_OFFSET = 72;
const SIGN = 0x80_0000;
/** Target of difficulty 1 in Bitcoin Core (`GetDifficulty`), used for all families. */
const EASIEST = 0xffffn << 208n;
/** Litecoin's parameters, and Dogecoin's; the header is the password and the salt. */
const SCRYPT = { N: 1_024, r: 1, p: 1 } as const;

const scryptOf = promisify<Buffer, Buffer, number, typeof SCRYPT, Buffer>(scrypt);

/** The number that a block's hash must not exceed; 0 for an invalid compact form (arith_uint256, SetCompact). */
export function targetOf(bits: number): bigint {
  const bytes = bits >>> 24;
  const mantissa = BigInt(bits & (SIGN - 1));
  if (bits & SIGN) return 0n;
  const target = bytes <= 3 ? mantissa >> BigInt(8 * (3 - bytes)) : mantissa << BigInt(8 * (bytes - 3));
  return target < 2n ** 256n ? target : 0n;
}

/** As in `getdifficulty`. @param target above 0 */
export function difficultyOf(target: bigint): number {
  return Number(EASIEST) / Number(target);
}

/**
 * Why a block's proof of work is invalid; null when it is valid. Forging a block requires doing this work.
 */
export async function findWorkProblem(
  { bytes, mergeMining }: Pick<UtxoHeader, 'bytes' | 'mergeMining'>,
  family: UtxoFamily,
  minDifficulty: number,
): Promise<string | null> {
  const target = targetOf(bytes.readUInt32LE(BITS_OFFSET));
  if (target === 0n) return 'names no target for its work';
  const difficulty = difficultyOf(target);
  if (difficulty < minDifficulty)
    return `has the difficulty ${difficulty}, and not ${minDifficulty} at least`;
  const problem = mergeMining && findMergeMiningProblem(sha256Twice(bytes), mergeMining);
  if (problem) return problem;
  const header = mergeMining?.header ?? bytes;
  const isScrypt = family === 'litecoin' || family === 'dogecoin';
  const work = isScrypt ? await scryptOf(header, header, 32, SCRYPT) : sha256Twice(header);
  // Numbers are little-endian on the wire.
  return BigInt(`0x${work.reverse().toString('hex')}`) > target ? 'lacks the work that it names' : null;
}
