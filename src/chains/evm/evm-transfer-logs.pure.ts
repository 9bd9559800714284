import type { Credit, TransferCandidate } from '../chain-adapter.pure.js';
import { LogFilter } from './evm-bloom.pure.js';
import type { EvmLog } from './evm-wire.pure.js';

/** keccak-256 of "Transfer(address,address,uint256)" (EIP-20). */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** A 32-byte topic that holds an address, after 12 zero bytes. */
const ADDRESS_TOPIC = /^0x0{24}[0-9a-f]{40}$/;
const WORD = /^0x[0-9a-fA-F]{64}$/;

/** A log to find in its receipt with {@link findOrdinal}. */
export interface LogLocator {
  kind: 'log';
  log: EvmLog;
}

/** The credit in a Transfer log of a listed token, or null. */
export function readTransferLog(log: EvmLog, tokens: ReadonlySet<string>): TransferCandidate | null {
  return tokens.has(log.address) ? readAnyTransferLog(log) : null;
}

/**
 * The credit in a Transfer log of any contract, or null. Contracts may emit anything under this name, so only the exact
 * form of EIP-20 counts: three topics, two of them addresses, one word of data above zero, and different addresses.
 */
function readAnyTransferLog(log: EvmLog): TransferCandidate | null {
  const [topic, from, to, ...more] = log.topics;
  if (topic !== TRANSFER_TOPIC || more.length > 0) return null;
  if (!from || !to || !ADDRESS_TOPIC.test(from) || !ADDRESS_TOPIC.test(to) || from === to) return null;
  if (!WORD.test(log.data)) return null;
  const amount = BigInt(log.data);
  if (amount === 0n) return null;
  return {
    key: Buffer.from(to.slice(26), 'hex'),
    asset: log.address,
    amount,
    txHash: log.transactionHash,
    locator: { kind: 'log', log } satisfies LogLocator,
  };
}

/** What a transaction says that it moved in tokens which are not listed. */
export function unlistedCredits(logs: readonly EvmLog[], tokens: ReadonlySet<string>): Credit[] {
  return logs
    .filter(({ address }) => !tokens.has(address))
    .flatMap((log) => readAnyTransferLog(log) ?? [])
    .map(({ asset, key, amount }) => ({ asset, key, amount }));
}

/**
 * The log's index in its own receipt, which stays the same when the transaction is mined again
 * (specification/chains.md#transfers). Null when the receipt does not contain exactly this log.
 */
export function findOrdinal(log: EvmLog, receiptLogs: readonly EvmLog[]): string | null {
  const position = receiptLogs.findIndex(({ logIndex }) => logIndex === log.logIndex);
  const found = receiptLogs[position];
  const same =
    found !== undefined &&
    found.address === log.address &&
    found.data === log.data &&
    found.blockHash === log.blockHash &&
    found.transactionHash === log.transactionHash &&
    found.topics.length === log.topics.length &&
    found.topics.every((topic, i) => topic === log.topics[i]);
  const inOrder = receiptLogs.every(
    ({ logIndex }, i) => i === 0 || logIndex > (receiptLogs[i - 1]?.logIndex ?? 0),
  );
  return same && inOrder ? `log:${position}` : null;
}

/** Finds by a block's bloom filter which listed tokens may have been transferred in it. */
export class TransferBloom {
  private readonly filters: readonly { token: string; filter: LogFilter }[];

  constructor(tokens: readonly string[]) {
    const topic = bytes(TRANSFER_TOPIC);
    this.filters = tokens.map((token) => ({ token, filter: new LogFilter([bytes(token), topic]) }));
  }

  tokensThatMayHaveMoved(logsBloom: Uint8Array): string[] {
    return this.filters.filter(({ filter }) => filter.mayMatch(logsBloom)).map(({ token }) => token);
  }
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex.slice(2), 'hex');
}
