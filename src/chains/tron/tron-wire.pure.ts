import { type BlockHeader, ChainInconsistencyError } from '../chain-adapter.pure.js';
import type { EvmLog } from '../evm/evm-wire.pure.js';
import { ADDRESS_PREFIX } from './tron-address.pure.js';

/*
 * Responses of a node's HTTP interface, as java-tron writes them: messages of core/Tron.proto as JSON, bytes in
 * hexadecimal, 64-bit integers as numbers, and fields omitted when they are zero, empty or false.
 * Every function throws ChainInconsistencyError, so that the step writes nothing and is retried.
 */

/** A transfer of TRX. Keys are the 20 bytes after 0x41; amounts in sun, a millionth of a TRX. */
export interface TrxMove {
  from: Buffer;
  to: Buffer;
  amount: bigint;
}

/** One transaction of a block. */
export interface TronTransaction {
  txHash: string;
  /** As the block states; a failed transaction transfers nothing. */
  succeeded: boolean;
  /** Of a `TransferContract`; null for other types: TRC-10, votes, stakes and calls transfer no TRX by themselves. */
  transfer: TrxMove | null;
}

export interface TronBlock extends BlockHeader {
  transactions: TronTransaction[];
}

/** Result of one transaction (message TransactionInfo). */
export interface TronInfo {
  txHash: string;
  height: number;
  time: Date;
  succeeded: boolean;
  logs: EvmLog[];
  /** In the order of execution, which ordinals count; null for one that transferred nothing. */
  internal: (TrxMove | null)[];
}

const HASH = /^[0-9a-f]{64}$/;
const NO_TRANSACTIONS = '0'.repeat(64);
const ADDRESS = /^[0-9a-f]{42}$/;
/** Contracts in logs, which lack the prefix, as in the virtual machine. */
const LOG_ADDRESS = /^[0-9a-f]{40}$/;
const HEX = /^(?:[0-9a-f]{2})*$/;
const PREFIX = ADDRESS_PREFIX.toString(16);
/** Amounts are signed 64-bit integers. */
const MAX_SUN = 2n ** 63n - 1n;
/** Milliseconds of the last day that a Date can represent. */
const MAX_TIME = 8_640_000_000_000_000;
/**
 * "call", "create" and "suicide" in ASCII: the internal transactions that transfer TRX. With
 * `vm.saveFeaturedInternalTx` a node also lists stakes, votes and delegated resources, whose `callValue` transfers none.
 */
const MOVING_NOTES = new Set(['call', 'create', 'suicide'].map((note) => Buffer.from(note).toString('hex')));

/** Null for the empty object, which a node returns for a block that does not exist. */
export function toHeader(value: unknown): BlockHeader | null {
  const block = toObject(value, 'block');
  if (isEmpty(block)) return null;
  const raw = toObject(toObject(block['block_header'], 'block header')['raw_data'], 'block header');
  const height = toCount(raw['number'], 'block number');
  const hash = toHash(block['blockID'], 'block id');
  const parentHash = toHash(raw['parentHash'], 'parent hash');
  // A block's id starts with its height, so the two cannot belong to different blocks.
  if (heightIn(hash) !== height) throw malformed('block id');
  if (height > 0 && heightIn(parentHash) !== height - 1) throw malformed('parent hash');
  return { height, hash, parentHash, time: toTime(raw['timestamp']) };
}

/** A block with its transactions; null as for {@link toHeader}. */
export function toBlock(value: unknown): TronBlock | null {
  const header = toHeader(value);
  if (!header) return null;
  const { transactions } = value as { transactions?: unknown };
  const list = toOptionalList(transactions, 'transaction list');
  // A node, or a proxy in front of it, that omits them would hide every payment of the block.
  if (list.length === 0 && hasTransactions(value)) throw malformed('transaction list');
  return { ...header, transactions: list.map(toMined) };
}

