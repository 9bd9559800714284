import {
  type BlockHeader,
  type BlockRef,
  type ChainAdapter,
  ChainInconsistencyError,
  type Credit,
  type Mempool,
  type MempoolTransaction,
  type ObservedBlock,
  type ObservedTransaction,
  type ObservedTransfer,
  type TransactionFate,
  type TransferCandidate,
} from '../chain-adapter.pure.js';
import type { Chain } from '../chain.pure.js';
import type { NodeProgress } from '../node-progress.pure.js';
import { readBlocksConcurrently } from '../read-blocks-concurrently.pure.js';
import type { RangeSize } from '../adaptive-range.js';
import { AdaptiveRange } from '../adaptive-range.js';
import {
  getUtxoNetwork,
  isUtxoFamily,
  isUtxoNetwork,
  publicGenesisHashes,
  type UtxoFamily,
  type UtxoNetwork,
} from './utxo-network.pure.js';
import { findWorkProblem } from './proof-of-work.pure.js';
import { parseTransaction, type UtxoTransaction } from './raw-transaction.pure.js';
import type { UtxoSource } from './utxo-source.js';
import { parseBlock, parseHeader, type UtxoBlock, type UtxoHeader } from './utxo-wire.pure.js';

/** Short, because blocks may have several megabytes each. */
const FIRST_RANGE: RangeSize = { blocks: 2, wasRefused: false, successes: 0 };
/** Blocks read concurrently when the source supports no ranges. */
const ONE_BY_ONE = 8;
const CHARACTERS_A_ROW = 1_000;
/** How long the newest block's hash is used without asking the node again. */
const NAMED_FOR_MS = 1_000;

/** Position of a candidate in its transaction, and the outpoints that the transaction spends. */
interface OutputLocator {
  vout: number;
  inputs: string[];
}

/**
 * Reads a UTXO chain through one source: a node, or an Esplora endpoint. Blocks and transactions are parsed from raw bytes,
 * so amounts are exact integers. A block is verified: its header by its hash, its transactions by the Merkle root, and
 * on main networks its proof of work.
 */
export class UtxoAdapter implements ChainAdapter {
  readonly chain: string;
  readonly family: UtxoFamily;
  private readonly network: UtxoNetwork;
  /** Minimum difficulty of its blocks; 0: not checked. */
  private readonly minDifficulty: number;
  /** The newest block by the node's last response, and when that was. */
  private named: { block: BlockRef; at: number } | null = null;
  /** An announced block, requested while the watcher looks up its cursor; null when the node did not send it. */
  private requested: { hash: string; raw: Promise<string | null> } | null = null;

  private headTime: { hash: string; time: Date } | null = null;

  /** Set when the source supports it. */
  readonly waitForBlock?: NonNullable<ChainAdapter['waitForBlock']>;

  /** Set when the source reads several blocks at once. */
  readonly blocks?: NonNullable<ChainAdapter['blocks']>;

  constructor(
    chain: Chain,
    private readonly source: UtxoSource,
  ) {
    if (!isUtxoFamily(chain.family) || !chain.network || !isUtxoNetwork(chain.family, chain.network))
      throw new Error(`${chain.slug} is not a UTXO chain`);
    this.chain = chain.slug;
    this.family = chain.family;
    this.network = getUtxoNetwork(chain.family, chain.network);
    this.minDifficulty = chain.minDifficulty ?? 0;
    if (source.waitForBlock) this.waitForBlock = source.waitForBlock.bind(source);
    if (source.rawBlocks) this.blocks = this.rangesOf(source.rawBlocks.bind(source));
  }

  async probe(): Promise<void> {
    const { chainName, genesisHash, checkpoints = [] } = this.network;
    const { network, height } = await this.source.head();
    if (network !== null && network !== chainName) {
      throw new Error(`${this.chain}: the node is of the network "${network}", expected "${chainName}"`);
    }
    if (genesisHash !== null) await this.requireHash(0, genesisHash);
    else await this.refusePublicNetworks();
    // A node that is still syncing may not have this block yet; checked again after a failure.
    for (const checkpoint of checkpoints)
      if (height >= checkpoint.height) await this.requireHash(checkpoint.height, checkpoint.hash);
  }

  async tip(): Promise<BlockRef> {
    const { height, hash } = await this.source.head();
    return this.remember({ height, hash });
  }

