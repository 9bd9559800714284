import { createHash } from 'node:crypto';
import { ChainInconsistencyError } from '../chain-adapter.js';
import type { UtxoFamily } from './utxo-network.js';

/** What a block's first 80 bytes say; hashes as people write them, last byte first. */
export interface UtxoHeader {
  hash: string;
  parentHash: string;
  time: Date;
}

export interface UtxoOutput {
  /** scriptPubKey; on Bitcoin Cash without the tokens that may stand before it. */
  script: Buffer;
  /** Smallest unit, exact: 8 bytes on the wire, never a float. */
  amount: bigint;
}

export interface UtxoTransaction {
  txHash: string;
  /** Outpoints `<txid>:<vout>` that it spends; empty for a coinbase. */
  inputs: string[];
  outputs: UtxoOutput[];
}

export interface UtxoBlock {
  header: UtxoHeader;
  transactions: UtxoTransaction[];
}

const HEADER_BYTES = 80;
const WITNESS_FLAG = 0x01;
/** Litecoin's extension blocks (LIP-3). */
const MWEB_FLAG = 0x08;
/** Version bit of a merge-mined block (Dogecoin). */
const AUXPOW_BIT = 0x100;
/** PREFIX_TOKEN of CHIP-2022-02. */
const TOKEN_PREFIX = 0xef;
const NO_OUTPOINT = '0'.repeat(64);

/** Reads a raw header. @throws ChainInconsistencyError as every function of this file */
export function parseHeader(hex: string): UtxoHeader {
  return whole(hex, (reader) => readHeader(reader).header);
}

/**
 * Reads a raw block and proves it: the header's hash is the block's, and the transactions make its Merkle root.
 * What comes behind the transactions (Litecoin's extension block) is none of them.
 * On Dogecoin a proof of another chain's work may stand between header and transactions.
 */
export function parseBlock(hex: string, family: UtxoFamily): UtxoBlock {
  return whole(hex, (reader) => {
    const { header, merkleRoot, version } = readHeader(reader);
    if (family === 'dogecoin' && version & AUXPOW_BIT) skipAuxPow(reader);
    const transactions = reader.list((from) => readTransaction(from));
    if (family === 'bitcoincash') transactions.forEach(stripTokens);
    const ids = transactions.map(({ txHash }) => txHash);
    // The same transactions twice make the same root (CVE-2012-2459).
    if (new Set(ids).size !== ids.length || merkleRootOf(ids) !== merkleRoot) {
      throw malformed('the transactions are not those of the block');
    }
    return { header, transactions };
  });
}

/** Reads one raw transaction, as a mempool holds it. */
export function parseTransaction(hex: string, family: UtxoFamily): UtxoTransaction {
  const transaction = whole(hex, (reader) => readTransaction(reader, true));
  if (family === 'bitcoincash') stripTokens(transaction);
  return transaction;
}

function whole<T>(hex: string, read: (reader: Reader) => T): T {
  // Decoding ends at the first thing that is no hex, so nothing else has half as many bytes.
  const bytes = Buffer.from(hex, 'hex');
  return read(new Reader(bytes.length * 2 === hex.length ? bytes : Buffer.alloc(0)));
}

function readHeader(reader: Reader) {
  const bytes = reader.take(HEADER_BYTES);
  const header: UtxoHeader = {
    hash: reversed(sha256Twice(bytes)),
    parentHash: reversed(bytes.subarray(4, 36)),
    time: new Date(bytes.readUInt32LE(68) * 1_000),
  };
  return { header, merkleRoot: reversed(bytes.subarray(36, 68)), version: bytes.readInt32LE(0) };
}

