import type { Clock } from '../../platform/kernel/clock.pure.js';
import type { TransactionFate } from '../chain-adapter.pure.js';
import { refusalKindOf, RpcError } from '../rpc-error.pure.js';
import type { EsploraHttp } from './esplora-http.js';
import { ThrottledMempoolList } from './throttled-mempool-list.js';
import {
  malformed,
  toHash,
  toHashes,
  toHeight,
  toObject,
  type UtxoHead,
  type UtxoSource,
} from './utxo-source.js';

/** Mempool transactions read per step, because each is a separate request here. */
const READ_PER_STEP = 50;
/** As many as connections; when rate-limited, reading stops after these. */
const CONCURRENT_READS = 4;

/**
 * An Esplora-compatible HTTP endpoint (https://github.com/Blockstream/esplora/blob/master/API.md) in the place of a
 * node. Blocks and transactions only, never addresses: its operator sees what we read, and not what of it is ours.
 */
export class EsploraSource implements UtxoSource {
  private readonly mempool: ThrottledMempoolList;
  private newest: { hash: string; height: number } | null = null;

  constructor(
    private readonly http: EsploraHttp,
    readonly clock: Clock,
  ) {
    this.mempool = new ThrottledMempoolList(async () => toHashes(await this.json('/mempool/txids')), clock);
  }

  /**
   * Requests the height by hash, so that the two belong together. It is cached only if the endpoint has that hash at that
   * height, because a wrong one would stay until the next block.
   */
  async head(): Promise<UtxoHead> {
    const hash = toHash(await this.text('/blocks/tip/hash'));
    const says = { network: null, isSyncing: false, blocksLeft: null };
    if (this.newest?.hash === hash) return { ...this.newest, ...says };
    const height = toHeight(toObject(await this.json(`/block/${hash}`))['height']);
    this.newest = (await this.hashAt(height)) === hash ? { hash, height } : null;
    return { hash, height, ...says };
  }

  async hashAt(height: number): Promise<string | null> {
    const found = await this.http.find(`/block-height/${height}`);
    return found === null ? null : toHash(textOf(found));
  }

  async rawHeader(hash: string): Promise<string> {
    return this.text(`/block/${hash}/header`);
  }

  async rawBlock(hash: string): Promise<string> {
    return (await this.bytes(`/block/${hash}/raw`)).toString('hex');
  }

  waiting(): Promise<string[]> {
    return this.mempool.read();
  }

  /** Endpoints do not report it. */
  hasLoadedMempool(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async rawWaiting(txHashes: readonly string[]): Promise<(string | null | undefined)[]> {
    const answers = txHashes.map((): string | null | undefined => undefined);
    const asked = txHashes.slice(0, READ_PER_STEP);
    for (let start = 0; start < asked.length; start += CONCURRENT_READS) {
      const some = asked.slice(start, start + CONCURRENT_READS);
      const read = await Promise.allSettled(some.map((hash) => this.findRaw(hash)));
      for (const [i, one] of read.entries()) {
        if (one.status === 'fulfilled') answers[start + i] = one.value;
        else if (refusalKindOf(one.reason) !== 'rate-limit') throw one.reason;
      }
      if (read.some(({ status }) => status === 'rejected')) break;
    }
    return answers;
  }

  /**
   * Endpoints keep transactions that only stale blocks hold and call them unconfirmed, so only the mempool list shows
   * what is unmined.
   */
  async fate(txHash: string): Promise<TransactionFate> {
    if (await this.mempool.has(txHash)) return 'mempool';
    if ((await this.heightOf(txHash)) !== null) return 'mined';
    if ((await this.findRaw(txHash)) === null) return 'unknown';
    // It may have arrived after a list that is some seconds old.
    await this.mempool.readNow();
    return (await this.mempool.has(txHash)) ? 'mempool' : 'unknown';
  }

  async locate(txHash: string): Promise<number | 'mempool' | 'unknown'> {
    const height = await this.heightOf(txHash);
    if (height !== null) return height;
    const fate = await this.fate(txHash);
    // Mined between the two requests: the next step finds its block.
    return fate === 'mined' ? 'mempool' : fate;
  }

  /** Height of a transaction in the canonical chain; null when it is not there. */
  private async heightOf(txHash: string): Promise<number | null> {
    // Unknown transactions are reported as unconfirmed; some endpoints return 404.
    const found = await this.http.find(`/tx/${txHash}/status`);
    if (found === null) return null;
    const status = toObject(jsonOf(found));
    if (status['confirmed'] === false) return null;
    if (status['confirmed'] !== true) throw malformed('status');
    const height = toHeight(status['block_height']);
    return (await this.hashAt(height)) === toHash(status['block_hash']) ? height : null;
  }

  private async findRaw(txHash: string): Promise<string | null> {
    const found = await this.http.find(`/tx/${txHash}/hex`);
    return found && textOf(found);
  }

  private async json(path: string): Promise<unknown> {
    return jsonOf(await this.bytes(path));
  }

  private async text(path: string): Promise<string> {
    return textOf(await this.bytes(path));
  }

  private async bytes(path: string): Promise<Buffer> {
    const found = await this.http.find(path);
    if (found === null) throw new RpcError(`GET ${path}`, 'the endpoint answered HTTP 404');
    return found;
  }
}

function textOf(body: Buffer): string {
  return body.toString('latin1').trim();
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    throw malformed('answer');
  }
}
