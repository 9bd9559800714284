import type { BlockRef } from '../chain-adapter.pure.js';
import {
  type AddressFlow,
  type AddressSince,
  type ChainAuditor,
  groupedBy,
  type Holding,
  lazily,
  mismatch,
  type TransferClaim,
} from '../chain-auditor.pure.js';
import type { Chain } from '../chain.pure.js';
import type { JsonRpc, RpcCall } from '../json-rpc.js';
import { RpcError } from '../rpc-error.pure.js';
import { mayShrink } from '../adaptive-range.js';
import { EvmBalances, exactly, wordOf } from './evm-balances.js';
import { type NativeMove, readCallTraces, readParityTraces } from './evm-traces.js';
import { readTransferLog, TRANSFER_TOPIC } from './evm-transfer-logs.pure.js';
import {
  type EvmReceipt,
  toAddress,
  toHeader,
  toList,
  toLog,
  toObject,
  toQuantity,
  toReceipt,
} from './evm-wire.pure.js';
import { CALL_TRACER, hex } from './native-transfers.js';

/** Milliseconds for one trace, whose length a stranger may have decided. */
const TRACE_MS = 60_000;
/** Blocks per log query; halved while the node rejects the range. */
const LOG_RANGE = 5_000;
/** Milliseconds of tolerance between the clocks of the gateway and the chain. */
const CLOCK_MARGIN = 3_600_000;
/** Addresses that share a log query; Geth takes at most 1,000 in one position of a filter. */
const FLOWS_TOGETHER = 100;

/** Transactions whose receipts are in memory at a time: one has up to 4 MB. */
const TRANSACTIONS_TOGETHER = 20;

/**
 * A transaction, each part of which is read once, however many transfers it has: whoever sends it chooses how many, and
 * reading all of it for each of them would keep the process from all else.
 */
interface ExaminedTransaction {
  receipt: EvmReceipt | null;
  value: () => Promise<NativeMove | null>;
  /** By path. */
  moves: () => Promise<ReadonlyMap<string, NativeMove>>;
  calls: () => Promise<ReadonlyMap<string, NativeMove>>;
}

type Rpc = Pick<JsonRpc, 'call' | 'callCut' | 'batch' | 'settle'>;

/**
 * Checks transfers against receipts and addresses against balances. Neither uses the block logs and traces that the
 * adapter reads, so that an error in those is found.
 */
export class EvmAuditor implements ChainAuditor {
  private readonly tokens: readonly string[];
  private readonly assets: readonly string[];
  private readonly known: ReadonlySet<string>;
  private readonly balances: EvmBalances;

  constructor(
    chain: Chain,
    private readonly rpc: Rpc,
  ) {
    this.tokens = chain.assets.map(({ asset }) => asset).filter((asset) => asset !== 'native');
    this.assets = ['native', ...this.tokens];
    this.known = new Set(this.tokens);
    this.balances = new EvmBalances(rpc, this.assets);
  }

  async examine(claims: readonly TransferClaim[]): Promise<(string | null)[]> {
    const byTransaction = groupedBy(claims, ({ txHash }) => txHash);
    const hashes = [...byTransaction.keys()];
    const reasons = new Map<TransferClaim, string | null>();
    for (let i = 0; i < hashes.length; i += TRANSACTIONS_TOGETHER) {
      const together = hashes.slice(i, i + TRANSACTIONS_TOGETHER);
      const here = together.flatMap((hash) => byTransaction.get(hash) ?? []);
      const blocks = await this.blocksAt([...new Set(here.map(({ height }) => height))]);
      const receipts = await this.rpc.batch(together.map((hash) => ['eth_getTransactionReceipt', [hash]]));
      for (const [at, hash] of together.entries()) {
        const answer = receipts[at] ?? null;
        const transaction = this.transactionOf(hash, answer === null ? null : toReceipt(answer));
        for (const claim of byTransaction.get(hash) ?? [])
          reasons.set(
            claim,
            misplaced(claim, blocks.get(claim.height) ?? null, transaction.receipt) ??
              (await this.examineCredit(claim, transaction)),
          );
      }
    }
    return claims.map((claim) => reasons.get(claim) ?? null);
  }