/** @param isAlone nothing follows it, so that what cannot be read may be left out before the lock time */
function readTransaction(reader: Reader, isAlone = false): UtxoTransaction {
  const start = reader.position;
  const version = reader.take(4);
  let bodyStart = reader.position;
  let flags = 0;
  // BIP144: no inputs is a marker, and flags follow.
  if (reader.peek() === 0) {
    flags = reader.take(2).readUInt8(1);
    bodyStart = reader.position;
  }
  const inputs = reader.list(readInput);
  const outputs = reader.list(readOutput);
  const body = reader.since(bodyStart);
  if (flags & WITNESS_FLAG) for (let i = 0; i < inputs.length; i++) reader.list((from) => from.bytes());
  if (flags & MWEB_FLAG && reader.take(1).readUInt8() !== 0) {
    if (!isAlone) throw malformed('a transaction of a block brings its extension along');
    reader.skipToLast(4);
  }
  if (flags & ~(WITNESS_FLAG | MWEB_FLAG)) throw malformed('a transaction has unknown parts');
  const lockTime = reader.take(4);
  const hashed = flags === 0 ? reader.since(start) : Buffer.concat([version, body, lockTime]);
  return {
    txHash: reversed(sha256Twice(hashed)),
    inputs: inputs.filter((outpoint) => !outpoint.startsWith(NO_OUTPOINT)),
    outputs,
  };
}

function readInput(reader: Reader): string {
  const outpoint = reader.take(36);
  reader.bytes();
  reader.take(4);
  return `${reversed(outpoint.subarray(0, 32))}:${outpoint.readUInt32LE(32)}`;
}

function readOutput(reader: Reader): UtxoOutput {
  const amount = reader.int64();
  if (amount < 0n) throw malformed('an output of less than nothing');
  return { amount, script: reader.bytes() };
}

/**
 * Bitcoin Cash writes tokens in front of the script (CHIP-2022-02 "CashTokens"): whoever may spend is said behind
 * them. What is not such a prefix to the letter is part of the script, as for the nodes.
 */
function stripTokens({ outputs }: UtxoTransaction): void {
  for (const output of outputs) {
    const start = tokenPrefixLength(output.script);
    if (start > 0) output.script = output.script.subarray(start);
  }
}

/** Bytes of a token prefix: 0xef, category, bitfield, then commitment and amount as the bitfield says; 0: none. */
function tokenPrefixLength(script: Buffer): number {
  if (script[0] !== TOKEN_PREFIX) return 0;
  const reader = new Reader(script);
  try {
    reader.take(1 + 32);
    const bits = reader.take(1).readUInt8();
    const [hasCommitment, hasNft, hasAmount] = [bits & 0x40, bits & 0x20, bits & 0x10];
    const capability = bits & 0x0f;
    const isOdd = bits & 0x80 || capability > 2 || (capability > 0 && !hasNft) || (hasCommitment && !hasNft);
    if (isOdd || (!hasNft && !hasAmount)) return 0;
    if (hasCommitment && reader.bytes().length === 0) return 0;
    if (hasAmount && !isTokenAmount(reader.compactSize())) return 0;
    return reader.position;
  } catch (error) {
    if (error instanceof ChainInconsistencyError) return 0;
    throw error;
  }
}

function isTokenAmount(amount: bigint): boolean {
  return amount > 0n && amount < 2n ** 63n;
}

/** Merge mining: the parent chain's coinbase, its branches and its header stand between header and transactions. */
function skipAuxPow(reader: Reader): void {
  readTransaction(reader);
  reader.take(32);
  reader.list((from) => from.take(32));
  reader.take(4);
  reader.list((from) => from.take(32));
  reader.take(4 + HEADER_BYTES);
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

function sha256Twice(bytes: Buffer): Buffer<ArrayBuffer> {
  return createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();
}

function reversed(bytes: Buffer): string {
  return Buffer.from(bytes).reverse().toString('hex');
}

function malformed(what: string): ChainInconsistencyError {
  return new ChainInconsistencyError(`the node sent malformed data: ${what}`);
}

/** Goes through bytes from the first to the last and never beyond. */
class Reader {
  position = 0;

  constructor(private readonly source: Buffer) {}

  take(count: number): Buffer {
    const end = this.position + count;
    if (end > this.source.length) throw malformed('it ends too early');
    const bytes = this.source.subarray(this.position, end);
    this.position = end;
    return bytes;
  }

  /** Without a buffer in between: outputs are most of a block. */
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

  /** A length and that many bytes. */
  bytes(): Buffer {
    return this.take(this.count());
  }

  /** A count and that many parts. */
  list<T>(read: (reader: Reader) => T): T[] {
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

  /** Nothing counted is smaller than a byte, so a count beyond the bytes left is nonsense. */
  private count(): number {
    // Nearly all lengths: spares the detour over a bigint.
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