  async progress(): Promise<NodeProgress> {
    const { hash, isSyncing, blocksLeft, keptBlocks } = await this.source.head();
    if (this.headTime?.hash !== hash)
      this.headTime = { hash, time: parseHeader(await this.source.rawHeader(hash)).time };
    const { time: headTime } = this.headTime;
    return { headTime, isSyncing, blocksLeft, ...(keptBlocks !== undefined && { keptBlocks }) };
  }

  takeAnnounced(): BlockRef | null {
    const announced = this.source.takeAnnounced?.() ?? null;
    if (!announced) return null;
    this.requested = { hash: announced.hash, raw: this.findRaw(announced.hash) };
    return this.remember(announced);
  }

  async header(height: number): Promise<BlockHeader | null> {
    const hash = await this.source.hashAt(height);
    if (hash === null) return null;
    const header =
      this.family === 'dogecoin' && this.minDifficulty > 0
        ? // A header alone does not always prove its work: merge-mined blocks need the whole block.
          (await this.verified(hash, await this.source.rawBlock(hash))).header
        : await this.checked(parseHeader(await this.source.rawHeader(hash)), hash);
    return { height, ...headerOf(header) };
  }

  async block(height: number): Promise<ObservedBlock | null> {
    const read = (await this.readNewest(height)) ?? (await this.read(height));
    if (read === null) return null;
    return observed(height, read);
  }

  /**
   * The block was verified when it was read, so only check that it is still canonical. The newest block was just named by
   * the node.
   */
  async verify(block: ObservedBlock, candidates: TransferCandidate[]): Promise<ObservedTransfer[]> {
    if (candidates.length === 0) return [];
    if (block.hash !== this.newest()?.hash && (await this.source.hashAt(block.height)) !== block.hash) {
      throw new ChainInconsistencyError(`${this.chain}: the node has left block ${block.height}`);
    }
    return candidates.map(toTransfer);
  }

  transactionFate(txHash: string): Promise<TransactionFate> {
    return this.source.fate(txHash);
  }

  /** Locates the transaction at the source, and verifies it in the block that should hold it. */
  async transaction(txHash: string): Promise<ObservedTransaction> {
    const at = await this.source.locate(txHash);
    if (typeof at === 'string') return { fate: at };
    const block = await this.read(at);
    const { height: newest } = await this.source.head();
    const transaction = block?.transactions.find((each) => each.txHash === txHash);
    if (!block || !transaction || newest < at) {
      throw new ChainInconsistencyError(`${this.chain}: block ${at} does not hold what the node finds there`);
    }
    const credits = candidatesOf(transaction).map(({ asset, key, amount }): Credit => ({
      asset,
      key,
      amount,
    }));
    // On UTXO chains every mined transaction has succeeded.
    return {
      fate: 'mined',
      block: { height: at, hash: block.header.hash },
      confirmations: newest - at + 1,
      succeeded: true,
      credits,
    };
  }

  readonly mempool: Mempool = {
    list: () => this.source.waiting(),
    isLoaded: () => this.source.hasLoadedMempool(),
    read: async (txHashes) => {
      const found = await this.source.rawWaiting(txHashes);
      return {
        transactions: txHashes.flatMap((hash, i) => this.readUnmined(found[i] ?? null, hash)),
        unread: txHashes.filter((_, i) => found[i] === undefined),
      };
    },
  };

  private readUnmined(raw: string | null, txHash: string): MempoolTransaction[] {
    if (raw === null) return [];
    const transaction = parseTransaction(raw, this.family);
    // Entirely inside Litecoin's extension block: it has a different hash and no visible outputs.
    if (transaction.outputs.length === 0) return [];
    if (transaction.txHash !== txHash)
      throw new ChainInconsistencyError(`${this.chain}: the node sent another transaction`);
    const { inputs } = transaction;
    return [{ txHash, inputs, transfers: candidatesOf(transaction).map(toTransfer) }];
  }

  /** A private network has no known first block, so only check that it is not that of a public network. */
  private async refusePublicNetworks(): Promise<void> {
    const found = await this.source.hashAt(0);
    if (found !== null && publicGenesisHashes().has(found)) {
      throw new Error(`${this.chain}: block 0 of the node is ${found} of a public network, expected another`);
    }
  }

