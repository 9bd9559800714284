import type { BlockRef } from '../chain-adapter.pure.js';
import { type ChainAuditor, type Holding, mismatch, type TransferClaim } from '../chain-auditor.pure.js';
import type { Chain } from '../chain.pure.js';
import type { JsonRpc, RpcCall } from '../json-rpc.js';
import { RpcError } from '../rpc-error.pure.js';
import { mayShrink } from '../adaptive-range.js';
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
import { hex } from './native-transfers.js';

/** Function selector of balanceOf(address) (EIP-20). */
const BALANCE_OF = '0x70a08231';
/** Blocks per log query; halved while the node rejects the range. */
const LOG_RANGE = 5_000;
/** Milliseconds of tolerance between the clocks of the gateway and the chain. */
const CLOCK_MARGIN = 3_600_000;

type Rpc = Pick<JsonRpc, 'call' | 'batch'>;

/**
 * Checks transfers against receipts and addresses against balances. Neither uses the block logs and traces that the
 * adapter reads, so that an error in those is found.
 */
export class EvmAuditor implements ChainAuditor {
  private readonly tokens: readonly string[];

  constructor(
    private readonly chain: Chain,
    private readonly rpc: Rpc,
  ) {
    this.tokens = chain.assets.map(({ asset }) => asset).filter((asset) => asset !== 'native');
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

  async holdings(at: BlockRef, keys: readonly Buffer[]): Promise<Holding[]> {
    // EIP-1898: at exactly this block, with an error when it is no longer canonical.
    const block = { blockHash: at.hash, requireCanonical: true };
    const assets = ['native', ...this.tokens];
    const calls = keys.flatMap((key): RpcCall[] => [
      ['eth_getTransactionCount', [address(key), block]],
      ...assets.map((asset): RpcCall =>
        asset === 'native'
          ? ['eth_getBalance', [address(key), block]]
          : ['eth_call', [{ to: asset, data: BALANCE_OF + word(key) }, block]],
      ),
    ]);
    const answers = await this.rpc.batch(calls);
    const width = assets.length + 1;
    return keys.flatMap((key, i) => {
      const nonce = toQuantity(answers[i * width], 'transaction count');
      return assets.map((asset, j) => {
        const found = answers[i * width + j + 1];
        const amount = asset === 'native' ? toQuantity(found, 'balance') : toUint256(found);
        return { key, asset, amount, isUnspent: nonce === 0n };
      });
    });
  }

  async flow(
    asset: string,
    key: Buffer,
    since: Date,
    at: BlockRef,
  ): Promise<{ came: bigint; went: bigint } | null> {
    if (asset === 'native') return null;
    const from = await this.heightAt(new Date(since.getTime() - CLOCK_MARGIN), at.height);
    const topic = `0x${word(key)}`;
    const came = await this.sumOfLogs(asset, [TRANSFER_TOPIC, null, topic], from, at.height);
    const went = await this.sumOfLogs(asset, [TRANSFER_TOPIC, topic], from, at.height);
    return { came, went };
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
      return readParityTraces(await this.rpc.call('trace_transaction', txHash), block);
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
    const result = await this.rpc.call('debug_traceTransaction', txHash, { tracer: 'callTracer' });
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

  private async sumOfLogs(
    token: string,
    topics: readonly (string | null)[],
    from: number,
    to: number,
  ): Promise<bigint> {
    let [sum, range] = [0n, LOG_RANGE];
    for (let start = from; start <= to;) {
      const end = Math.min(to, start + range - 1);
      const filter = { address: token, topics, fromBlock: hex(start), toBlock: hex(end) };
      try {
        const logs = toList(await this.rpc.call('eth_getLogs', filter), 'log list').map(toLog);
        const known = new Set(this.tokens);
        for (const log of logs) sum += readTransferLog(log, known)?.amount ?? 0n;
      } catch (error) {
        if (!(error instanceof RpcError) || range === 1 || !mayShrink(error)) throw error;
        range = Math.max(1, Math.min(error.refusal.blocks ?? range, Math.floor(range / 2)));
        continue;
      }
      start = end + 1;
    }
    return sum;
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

/** 32 bytes in hex without 0x. */
function word(key: Buffer): string {
  return key.toString('hex').padStart(64, '0');
}

/** A call to an address without a contract returns no data, which means a balance of zero. */
function toUint256(value: unknown): bigint {
  return value === '0x' ? 0n : toQuantity(value, 'token balance');
}