  async holdings(
    at: BlockRef,
    keys: readonly Buffer[],
    credited: (key: Buffer, asset: string) => bigint,
  ): Promise<Holding[]> {
    const balances = await this.balances.read(at, keys);
    const held = keys.flatMap((key, i) =>
      this.assets.map((asset, j) => ({ key, asset, amount: balances[i]?.[j] ?? 0n })),
    );
    const differing = held.filter(({ key, asset, amount }) => amount !== credited(key, asset));
    const asked = [...new Map(differing.map(({ key }) => [address(key), key])).values()];
    const counts = await this.rpc.batch(
      asked.map((key): RpcCall => ['eth_getTransactionCount', [address(key), exactly(at)]]),
    );
    const spent = new Set(
      asked.filter((_key, i) => toQuantity(counts[i], 'transaction count') > 0n).map(address),
    );
    return held.map((holding) => ({ ...holding, isUnspent: !spent.has(address(holding.key)) }));
  }

  async flows(
    asset: string,
    claims: readonly AddressSince[],
    at: BlockRef,
  ): Promise<ReadonlyMap<string, AddressFlow> | null> {
    if (asset === 'native') return null;
    const flows = new Map(claims.map(({ key }) => [key.toString('hex'), { came: 0n, went: 0n }]));
    // Addresses of the same hour share their queries: the margin of the clocks is as long.
    const hourOf = ({ since }: AddressSince) => Math.floor(since.getTime() / CLOCK_MARGIN);
    for (const hour of new Set(claims.map(hourOf))) {
      const group = claims.filter((claim) => hourOf(claim) === hour);
      const from = await this.heightAt(new Date((hour - 1) * CLOCK_MARGIN), at.height);
      for (let i = 0; i < group.length; i += FLOWS_TOGETHER) {
        const topics = group.slice(i, i + FLOWS_TOGETHER).map(({ key }) => `0x${wordOf(key)}`);
        await this.eachLog(asset, [TRANSFER_TOPIC, null, topics], from, at.height, ({ to, amount }) => {
          const flow = flows.get(to);
          if (flow) flow.came += amount;
        });
        await this.eachLog(asset, [TRANSFER_TOPIC, topics], from, at.height, ({ from: sender, amount }) => {
          const flow = flows.get(sender);
          if (flow) flow.went += amount;
        });
      }
    }
    return flows;
  }

  /** The hashes of the canonical blocks at some heights; null: none is there. */
  private async blocksAt(heights: readonly number[]): Promise<Map<number, string | null>> {
    const headers = await this.rpc.batch(heights.map((at) => ['eth_getBlockByNumber', [hex(at), false]]));
    return new Map(
      heights.map((height, i) => [height, (headers[i] ?? null) === null ? null : toHeader(headers[i]).hash]),
    );
  }

  private transactionOf(txHash: string, receipt: EvmReceipt | null): ExaminedTransaction {
    return {
      receipt,
      value: lazily(() => this.valueOf(txHash)),
      moves: lazily(async () => byPath(await this.movesOf(txHash, receipt?.blockHash ?? ''), 'path')),
      calls: lazily(async () => byPath(await this.callsOf(txHash), 'shownPath')),
    };
  }

  /** Null when the transaction confirms what was recorded. */
  private async examineCredit(
    claim: TransferClaim,
    { receipt, value, moves, calls }: ExaminedTransaction,
  ): Promise<string | null> {
    const position = /^log:(\d+)$/.exec(claim.ordinal)?.[1];
    if (position !== undefined) {
      const log = receipt?.logs[Number(position)];
      return mismatch(claim, log ? readTransferLog(log, this.known) : null);
    }
    if (claim.ordinal === 'value') return compareMove(claim, await value());
    const path = claim.ordinal.replace(/^call:/, '');
    const reason = compareMove(claim, (await moves()).get(path) ?? null);
    if (reason === null) return null;
    // Recorded through a node that counts idle calls, before those were skipped.
    return compareMove(claim, (await calls()).get(path) ?? null) === null ? null : reason;
  }