  private rangesOf(rawBlocks: NonNullable<UtxoSource['rawBlocks']>): NonNullable<ChainAdapter['blocks']> {
    const sizer = new AdaptiveRange(this.source.clock, FIRST_RANGE);
    return (from, count) =>
      sizer.run(
        count,
        async (asked) => {
          const raws = await rawBlocks(from, asked);
          const rows = raws.reduce((sum, { raw }) => sum + raw.length, 0) / CHARACTERS_A_ROW;
          const read = raws.map(async ({ hash, raw }, i) =>
            observed(from + i, await this.verified(hash, raw)),
          );
          return { blocks: await Promise.all(read), rows };
        },
        () => readBlocksConcurrently(this, from, Math.min(ONE_BY_ONE, count)),
      );
  }

  private async verified(hash: string, raw: string): Promise<UtxoBlock> {
    const block = parseBlock(raw, this.family);
    await this.checked(block.header, hash);
    return block;
  }

  /** The canonical block at a height, verified; null above the tip. */
  private async read(height: number): Promise<UtxoBlock | null> {
    const hash = await this.source.hashAt(height);
    if (hash === null) return null;
    return this.verified(hash, await this.source.rawBlock(hash));
  }

  /** The block just named as the tip, without asking for its hash again; null when it is gone or another one. */
  private async readNewest(height: number): Promise<UtxoBlock | null> {
    const newest = this.newest();
    if (newest?.height !== height) return null;
    const { requested } = this;
    this.requested = null;
    const raw = await (requested?.hash === newest.hash ? requested.raw : this.findRaw(newest.hash));
    return raw === null ? null : this.verified(newest.hash, raw);
  }

  private findRaw(hash: string): Promise<string | null> {
    return this.source.rawBlock(hash).catch(() => null);
  }

  private remember(block: BlockRef): BlockRef {
    this.named = { block, at: this.now() };
    return block;
  }

  /** Null when that was too long ago: it may have been replaced, and the node would still have it. */
  private newest(): BlockRef | null {
    return this.named && this.now() - this.named.at <= NAMED_FOR_MS ? this.named.block : null;
  }

  private now(): number {
    return this.source.clock.now().getTime();
  }

  private async requireHash(height: number, expected: string): Promise<void> {
    const found = await this.source.hashAt(height);
    if (found !== expected) {
      throw new Error(`${this.chain}: block ${height} of the node is ${String(found)}, expected ${expected}`);
    }
  }

  private async checked(header: UtxoHeader, hash: string): Promise<UtxoHeader> {
    if (header.hash !== hash) throw new ChainInconsistencyError(`${this.chain}: the node sent another block`);
    if (this.minDifficulty === 0) return header;
    const problem = await findWorkProblem(header, this.family, this.minDifficulty);
    if (problem) throw new ChainInconsistencyError(`${this.chain}: block ${hash} ${problem}`);
    return header;
  }
}

/** An output as a candidate; computes lazily what only matching outputs need. */
class OutputCandidate implements TransferCandidate {
  readonly asset = 'native';

  constructor(
    readonly key: Buffer,
    readonly amount: bigint,
    private readonly transaction: UtxoTransaction,
    private readonly vout: number,
  ) {}

  get txHash(): string {
    return this.transaction.txHash;
  }

  get locator(): OutputLocator {
    return { vout: this.vout, inputs: this.transaction.inputs };
  }
}

/** Loops for speed: in catch-up these are most of all objects created, and flatMap costs ten times as much. */
function observed(height: number, { header, transactions }: UtxoBlock): ObservedBlock {
  const candidates: TransferCandidate[] = [];
  const spends = new Map<string, string>();
  for (const transaction of transactions) {
    addCandidates(candidates, transaction);
    for (const outpoint of transaction.inputs) spends.set(outpoint, transaction.txHash);
  }
  return { height, ...headerOf(header), candidates, spends };
}

function headerOf({ hash, parentHash, time }: UtxoHeader): Omit<BlockHeader, 'height'> {
  return { hash, parentHash, time };
}

function addCandidates(candidates: TransferCandidate[], transaction: UtxoTransaction): void {
  let vout = 0;
  for (const { script, amount } of transaction.outputs) {
    if (amount > 0n) candidates.push(new OutputCandidate(script, amount, transaction, vout));
    vout++;
  }
}

function candidatesOf(transaction: UtxoTransaction): TransferCandidate[] {
  const candidates: TransferCandidate[] = [];
  addCandidates(candidates, transaction);
  return candidates;
}

function toTransfer({ txHash, asset, key, amount, locator }: TransferCandidate): ObservedTransfer {
  const { vout, inputs } = locator as OutputLocator;
  return { txHash, ordinal: `vout:${vout}`, asset, key, amount, inputs };
}
