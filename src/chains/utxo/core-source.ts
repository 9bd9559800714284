import type { Clock } from '../../platform/runtime/clock.pure.js';
import { type BlockRef, ChainInconsistencyError, type TransactionFate } from '../chain-adapter.pure.js';
import { type JsonRpc, RpcError } from '../json-rpc.js';
import { TipNotification } from './tip-notification.js';
import { ThrottledMempoolList } from './throttled-mempool-list.js';
import { RecentBlocks } from './recent-blocks.js';
import {
  toHash,
  toHashes,
  toHeight,
  toObject,
  toText,
  type UtxoHead,
  type UtxoSource,
} from './utxo-source.js';

/** Error codes of Bitcoin Core (src/rpc/protocol.h). */
const NOT_FOUND = -5;
const OUT_OF_RANGE = -8;
const NO_SUCH_METHOD = -32601;
/** Outputs of a transaction among which an unspent one is looked for: one batch. */
const OUTPUTS_LOOKED_AT = 50;

/** A node that speaks Bitcoin Core's RPC. A transaction index (txindex) is not needed. */
export class CoreSource implements UtxoSource {
  private readonly mempool: ThrottledMempoolList;
  private wasLoaded = false;
  private readonly recent: RecentBlocks;
  private readonly announced = new TipNotification((hash) => this.askForBlock(hash));

  constructor(
    private readonly rpc: JsonRpc,
    clock: Clock,
  ) {
    this.mempool = new ThrottledMempoolList(async () => toHashes(await rpc.call('getrawmempool')), clock);
    this.recent = new RecentBlocks(rpc);
  }

  async head(): Promise<UtxoHead> {
    const { chain, blocks, bestblockhash } = toObject(await this.rpc.call('getblockchaininfo'));
    return { network: toText(chain), height: toHeight(blocks), hash: toHash(bestblockhash) };
  }

  async hashAt(height: number): Promise<string | null> {
    return orNull(OUT_OF_RANGE, async () => toHash(await this.rpc.call('getblockhash', height)));
  }

  async rawHeader(hash: string): Promise<string> {
    return toText(await this.rpc.call('getblockheader', hash, false));
  }

  async rawBlock(hash: string): Promise<string> {
    return this.announced.takeRaw(hash) ?? this.askForBlock(hash);
  }

  private async askForBlock(hash: string): Promise<string> {
    return toText(await this.rpc.call('getblock', hash, false));
  }

  async rawBlocks(from: number, count: number): Promise<{ hash: string; raw: string }[]> {
    const heights = Array.from({ length: count }, (_, i) => from + i);
    const found = await this.rpc.settle(heights.map((height) => ['getblockhash', [height]]));
    const hashes: string[] = [];
    for (const hash of found) {
      if (hash instanceof RpcError && hash.code === OUT_OF_RANGE) break;
      if (hash instanceof RpcError) throw hash;
      hashes.push(toHash(hash));
    }
    const raws = await this.rpc.batch(hashes.map((hash) => ['getblock', [hash, false]]));
    return hashes.map((hash, i) => ({ hash, raw: toText(raws[i]) }));
  }

  waiting(): Promise<string[]> {
    return this.mempool.read();
  }

  async rawWaiting(txHashes: readonly string[]): Promise<(string | null)[]> {
    const found = await this.rpc.settle(txHashes.map((hash) => ['getrawtransaction', [hash, false]]));
    return found.map((raw) => {
      if (!(raw instanceof RpcError)) return toText(raw);
      if (raw.code === NOT_FOUND) return null;
      throw raw;
    });
  }

  /**
   * @see lookUp; a mined transaction whose outputs are all spent is unknown without a transaction index. A node that
   * still reads its mempool back may have any transaction in a moment: what it does not find goes on waiting.
   */
  async fate(txHash: string): Promise<TransactionFate> {
    const found = (await this.lookUp(txHash)) ?? (await this.heightOfUnspent(txHash)) ?? 'unknown';
    const sure = found === 'unknown' ? await this.lookUpOnceLoaded(txHash) : found;
    return typeof sure === 'number' ? 'mined' : (sure ?? 'mempool');
  }

