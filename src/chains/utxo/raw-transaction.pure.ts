import { ChainInconsistencyError } from '../chain-adapter.pure.js';
import { ByteReader, malformed, readWhole, reversed, sha256Twice } from './byte-reader.pure.js';
import type { UtxoFamily } from './utxo-network.pure.js';

export interface UtxoOutput {
  /** scriptPubKey; on Bitcoin Cash without a token prefix. */
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

const WITNESS_FLAG = 0x01;
/** Litecoin's extension blocks (LIP-3). */
const MWEB_FLAG = 0x08;
/** PREFIX_TOKEN of CHIP-2022-02. */
const TOKEN_PREFIX = 0xef;
const NO_OUTPOINT = '0'.repeat(64);

/** Reads one raw transaction, as a mempool holds it. */
export function parseTransaction(hex: string, family: UtxoFamily): UtxoTransaction {
  const transaction = readWhole(hex, (reader) => readTransaction(reader, true));
  if (family === 'bitcoincash') stripTokens(transaction);
  return transaction;
}

/** The bytes of a raw transaction that its hash is of: without witnesses and extensions. */
export function withoutWitness(hex: string): { txHash: string; bytes: Buffer } {
  const { hashed } = readWhole(hex, (reader) => readParts(reader, true));
  return { txHash: reversed(sha256Twice(hashed)), bytes: hashed };
}

/** @param isAlone nothing follows it, so an extension before the lock time can be skipped */
export function readTransaction(reader: ByteReader, isAlone = false): UtxoTransaction {
  const { hashed, inputs, outputs } = readParts(reader, isAlone);
  return {
    txHash: reversed(sha256Twice(hashed)),
    inputs: inputs.filter((outpoint) => !outpoint.startsWith(NO_OUTPOINT)),
    outputs,
  };
}

function readParts(reader: ByteReader, isAlone: boolean) {
  const start = reader.position;
  const version = reader.take(4);
  let bodyStart = reader.position;
  let flags = 0;
  // BIP144: an input count of zero is a marker, followed by flags.
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
  return { hashed, inputs, outputs };
}

function readInput(reader: ByteReader): string {
  const outpoint = reader.take(36);
  reader.bytes();
  reader.take(4);
  return `${reversed(outpoint.subarray(0, 32))}:${outpoint.readUInt32LE(32)}`;
}

function readOutput(reader: ByteReader): UtxoOutput {
  const amount = reader.int64();
  if (amount < 0n) throw malformed('an output of less than nothing');
  return { amount, script: reader.bytes() };
}

/**
 * Bitcoin Cash puts tokens in front of the script (CHIP-2022-02 "CashTokens"). Bytes that are not exactly such a prefix
 * are part of the script, as for nodes.
 */
export function stripTokens({ outputs }: UtxoTransaction): void {
  for (const output of outputs) {
    const start = tokenPrefixLength(output.script);
    if (start > 0) output.script = output.script.subarray(start);
  }
}

/** Bytes of a token prefix: 0xef, category, bitfield, then commitment and amount as the bitfield says; 0: none. */
function tokenPrefixLength(script: Buffer): number {
  if (script[0] !== TOKEN_PREFIX) return 0;
  const reader = new ByteReader(script);
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