/** By the header: the Merkle root without transactions is zero (java-tron, BlockCapsule.calcMerkleRoot). */
function hasTransactions(value: unknown): boolean {
  const raw = toObject(
    toObject(toObject(value, 'block')['block_header'], 'block header')['raw_data'],
    'block header',
  );
  return toHash(raw['txTrieRoot'] ?? NO_TRANSACTIONS, 'transaction root') !== NO_TRANSACTIONS;
}

/** The results of a block's transactions. @param blockHash of that block, for the logs */
export function toInfos(value: unknown, blockHash: string): TronInfo[] {
  if (!Array.isArray(value)) throw malformed('transaction info list');
  return (value as unknown[]).map((info) => toInfo(info, blockHash));
}

/** Location of a transaction; null when the node does not know it. */
export function toPlace(value: unknown): { txHash: string; height: number } | null {
  const info = toObject(value, 'transaction info');
  if (isEmpty(info)) return null;
  return {
    txHash: toHash(info['id'], 'transaction id'),
    height: toCount(info['blockNumber'], 'block number'),
  };
}

/** Whether the node has the requested transaction. */
export function isKnown(value: unknown, txHash: string): boolean {
  const transaction = toObject(value, 'transaction');
  if (isEmpty(transaction)) return false;
  if (toHash(transaction['txID'], 'transaction id') !== txHash) throw malformed('transaction id');
  return true;
}

/** The last solidified block of `wallet/getnodeinfo`: "Num:12,ID:0000…" (java-tron, BlockId.getString). */
export function toSolidBlock(value: unknown): { height: number; hash: string } {
  const text = toObject(value, 'node info')['solidityBlock'];
  const [, number = '', id = ''] = /^Num:(\d{1,16}),ID:([0-9a-f]{64})$/.exec(String(text)) ?? [];
  const hash = toHash(id, 'solidified block');
  if (heightIn(hash) !== Number(number)) throw malformed('solidified block');
  return { height: Number(number), hash };
}

/** Message Account, in sun; an address unknown to the node is unused. */
export function toAccount(value: unknown): { balance: bigint; isUnspent: boolean } {
  const account = toObject(value, 'account');
  return {
    balance: toSun(account['balance'], 'balance'),
    // Set by the account's own actions, and not by incoming transfers.
    isUnspent: toCount(account['latest_opration_time'], 'operation time') === 0,
  };
}

/** A mined transaction. */
export function toMined(value: unknown): TronTransaction {
  const transaction = toObject(value, 'transaction');
  const raw = toObject(transaction['raw_data'], 'transaction data');
  // Both are lists of one element by the protocol (Tron.proto); the first one counts.
  const [contract] = toOptionalList(raw['contract'], 'contract list');
  const [result] = toOptionalList(transaction['ret'], 'result list');
  return {
    txHash: toHash(transaction['txID'], 'transaction id'),
    succeeded: isSuccess(toObject(result, 'result')['contractRet']),
    transfer: toTransfer(toObject(contract, 'contract')),
  };
}

/** The only contract type that transfers TRX, although the Ethereum-like interface shows all with `to` and `value`. */
function toTransfer(contract: Record<string, unknown>): TrxMove | null {
  if (contract['type'] !== 'TransferContract') return null;
  const value = toObject(toObject(contract['parameter'], 'contract parameter')['value'], 'contract value');
  return {
    from: toAddress(value['owner_address'], 'sender'),
    to: toAddress(value['to_address'], 'recipient'),
    amount: toSun(value['amount'], 'amount'),
  };
}

function toInfo(value: unknown, blockHash: string): TronInfo {
  const info = toObject(value, 'transaction info');
  const txHash = toHash(info['id'], 'transaction id');
  const receipt = toObject(info['receipt'] ?? {}, 'receipt');
  const internal = toOptionalList(info['internal_transactions'], 'internal transaction list');
  return {
    txHash,
    height: toCount(info['blockNumber'], 'block number'),
    time: toTime(info['blockTimeStamp']),
    // `result` is omitted when it is zero ("SUCESS" in the enum), and `receipt.result` when no contract ran.
    succeeded: info['result'] !== 'FAILED' && isSuccess(receipt['result'] ?? 'SUCCESS'),
    logs: toOptionalList(info['log'], 'log list').map((log, at) => toLog(log, at, txHash, blockHash)),
    internal: internal.map((each) => toObject(each, 'internal transaction')).flatMap(toInternal),
  };
}

