import { ChainInconsistencyError, type BlockHeader } from '../chain-adapter.pure.js';

/** The parts of a header that are needed to verify the block's other parts. */
export interface EvmHeader extends BlockHeader {
  /** 256 bytes: bloom filter over the addresses and topics of the block's logs. */
  logsBloom: Buffer;
  transactionHashes: string[];
}

/** A transaction of a full block. `to` is null for a contract creation. */
export interface EvmTransaction {
  hash: string;
  from: string;
  to: string | null;
  value: bigint;
}

export interface EvmLog {
  /** Lower case. */
  address: string;
  topics: string[];
  /** Hex text with 0x. */
  data: string;
  blockHash: string;
  transactionHash: string;
  /** Counted over the whole block. */
  logIndex: number;
}

export interface EvmReceipt {
  transactionHash: string;
  blockHash: string;
  succeeded: boolean;
  /** The account that signed the transaction. */
  from: string;
  logs: EvmLog[];
}

const HASH = /^0x[0-9a-f]{64}$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;
/** At most 256 bits; leading zeros are wrong by EIP-1474 and still sent by some nodes. */
const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/;
const DATA = /^0x(?:[0-9a-fA-F]{2})*$/;
const BLOOM_BYTES = 256;
/** Root of a trie without items: keccak256 of the RLP of an empty string. */
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
/** Milliseconds of the last day that a Date can represent. */
const MAX_TIME = 8_640_000_000_000_000n;

/** A field is missing or of another form, as opposed to one that contradicts another. */
export class MalformedError extends ChainInconsistencyError {}

/** Names the malformed field; the step writes nothing and is retried. */
export function malformed(field: string): MalformedError {
  return new MalformedError(`the node sent a malformed ${field}`);
}

/** An object in a response. @throws ChainInconsistencyError like every function in this file */
export function toObject(value: unknown, field: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed(field);
  return value as Record<string, unknown>;
}

export function toList(value: unknown, field: string): unknown[] {
  if (!Array.isArray(value)) throw malformed(field);
  return value as unknown[];
}

/** 32 bytes, lower case. */
export function toHash(value: unknown, field: string): string {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (!HASH.test(text)) throw malformed(field);
  return text;
}

/** 20 bytes, lower case. */
export function toAddress(value: unknown, field: string): string {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (!ADDRESS.test(text)) throw malformed(field);
  return text;
}

/** 0 to 2^256 - 1. */
function isQuantity(value: unknown): value is string {
  return typeof value === 'string' && QUANTITY.test(value);
}

export function toQuantity(value: unknown, field: string): bigint {
  if (!isQuantity(value)) throw malformed(field);
  return BigInt(value);
}

/** A quantity that counts something: heights, indexes, chain ids. */
export function toCount(value: unknown, field: string): number {
  const quantity = toQuantity(value, field);
  if (quantity > BigInt(Number.MAX_SAFE_INTEGER)) throw malformed(field);
  return Number(quantity);
}

/**
 * Blocks that a node has yet to import, by `eth_syncing`; null when it is in sync or gives no numbers. Geth returns
 * numbers also while a node with the newest block is still indexing old transactions, so they decide and not the object.
 */
export function findBlocksLeft(answer: unknown): number | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { currentBlock, highestBlock } = answer as Record<string, unknown>;
  if (!isQuantity(currentBlock) || !isQuantity(highestBlock)) return null;
  const left = BigInt(highestBlock) - BigInt(currentBlock);
  return left > 0n && left <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(left) : null;
}

export function toHeader(value: unknown): EvmHeader {
  const block = toObject(value, 'block');
  const transactionHashes = transactionsOf(block).map((hash) => toHash(hash, 'transaction hash'));
  return { ...toHeaderFields(block), transactionHashes };
}

/** A block that includes full transactions. */
export function toFullBlock(value: unknown): { header: EvmHeader; transactions: EvmTransaction[] } {
  const block = toObject(value, 'block');
  const transactions = transactionsOf(block).map(toTransaction);
  const transactionHashes = transactions.map(({ hash }) => hash);
  return { header: { ...toHeaderFields(block), transactionHashes }, transactions };
}

/**
 * The list of a block's transactions. Nodes were seen to show it empty for a while, although the header says that there
 * are some; an empty list has one root and uses no gas (Ethereum yellow paper, 4.4).
 */
function transactionsOf(block: Record<string, unknown>): unknown[] {
  const { transactions, transactionsRoot = EMPTY_ROOT, gasUsed = '0x0' } = block;
  const list = toList(transactions, 'transaction list');
  if (list.length > 0) return list;
  if (toHash(transactionsRoot, 'transactions root') !== EMPTY_ROOT || toQuantity(gasUsed, 'gas used') > 0n)
    throw new ChainInconsistencyError('the node left out the transactions of a block');
  return list;
}

export function toLog(value: unknown): EvmLog {
  const log = toObject(value, 'log');
  if (log['removed'] === true)
    throw new ChainInconsistencyError('the node sent a log of a block that is no longer canonical');
  return {
    address: toAddress(log['address'], 'log address'),
    topics: toList(log['topics'], 'log topics').map((topic) => toHash(topic, 'log topic')),
    data: toData(log['data'], 'log data'),
    blockHash: toHash(log['blockHash'], 'log block hash'),
    transactionHash: toHash(log['transactionHash'], 'log transaction hash'),
    logIndex: toCount(log['logIndex'], 'log index'),
  };
}

export function toReceipt(value: unknown): EvmReceipt {
  const receipt = toObject(value, 'receipt');
  const status = toQuantity(receipt['status'], 'receipt status');
  if (status > 1n) throw malformed('receipt status');
  return {
    transactionHash: toHash(receipt['transactionHash'], 'receipt transaction hash'),
    blockHash: toHash(receipt['blockHash'], 'receipt block hash'),
    succeeded: status === 1n,
    // Of every receipt (ethereum/execution-apis, ReceiptInfo): without it a merchant's own coin would be a customer's.
    from: toAddress(receipt['from'], 'receipt sender'),
    logs: toList(receipt['logs'], 'receipt logs').map(toLog),
  };
}

/** A header without the transactions of its block. */
export function toHeaderFields(block: Record<string, unknown>): Omit<EvmHeader, 'transactionHashes'> {
  const milliseconds = toQuantity(block['timestamp'], 'block time') * 1_000n;
  if (milliseconds > MAX_TIME) throw malformed('block time');
  const logsBloom = toBytes(block['logsBloom'], 'logs bloom');
  if (logsBloom.length !== BLOOM_BYTES) throw malformed('logs bloom');
  return {
    height: toCount(block['number'], 'block number'),
    hash: toHash(block['hash'], 'block hash'),
    parentHash: toHash(block['parentHash'], 'parent hash'),
    time: new Date(Number(milliseconds)),
    logsBloom,
  };
}

function toTransaction(value: unknown): EvmTransaction {
  const transaction = toObject(value, 'transaction');
  const to = transaction['to'] ?? null;
  return {
    hash: toHash(transaction['hash'], 'transaction hash'),
    from: toAddress(transaction['from'], 'sender'),
    to: to === null ? null : toAddress(to, 'recipient'),
    value: toQuantity(transaction['value'], 'value'),
  };
}

/** Bytes of any length. */
export function toBytes(value: unknown, field: string): Buffer {
  return Buffer.from(toData(value, field).slice(2), 'hex');
}

/** Hex text with 0x. */
export function toData(value: unknown, field: string): string {
  if (typeof value !== 'string' || !DATA.test(value)) throw malformed(field);
  return value;
}
