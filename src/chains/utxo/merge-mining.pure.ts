import { ByteReader, reversed, sha256Twice } from './byte-reader.pure.js';
import { readTransaction } from './raw-transaction.pure.js';

/** Hashes from a leaf up to the root of a Merkle tree; bit 0 of the index is the side of the leaf. */
interface Branch {
  hashes: Buffer[];
  index: number;
}

/**
 * Proof of work by another chain's block whose coinbase names ours (merge mining, "AuxPoW"; Dogecoin's auxpow.h). Hashes
 * are in wire order.
 */
export interface MergeMining {
  /** The other block's 80 bytes. */
  header: Buffer;
  coinbaseHash: Buffer;
  /** Script of its input, which miners may fill freely. */
  coinbaseScript: Buffer;
  /** From the coinbase to the root in that header. */
  toHeader: Branch;
  /** From our block to the root in the coinbase: one proof may cover blocks of several chains. */
  toCoinbase: Branch;
}

/** Dogecoin's id among merge-mined chains. */
const CHAIN_ID = 0x62;
const MERKLE_ROOT = 36;
/** Precedes the root in the script. */
const MAGIC = Buffer.from('fabe6d6d', 'hex');
/** Older scripts have the root without the mark, no later than here. */
const LATEST_PLACE = 20;
const MOST_LEVELS = 30;

/** Reads the proof between header and transactions of a merge-mined block. @throws ChainInconsistencyError */
export function readMergeMining(reader: ByteReader): MergeMining {
  const start = reader.position;
  const { txHash } = readTransaction(reader);
  const coinbaseScript = firstScript(reader.since(start));
  // The other block's hash, which is not needed because its header follows.
  reader.take(32);
  const [toHeader, toCoinbase] = [readBranch(reader), readBranch(reader)];
  const coinbaseHash = Buffer.from(txHash, 'hex').reverse();
  return { header: reader.take(80), coinbaseHash, coinbaseScript, toHeader, toCoinbase };
}

/**
 * Why the proof does not cover our block; null when it does. Does not check the work itself. The rules are those of
 * Dogecoin Core (CAuxPow::check): one proof must not cover two blocks of one chain.
 * @param hash of our block, in wire order
 */
export function findMergeMiningProblem(hash: Buffer, mining: MergeMining): string | null {
  const { header, coinbaseHash, coinbaseScript: script, toHeader, toCoinbase } = mining;
  if (header.readUInt16LE(2) === CHAIN_ID) return 'has the work of a block of its own chain';
  const root = header.subarray(MERKLE_ROOT, MERKLE_ROOT + 32);
  if (toHeader.index !== 0 || !rootOf(coinbaseHash, toHeader).equals(root))
    return 'has the work of a block with another coinbase';
  const levels = toCoinbase.hashes.length;
  if (levels > MOST_LEVELS) return 'is one of too many that share their work';
  const at = script.indexOf(reversed(rootOf(hash, toCoinbase)), 0, 'hex');
  if (at === -1) return 'is not the one that the work was done for';
  const magic = script.indexOf(MAGIC);
  const isMarked = magic !== -1 && magic + MAGIC.length === at && script.indexOf(MAGIC, magic + 1) === -1;
  if (magic === -1 ? at > LATEST_PLACE : !isMarked) return 'is not the only one that the work was done for';
  const rest = script.subarray(at + 32);
  const isItsPlace =
    rest.length >= 8 &&
    rest.readUInt32LE(0) === 2 ** levels &&
    toCoinbase.index === placeOf(rest.readUInt32LE(4), levels);
  return isItsPlace ? null : 'has no right to its place among those that share their work';
}

/** The index that a chain must have in a tree of this depth: pseudo-random and deterministic. */
function placeOf(nonce: number, levels: number): number {
  const next = (value: number) => (Math.imul(value, 1_103_515_245) + 12_345) >>> 0;
  return next(next(nonce) + CHAIN_ID) % 2 ** levels;
}

function rootOf(leaf: Buffer, { hashes, index }: Branch): Buffer {
  return hashes.reduce((hash, other, level) => {
    const isRight = (index >>> level) & 1;
    return sha256Twice(Buffer.concat(isRight ? [other, hash] : [hash, other]));
  }, leaf);
}

function readBranch(reader: ByteReader): Branch {
  const hashes = reader.list((from) => from.take(32));
  return { hashes, index: reader.take(4).readUInt32LE() };
}

/** Script of the first input of a raw transaction, after its version and witness marker (BIP144). */
function firstScript(raw: Buffer): Buffer {
  const reader = new ByteReader(raw);
  reader.take(4);
  if (reader.peek() === 0) reader.take(2);
  const [first] = reader.list((from) => {
    from.take(36);
    const script = from.bytes();
    from.take(4);
    return script;
  });
  return first ?? Buffer.alloc(0);
}