  private async valueOf(txHash: string): Promise<NativeMove | null> {
    const transaction = toObject(await this.rpc.call('eth_getTransactionByHash', txHash), 'transaction');
    const to = transaction['to'] ?? null;
    if (to === null) return null;
    return {
      txHash,
      path: [],
      shownPath: [],
      to: toAddress(to, 'recipient'),
      amount: toQuantity(transaction['value'], 'value'),
    };
  }

  /** All native transfers of the transaction, by its own trace; the adapter traces whole blocks. */
  private async movesOf(txHash: string, blockHash: string): Promise<NativeMove[]> {
    const block = { hash: blockHash, transactionHashes: [txHash] };
    try {
      return readParityTraces(await this.rpc.callCut(TRACE_MS, 'trace_transaction', txHash), block);
    } catch (error) {
      if (!(error instanceof RpcError) || !error.isUnsupported) throw error;
    }
    return this.tracedCalls(txHash);
  }

  /** By the tracer that counts every call; none when the node does not support it. */
  private async callsOf(txHash: string): Promise<NativeMove[]> {
    try {
      return await this.tracedCalls(txHash);
    } catch (error) {
      if (!(error instanceof RpcError) || !error.isUnsupported) throw error;
      return [];
    }
  }

  private async tracedCalls(txHash: string): Promise<NativeMove[]> {
    const result = await this.rpc.callCut(TRACE_MS, 'debug_traceTransaction', txHash, CALL_TRACER);
    return readCallTraces([{ txHash, result }], { transactionHashes: [txHash] });
  }

  /** The last block before a time, at most `highest`. */
  private async heightAt(time: Date, highest: number): Promise<number> {
    let [low, high] = [0, highest];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const header = toHeader(await this.rpc.call('eth_getBlockByNumber', hex(middle), false));
      if (header.time < time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Calls back for every transfer of a token in some blocks, with the keys of both sides in hex. */
  private async eachLog(
    token: string,
    topics: readonly (string | null | readonly string[])[],
    from: number,
    to: number,
    found: (transfer: { from: string; to: string; amount: bigint }) => void,
  ): Promise<void> {
    let range = LOG_RANGE;
    for (let start = from; start <= to;) {
      const end = Math.min(to, start + range - 1);
      const filter = { address: token, topics, fromBlock: hex(start), toBlock: hex(end) };
      try {
        for (const log of toList(await this.rpc.call('eth_getLogs', filter), 'log list').map(toLog)) {
          const credit = readTransferLog(log, this.known);
          const sender = log.topics[1]?.slice(-40) ?? '';
          if (credit) found({ from: sender, to: credit.key.toString('hex'), amount: credit.amount });
        }
      } catch (error) {
        if (!(error instanceof RpcError) || range === 1 || !mayShrink(error)) throw error;
        range = Math.max(1, Math.min(error.refusal.blocks ?? range, Math.floor(range / 2)));
        continue;
      }
      start = end + 1;
    }
  }
}

function compareMove(claim: TransferClaim, move: NativeMove | null): string | null {
  return mismatch(
    claim,
    move && { asset: 'native', key: Buffer.from(move.to.slice(2), 'hex'), amount: move.amount },
  );
}

/** Null when the transaction succeeded in the recorded block and that block is canonical. */
function misplaced(
  { blockHash, height, sender }: TransferClaim,
  canonical: string | null,
  receipt: EvmReceipt | null,
): string | null {
  if (receipt === null) return 'the chain does not know the transaction';
  if (receipt.blockHash !== blockHash) return `the transaction is in block ${receipt.blockHash}`;
  if (canonical !== blockHash) return `block ${height} of the chain is ${canonical ?? 'not there'}`;
  if (!receipt.succeeded) return 'the transaction failed';
  const isSent = !sender || receipt.from === address(sender);
  return isSent ? null : `the transaction was sent by ${receipt.from}`;
}

function byPath(moves: readonly NativeMove[], path: 'path' | 'shownPath'): ReadonlyMap<string, NativeMove> {
  const found = new Map<string, NativeMove>();
  for (const move of moves) {
    const place = move[path].join('.');
    if (!found.has(place)) found.set(place, move);
  }
  return found;
}

function address(key: Buffer): string {
  return `0x${key.toString('hex')}`;
}
