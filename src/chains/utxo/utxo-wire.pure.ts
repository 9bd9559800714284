import { type ByteReader, malformed, readWhole, reversed, sha256Twice } from './byte-reader.pure.js';
import { type MergeMining, readMergeMining } from './merge-mining.pure.js';
import { readTransaction, stripTokens, type UtxoTransaction } from './raw-transaction.pure.js';
import type { UtxoFamily } from './utxo-network.pure.js';

/** The first 80 bytes of a block; hashes are in display order, last byte first. */
export interface UtxoHeader {
  hash: string;
  parentHash: string;
  time: Date;
  /** The 80 bytes themselves. */
  bytes: Buffer;
  /** Merge-mining proof; null when there is none, or only the header was read. */
  mergeMining: MergeMining | null;
}

export interface UtxoBlock {
  header: UtxoHeader;
  transactions: UtxoTransaction[];
}

/** Version bit of a merge-mined block (Dogecoin). */
const AUXPOW_BIT = 0x100;
const HEADER_BYTES = 80;

/** Reads a raw header. @throws ChainInconsistencyError like every function in this file */
export function parseHeader(hex: string): UtxoHeader {
  return readWhole(hex, (reader) => readHeader(reader).header);
}

/**
 * Reads a raw block and verifies that the transactions match its Merkle root. Ignores bytes after the transactions
 * (Litecoin's extension block). On Dogecoin a merge-mining proof may precede the transactions.
 */
export function parseBlock(hex: string, family: UtxoFamily): UtxoBlock {
  return readWhole(hex, (reader) => {
    const { header, merkleRoot, version } = readHeader(reader);
    if (family === 'dogecoin' && version & AUXPOW_BIT) header.mergeMining = readMergeMining(reader);
    const transactions = reader.list((from) => readTransaction(from));
    if (family === 'bitcoincash') transactions.forEach(stripTokens);
    const ids = transactions.map(({ txHash }) => txHash);
    // Duplicated transactions can have the same root (CVE-2012-2459).
    if (new Set(ids).size !== ids.length || merkleRootOf(ids) !== merkleRoot) {
      throw malformed('the transactions are not those of the block');
    }
    return { header, transactions };
  });
}

function readHeader(reader: ByteReader) {
  const bytes = reader.take(HEADER_BYTES);
  const header: UtxoHeader = {
    hash: reversed(sha256Twice(bytes)),
    parentHash: reversed(bytes.subarray(4, 36)),
    time: new Date(bytes.readUInt32LE(68) * 1_000),
    bytes,
    mergeMining: null,
  };
  return { header, merkleRoot: reversed(bytes.subarray(36, 68)), version: bytes.readInt32LE(0) };
}

function merkleRootOf(ids: readonly string[]): string {
  let level = ids.map((id) => Buffer.from(id, 'hex').reverse());
  if (level.length === 0) throw malformed('a block without transactions');
  while (level.length > 1) {
    const pairs: Buffer<ArrayBuffer>[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const left = level[i] ?? Buffer.alloc(0);
      pairs.push(sha256Twice(Buffer.concat([left, level[i + 1] ?? left])));
    }
    level = pairs;
  }
  return reversed(level[0] ?? Buffer.alloc(0));
}