function toLog(value: unknown, logIndex: number, transactionHash: string, blockHash: string): EvmLog {
  const log = toObject(value, 'log');
  const topics = toOptionalList(log['topics'], 'log topics');
  return {
    address: `0x${toHex(log['address'], LOG_ADDRESS, 'log address')}`,
    topics: topics.map((topic) => `0x${toHash(topic, 'log topic')}`),
    data: `0x${toHex(log['data'] ?? '', HEX, 'log data')}`,
    blockHash,
    transactionHash,
    logIndex,
  };
}

/** Those that never transfer TRX are dropped, because which of them a node lists depends on its settings. */
function toInternal(internal: Record<string, unknown>): (TrxMove | null)[] {
  if (!MOVING_NOTES.has(String(internal['note']))) return [];
  const values = toOptionalList(internal['callValueInfo'], 'call values').map((one) =>
    toObject(one, 'call value'),
  );
  // Other entries are units of TRC-10 tokens.
  const amount = values
    .filter(({ tokenId }) => tokenId === undefined || tokenId === '')
    .reduce((sum, { callValue }) => sum + toSun(callValue, 'call value'), 0n);
  if (internal['rejected'] === true || amount === 0n) return [null];
  return [
    {
      from: toAddress(internal['caller_address'], 'caller'),
      to: toAddress(internal['transferTo_address'], 'recipient'),
      amount,
    },
  ];
}

/** "SUCCESS", or the reason of failure: "REVERT", "OUT_OF_ENERGY", … */
function isSuccess(value: unknown): boolean {
  if (typeof value !== 'string') throw malformed('contract result');
  return value === 'SUCCESS';
}

function toObject(value: unknown, field: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed(field);
  return value as Record<string, unknown>;
}

function isEmpty(value: Record<string, unknown>): boolean {
  return Object.keys(value).length === 0;
}

function toOptionalList(value: unknown, field: string): unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw malformed(field);
  return value as unknown[];
}

function toHex(value: unknown, shape: RegExp, field: string): string {
  const text = typeof value === 'string' ? value.toLowerCase() : null;
  if (text === null || !shape.test(text)) throw malformed(field);
  return text;
}

function toHash(value: unknown, field: string): string {
  return toHex(value, HASH, field);
}

/** The 20 bytes after the prefix. */
function toAddress(value: unknown, field: string): Buffer {
  const text = toHex(value, ADDRESS, field);
  if (!text.startsWith(PREFIX)) throw malformed(field);
  return Buffer.from(text.slice(PREFIX.length), 'hex');
}

function toSun(value: unknown, field: string): bigint {
  const amount = Number.isSafeInteger(value) ? BigInt(value as number) : (value ?? 0n);
  if (typeof amount !== 'bigint' || amount < 0n || amount > MAX_SUN) throw malformed(field);
  return amount;
}

function toCount(value: unknown, field: string): number {
  const count = value ?? 0;
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) throw malformed(field);
  return count;
}

function toTime(value: unknown): Date {
  const milliseconds = toCount(value, 'block time');
  if (milliseconds > MAX_TIME) throw malformed('block time');
  return new Date(milliseconds);
}

/** The first eight bytes of a block's id. */
function heightIn(blockId: string): number {
  return Number(BigInt(`0x${blockId.slice(0, 16)}`));
}

/** Names the malformed field. */
function malformed(field: string): ChainInconsistencyError {
  return new ChainInconsistencyError(`the node sent a malformed ${field}`);
}
