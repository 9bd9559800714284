import type { BlockRef } from '../chain-adapter.pure.js';
import {
  type AddressFlow,
  type AddressSince,
  type ChainAuditor,
  type Holding,
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

type Rpc = Pick<JsonRpc, 'call' | 'callCut' | 'batch' | 'settle'>;

/**
 * Checks transfers against receipts and addresses against balances. Neither uses the block logs and traces that the
 * adapter reads, so that an error in those is found.
 */
export class EvmAuditor implements ChainAuditor {
  private readonly tokens: readonly string[];
  private readonly assets: readonly string[];
  private readonly balances: EvmBalances;

  constructor(
    chain: Chain,
    private readonly rpc: Rpc,
  ) {
    this.tokens = chain.assets.map(({ asset }) => asset).filter((asset) => asset !== 'native');
    this.assets = ['native', ...this.tokens];
    this.balances = new EvmBalances(rpc, this.assets);
  }

  async examine(claims: readonly TransferClaim[]): Promise<(string | null)[]> {
    const heights = [...new Set(claims.map(({ height }) => height))];
    const hashes = [...new Set(claims.map(({ txHash }) => txHash))];
    const headers = await this.rpc.batch(heights.map((at) => ['eth_getBlockByNumber', [hex(at), false]]));
    const receipts = await this.rpc.batch(hashes.map((hash) => ['eth_getTransactionReceipt', [hash]]));
    const reasons: (string | null)[] = [];
    for (const claim of claims) {
      const header = headers[heights.indexOf(claim.height)] ?? null;
      const receipt = receipts[hashes.indexOf(claim.txHash)] ?? null;
      const reason = misplaced(claim, header, receipt);
      reasons.push(reason ?? (await this.examineCredit(claim, toReceipt(receipt))));
    }
    return reasons;
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

  /** Null when the receipt confirms what was recorded. */
  private async examineCredit(claim: TransferClaim, receipt: EvmReceipt): Promise<string | null> {
    const position = /^log:(\d+)$/.exec(claim.ordinal)?.[1];
    if (position !== undefined) {
      const log = receipt.logs[Number(position)];
      const credit = log ? readTransferLog(log, new Set(this.tokens)) : null;
      return mismatch(claim, credit);
    }
    if (claim.ordinal === 'value') return compareMove(claim, await this.valueOf(claim));
    const path = claim.ordinal.replace(/^call:/, '');
    const placed = (await this.movesOf(claim)).find((move) => move.path.join('.') === path) ?? null;
    const reason = compareMove(claim, placed);
    if (reason === null) return null;
    // Recorded through a node that counts idle calls, before those were skipped.
    const counted = (await this.callsOf(claim)).find((move) => move.shownPath.join('.') === path) ?? null;
    return compareMove(claim, counted) === null ? null : reason;
  }

  private async valueOf({ txHash }: TransferClaim): Promise<NativeMove | null> {
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
  private async movesOf({ txHash, blockHash }: TransferClaim): Promise<NativeMove[]> {
    const block = { hash: blockHash, transactionHashes: [txHash] };
    try {
      return readParityTraces(await this.rpc.callCut(TRACE_MS, 'trace_transaction', txHash), block);
    } catch (error) {
      if (!(error instanceof RpcError) || !error.isUnsupported) throw error;
    }
    return this.tracedCalls(txHash);
  }

  /** By the tracer that counts every call; none when the node does not support it. */
  private async callsOf({ txHash }: TransferClaim): Promise<NativeMove[]> {
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
    const known = new Set(this.tokens);
    let range = LOG_RANGE;
    for (let start = from; start <= to;) {
      const end = Math.min(to, start + range - 1);
      const filter = { address: token, topics, fromBlock: hex(start), toBlock: hex(end) };
      try {
        for (const log of toList(await this.rpc.call('eth_getLogs', filter), 'log list').map(toLog)) {
          const credit = readTransferLog(log, known);
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
function misplaced({ blockHash, height }: TransferClaim, header: unknown, receipt: unknown): string | null {
  if (receipt === null) return 'the chain does not know the transaction';
  const found = toReceipt(receipt);
  if (found.blockHash !== blockHash) return `the transaction is in block ${found.blockHash}`;
  const canonical = header === null ? null : toHeader(header).hash;
  if (canonical !== blockHash) return `block ${height} of the chain is ${canonical ?? 'not there'}`;
  return found.succeeded ? null : 'the transaction failed';
}

function address(key: Buffer): string {
  return `0x${key.toString('hex')}`;
}
