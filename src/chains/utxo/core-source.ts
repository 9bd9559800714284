import type { Clock } from '../../platform/kernel/clock.pure.js';
import {
  type BlockRef,
  ChainInconsistencyError,
  PrunedBlockError,
  type TransactionFate,
} from '../chain-adapter.pure.js';
import type { JsonRpc } from '../json-rpc.js';
import { RpcError } from '../rpc-error.pure.js';
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
/** Outputs of a transaction that are checked for an unspent one, in one batch. */
const OUTPUTS_LOOKED_AT = 50;

/** A node with Bitcoin Core's RPC interface; a transaction index (txindex) is not required. */
export class CoreSource implements UtxoSource {
  private readonly mempool: ThrottledMempoolList;
  private wasLoaded = false;
  private readonly recent: RecentBlocks;
  private readonly announced = new TipNotification((hash) => this.askForBlock(hash));

  constructor(
    private readonly rpc: JsonRpc,
    readonly clock: Clock,
  ) {
    this.mempool = new ThrottledMempoolList(async () => toHashes(await rpc.call('getrawmempool')), clock);
    this.recent = new RecentBlocks(rpc);
  }

  async head(): Promise<UtxoHead> {
    const info = toObject(await this.rpc.call('getblockchaininfo'));
    const [height, headers] = [toHeight(info['blocks']), toHeight(info['headers'] ?? info['blocks'])];
    return {
      network: toText(info['chain']),
      height,
      hash: toHash(info['bestblockhash']),
      // Absent before Bitcoin Core 0.16.
      isSyncing: info['initialblockdownload'] === true,
      blocksLeft: headers > height ? headers - height : null,
      ...(info['pruned'] === true && { keptBlocks: height - toHeight(info['pruneheight'] ?? 0) + 1 }),
    };
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
    return toText(await this.rpc.call('getblock', hash, false).catch(refuse));
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
    const raws = await this.rpc.batch(hashes.map((hash) => ['getblock', [hash, false]])).catch(refuse);
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
   * See {@link lookUp}. Without a transaction index, a mined transaction whose outputs are all spent is unknown. While the
   * node is loading its mempool, a transaction that it does not find counts as unmined.
   */
  async fate(txHash: string): Promise<TransactionFate> {
    const found = (await this.lookUp(txHash)) ?? (await this.heightOfUnspent(txHash)) ?? 'unknown';
    const sure = found === 'unknown' ? await this.lookUpOnceLoaded(txHash) : found;
    return typeof sure === 'number' ? 'mined' : (sure ?? 'mempool');
  }

  /** @throws ChainInconsistencyError when the node finds nothing while it is loading its mempool */
  async locate(txHash: string): Promise<number | 'mempool' | 'unknown'> {
    const found =
      (await this.lookUp(txHash)) ??
      (await this.heightOfUnspent(txHash)) ??
      (await this.recent.find(txHash, await this.head())) ??
      'unknown';
    const sure = found === 'unknown' ? await this.lookUpOnceLoaded(txHash) : found;
    if (sure === null) throw new ChainInconsistencyError('the node is still loading its mempool');
    return sure;
  }

  /**
   * For transactions that were not found: a node responds before it has loaded its mempool from disk (mempool.dat), which
   * takes minutes on a main network. Returns null meanwhile; asks again afterwards, because loading may just have finished.
   */
  private async lookUpOnceLoaded(txHash: string): Promise<number | 'mempool' | 'unknown' | null> {
    if (!(await this.hasLoadedMempool())) return null;
    return (await this.lookUp(txHash)) ?? 'unknown';
  }

  /** True for nodes that do not report it (Dogecoin Core 1.14, Bitcoin Core before 0.18, some providers). */
  async hasLoadedMempool(): Promise<boolean> {
    const info = await orNull(NO_SUCH_METHOD, () => this.rpc.call('getmempoolinfo'));
    const isLoaded = info === null || toObject(info)['loaded'] !== false;
    // A list from before may lack transactions loaded since.
    if (isLoaded && !this.wasLoaded) this.mempool.forget();
    this.wasLoaded = isLoaded;
    return isLoaded;
  }

  /**
   * Looks in the mempool, and in the transaction index if the node has one. Transactions in stale blocks, which the index
   * also has, are unknown. Null when not found: without an index it may still be mined.
   */
  private async lookUp(txHash: string): Promise<number | 'mempool' | 'unknown' | null> {
    const found = await orNull(NOT_FOUND, () => this.rpc.call('getrawtransaction', txHash, true));
    if (found === null) return null;
    const { txid, blockhash } = toObject(found);
    if (txid !== txHash) throw new ChainInconsistencyError('the node sent another transaction');
    if (blockhash === undefined) return 'mempool';
    const header = toObject(await this.rpc.call('getblockheader', toHash(blockhash), true));
    // -1 outside of the canonical chain.
    return typeof header['confirmations'] === 'number' && header['confirmations'] > 0
      ? toHeight(header['height'])
      : 'unknown';
  }

  /** By the UTXO set, which every node has, also without an index or pruned, and which knows each output's block. */
  private async heightOfUnspent(txHash: string): Promise<number | null> {
    const outputs = Array.from({ length: OUTPUTS_LOOKED_AT }, (_, vout) => vout);
    const found = await this.rpc.batch(outputs.map((vout) => ['gettxout', [txHash, vout, false]]));
    const unspent = found.find((output) => output !== null);
    if (unspent === undefined) return null;
    const { bestblock, confirmations } = toObject(unspent);
    const { height } = toObject(await this.rpc.call('getblockheader', toHash(bestblock), true));
    return toHeight(toHeight(height) - toHeight(confirmations) + 1);
  }

  /** Uses a hidden method of Bitcoin Core that returns at the next block. */
  async waitForBlock(maxMs: number, signal: AbortSignal): Promise<boolean> {
    const answer = toObject(await this.rpc.callUntil(signal, 'waitfornewblock', maxMs));
    const head = { height: toHeight(answer['height']), hash: toHash(answer['hash']) };
    return this.announced.hear(head, this.clock.now().getTime());
  }

  takeAnnounced(): BlockRef | null {
    return this.announced.takeHead(this.clock.now().getTime());
  }
}

/** Bitcoin Core, rpc/blockchain.cpp, GetBlockChecked: the code is that of any other failure. */
function refuse(error: unknown): never {
  if (error instanceof RpcError && error.message.includes('pruned data'))
    throw new PrunedBlockError(error.message, { cause: error });
  throw error;
}

/** Null when the call fails with this code. */
async function orNull<T>(code: number, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof RpcError && error.code === code) return null;
    throw error;
  }
}