  /** @throws ChainInconsistencyError as long as the node still reads its mempool back and finds nothing */
  async locate(txHash: string): Promise<number | 'mempool' | 'unknown'> {
    const found =
      (await this.lookUp(txHash)) ??
      (await this.heightOfUnspent(txHash)) ??
      (await this.recent.find(txHash, await this.head())) ??
      'unknown';
    const sure = found === 'unknown' ? await this.lookUpOnceLoaded(txHash) : found;
    if (sure === null) throw new ChainInconsistencyError('the node still reads its mempool back');
    return sure;
  }

  /**
   * For what was not found. A node answers before it has read back the mempool that it left on its disk (mempool.dat):
   * minutes on a main network. Null meanwhile. Once it has, it is asked again, since it may have finished in between.
   */
  private async lookUpOnceLoaded(txHash: string): Promise<number | 'mempool' | 'unknown' | null> {
    if (!(await this.hasLoadedMempool())) return null;
    return (await this.lookUp(txHash)) ?? 'unknown';
  }

  /** Nodes that say nothing of it (Dogecoin Core 1.14, Bitcoin Core before 0.18, some
   * providers) are taken to have done it. */
  async hasLoadedMempool(): Promise<boolean> {
    const info = await orNull(NO_SUCH_METHOD, () => this.rpc.call('getmempoolinfo'));
    const isLoaded = info === null || toObject(info)['loaded'] !== false;
    // A list from before may lack what was read back since.
    if (isLoaded && !this.wasLoaded) this.mempool.forget();
    this.wasLoaded = isLoaded;
    return isLoaded;
  }

  /**
   * In the mempool, and in the transaction index where the node keeps one. The index also has what only stale blocks
   * hold: that is unknown. Null: not found, so without an index it may still be mined.
   */
  private async lookUp(txHash: string): Promise<number | 'mempool' | 'unknown' | null> {
    const found = await orNull(NOT_FOUND, () => this.rpc.call('getrawtransaction', txHash, true));
    if (found === null) return null;
    const { txid, blockhash } = toObject(found);
    if (txid !== txHash) throw new ChainInconsistencyError('the node sent another transaction');
    if (blockhash === undefined) return 'mempool';
    const header = toObject(await this.rpc.call('getblockheader', toHash(blockhash), true));
    // -1 off the canonical chain.
    return typeof header['confirmations'] === 'number' && header['confirmations'] > 0
      ? toHeight(header['height'])
      : 'unknown';
  }

  /** The set of unspent outputs knows in which block each was made; every node has it, with no index and pruned. */
  private async heightOfUnspent(txHash: string): Promise<number | null> {
    const outputs = Array.from({ length: OUTPUTS_LOOKED_AT }, (_, vout) => vout);
    const found = await this.rpc.batch(outputs.map((vout) => ['gettxout', [txHash, vout, false]]));
    const unspent = found.find((output) => output !== null);
    if (unspent === undefined) return null;
    const { bestblock, confirmations } = toObject(unspent);
    const { height } = toObject(await this.rpc.call('getblockheader', toHash(bestblock), true));
    return toHeight(toHeight(height) - toHeight(confirmations) + 1);
  }

  /** A hidden method of Bitcoin Core that answers at the next block. */
  async waitForBlock(maxMs: number, signal: AbortSignal): Promise<void> {
    const answer = toObject(await this.rpc.callUntil(signal, 'waitfornewblock', maxMs));
    const head = { height: toHeight(answer['height']), hash: toHash(answer['hash']) };
    this.announced.hear(head, performance.now());
  }

  takeAnnounced(): BlockRef | null {
    return this.announced.takeHead(performance.now());
  }
}

/** Null where the node refuses with that code. */
async function orNull<T>(code: number, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof RpcError && error.code === code) return null;
    throw error;
  }
}
