import {
  type BlockHeader,
  type BlockRef,
  type ChainAdapter,
  ChainInconsistencyError,
  type Credit,
  type ObservedBlock,
  type ObservedTransaction,
  type ObservedTransfer,
  type TransactionFate,
  type TransferCandidate,
} from '../chain-adapter.pure.js';
import type { Chain, FinalityTag } from '../chain.pure.js';
import type { NodeProgress } from '../node-progress.pure.js';
import type { JsonRpc } from '../json-rpc.js';
import { RpcError } from '../rpc-error.pure.js';
import { BlockProofs, type Proof } from './block-proofs.js';
import { BlockReceipts } from './block-receipts.js';
import { type EvmCapabilities, type ProbedFeatures, probeCapabilities } from './evm-capabilities.js';
import { EvmBlocks, type ShownBlock } from './evm-blocks.js';
import { EvmRanges } from './evm-ranges.js';
import { readTransferLog, unlistedCredits, TRANSFER_TOPIC, TransferBloom } from './evm-transfer-logs.pure.js';
import {
  type EvmHeader,
  type EvmReceipt,
  findBlocksLeft,
  toCount,
  toHash,
  toHeader,
  toList,
  toLog,
  toObject,
  toReceipt,
} from './evm-wire.pure.js';
import {
  isAboutTraces,
  type NativeCapability,
  nativeCall,
  readNativeMoves,
  nativeCandidate,
} from './native-transfers.js';
import { ordinalOf, VALUE } from './transfer-ordinal.js';
import { HeaderForms } from './header-forms.js';
import { TransactionTraces } from './transaction-traces.js';

/** Milliseconds for the trace of one transaction that is looked up. */
const ONE_TRACE_MS = 5_000;

const NO_CAPABILITIES = { native: 'transactions', logRange: 0, blockReceipts: false } as const;

/** The node is of another chain than it is configured for. */
export class WrongNetworkError extends Error {}

/**
 * Reads an EVM chain through one node. Every part of a block is checked against one hash; a mismatch rejects, so that
 * the caller reads the block again and nothing inconsistent is written.
 * Not detected: funds that no transaction moves (beacon chain withdrawals, block rewards), and payments by contracts when
 * the node has no traces.
 */
export class EvmAdapter implements ChainAdapter {
  readonly chain: string;
  readonly family = 'evm';
  private readonly expectedChainId: number;
  private readonly tokens: ReadonlySet<string>;
  private readonly bloom: TransferBloom;
  private readonly shown: EvmBlocks;
  private readonly ranges: EvmRanges;
  private readonly proofs: BlockProofs;
  private readonly receipts: BlockReceipts;
  private readonly forms: HeaderForms;
  private readonly traces: TransactionTraces;
  private readonly needsProofs: boolean;
  private asked: ProbedFeatures | null = null;
  private tipTime: Date | null = null;

  constructor(
    chain: Chain,
    private readonly rpc: JsonRpc,
  ) {
    this.chain = chain.slug;
    if (chain.chainId === null) throw new Error(`${chain.slug} has no chain id`);
    this.expectedChainId = chain.chainId;
    this.proofs = new BlockProofs(rpc, chain.slug);
    this.forms = new HeaderForms(rpc, chain);
    this.traces = new TransactionTraces(rpc);
    this.needsProofs = chain.proveFrom !== undefined;
    const contracts = chain.assets.map(({ asset }) => asset).filter((asset) => asset !== 'native');
    this.tokens = new Set(contracts);
    this.bloom = new TransferBloom(contracts);
    this.receipts = new BlockReceipts(rpc, chain.slug, this.tokens);
    this.shown = new EvmBlocks(rpc, chain.slug);
    this.ranges = new EvmRanges(rpc, chain.slug, this.tokens, this.shown, {
      block: (height) => this.block(height),
      refuseMissingLogs: (header, shown) => this.refuseMissingLogs(header, shown),
      refuseForged: (block) => this.forms.refuseForged(block),
      receipts: (blocks, isNear) =>
        this.receipts.read(blocks, isNear, ({ header }) => this.loggedCandidates(header)),
      mayHoldTransfers: ({ logsBloom }) => this.bloom.tokensThatMayHaveMoved(logsBloom).length > 0,
    });
  }

  async probe(): Promise<void> {
    const found = toCount(await this.rpc.call('eth_chainId'), 'chain id');
    if (found !== this.expectedChainId) {
      throw new WrongNetworkError(
        `${this.chain}: the node is of chain id ${found}, expected ${this.expectedChainId}`,
      );
    }
    const before = this.asked;
    this.asked = await probeCapabilities(this.rpc, this.needsProofs).catch((error: unknown) => {
      // The newest block may be one whose traces cannot be read.
      if (before && isAboutTraces(error)) return before;
      throw error;
    });
  }

  /** Features of the node; null before it was probed. */
  get capabilities(): EvmCapabilities | null {
    return this.asked?.capabilities ?? null;
  }

  /** Features that the node or its plan lacks, in words for the operator. */
  get needs(): readonly string[] {
    const { asked, forms, receipts } = this;
    return [...(asked?.needs ?? []), forms.lack, receipts.lack].filter((lack) => lack !== null);
  }

  /** Milliseconds since 1970 until which the node rate-limits us. */
  get pausedUntil(): number {
    return this.rpc.pacer.pausedUntil;
  }

  async tagged(tag: FinalityTag): Promise<BlockRef> {
    const { height, hash } = toHeader(await this.rpc.call('eth_getBlockByNumber', tag, false));
    return { height, hash };
  }

  async tip(): Promise<BlockRef> {
    const { height, hash } = await this.readTip();
    return { height, hash };
  }

  /** Its newest block is the last tip. A node that does not serve `eth_syncing` is judged by that alone. */
  async progress(): Promise<NodeProgress> {
    const headTime = this.tipTime ?? (await this.readTip()).time;
    const answer = await this.rpc.call('eth_syncing').catch((error: unknown) => {
      if (error instanceof RpcError) return false;
      throw error;
    });
    return { headTime, isSyncing: false, blocksLeft: findBlocksLeft(answer) };
  }

  private async readTip(): Promise<EvmHeader> {
    const header = await this.shown.tip(this.capabilities?.native ?? null);
    this.tipTime = header.time;
    return header;
  }

  async header(height: number): Promise<BlockHeader | null> {
    const header = await this.shown.header(height);
    return header && { height, hash: header.hash, parentHash: header.parentHash, time: header.time };
  }

  async block(height: number): Promise<ObservedBlock | null> {
    const capability = await this.nativeCapability();
    const block = await this.shown.read(height, capability);
    if (!block) return null;
    const isProven = await this.forms.refuseForged(block);
    const { hash, parentHash, time } = block.header;
    const candidates = await this.candidates(block, capability, isProven);
    return { height, hash, parentHash, time, candidates };
  }

  /**
   * As {@link block}, when the block's traces cannot be read as a whole (specification/chains.md#unread-traces).
   * @param budgetMs milliseconds for all traces
   */
  async blockInParts(height: number, budgetMs: number): Promise<ObservedBlock | null> {
    const tracing = await this.nativeCapability();
    if (tracing === 'transactions') {
      const block = await this.block(height);
      return block && { ...block, unread: { txHashes: null, reason: 'this endpoint has no traces' } };
    }
    const shown = await this.shown.bare(height);
    if (!shown) return null;
    const isProven = await this.forms.refuseForged(shown);
    const { hash, parentHash, time } = shown.header;
    const [native, tokens] = await Promise.all([
      this.traces.read(shown.header, tracing, budgetMs),
      this.tokenCandidates(shown, isProven),
    ]);
    // A transaction's own trace does not say which block it is of.
    if ((await this.shown.header(height))?.hash !== hash)
      throw new ChainInconsistencyError(`${this.chain}: block ${height} was replaced while it was read`);
    const candidates = [...native.candidates, ...tokens];
    return { height, hash, parentHash, time, candidates, ...(native.unread && { unread: native.unread }) };
  }

  /** In ranges where the node supports them, else one by one. */
  async blocks(from: number, count: number): Promise<ObservedBlock[]> {
    await this.nativeCapability();
    const { native, logRange, blockReceipts } = this.capabilities ?? NO_CAPABILITIES;
    return this.ranges.read(from, count, { native, logRange, blockReceipts });
  }

  async verify(block: ObservedBlock, candidates: TransferCandidate[]): Promise<ObservedTransfer[]> {
    const receipts = await this.receiptsOf(block.hash, [...new Set(candidates.map(({ txHash }) => txHash))]);
    return candidates.flatMap((candidate) => {
      const receipt = receipts.get(candidate.txHash);
      const ordinal = receipt ? ordinalOf(candidate, receipt) : null;
      if (!receipt || ordinal === null) return [];
      const { txHash, asset, key, amount } = candidate;
      const sender = ordinal === VALUE ? { sender: Buffer.from(receipt.from.slice(2), 'hex') } : {};
      return [{ txHash, ordinal, asset, key, amount, ...sender }];
    });
  }

  /** See {@link BlockProofs.prove}. */
  prove(block: BlockHeader, transfers: readonly ObservedTransfer[]): Promise<Proof | null> {
    return this.proofs.prove(block, transfers);
  }

  async transactionFate(txHash: string): Promise<TransactionFate> {
    const place = await this.locate(txHash);
    return typeof place === 'string' ? place : 'mined';
  }

  async transaction(txHash: string): Promise<ObservedTransaction> {
    const header = await this.locate(txHash);
    if (typeof header === 'string') return { fate: header };
    const receipt = (await this.receiptsOf(header.hash, [txHash])).get(txHash);
    const { height } = await this.tip();
    if (!receipt || height < header.height) {
      throw new ChainInconsistencyError(`${this.chain}: the node's tip is below a transaction that it shows`);
    }
    return {
      fate: 'mined',
      block: { height: header.height, hash: header.hash },
      confirmations: height - header.height + 1,
      succeeded: receipt.succeeded,
      credits: receipt.succeeded ? await this.creditsOf(header, receipt) : [],
      unlisted: receipt.succeeded ? unlistedCredits(receipt.logs, this.tokens) : [],
    };
  }

  private async creditsOf(header: EvmHeader, receipt: EvmReceipt): Promise<Credit[]> {
    return [
      ...(await this.nativeOf(header, receipt.transactionHash)),
      ...receipt.logs.flatMap((log) => readTransferLog(log, this.tokens) ?? []),
    ].map(({ asset, key, amount }) => ({ asset, key, amount }));
  }

  private async nativeOf(header: EvmHeader, txHash: string): Promise<TransferCandidate[]> {
    const capability = await this.nativeCapability();
    if (capability !== 'transactions') {
      const { candidates, unread } = await this.traces.read(header, capability, ONE_TRACE_MS, txHash);
      if (!unread) return candidates;
    }
    const native = await this.nativeCandidates(header, capability);
    return native.filter((one) => one.txHash === txHash);
  }

  /** The canonical block that holds a transaction, or why there is none. */
  private async locate(txHash: string): Promise<EvmHeader | 'mempool' | 'unknown'> {
    const found = await this.rpc.call('eth_getTransactionByHash', txHash);
    if (found === null) return 'unknown';
    const transaction = toObject(found, 'transaction');
    if (toHash(transaction['hash'], 'transaction hash') !== txHash) {
      throw new ChainInconsistencyError(`${this.chain}: the node sent another transaction`);
    }
    if (transaction['blockHash'] === null || transaction['blockHash'] === undefined) return 'mempool';
    const blockHash = toHash(transaction['blockHash'], 'block hash');
    // A node may still index a block that it no longer considers canonical.
    const canonical = await this.shown.header(toCount(transaction['blockNumber'], 'block number'));
    if (canonical?.hash !== blockHash) {
      throw new ChainInconsistencyError(
        `${this.chain}: the node placed a transaction in a block it has left`,
      );
    }
    return canonical;
  }

  /** Probed once per start; a failed probe is repeated. */
  private async nativeCapability(): Promise<NativeCapability> {
    this.asked ??= await probeCapabilities(this.rpc, this.needsProofs);
    return this.asked.capabilities.native;
  }

  private async candidates(
    block: ShownBlock,
    capability: NativeCapability,
    isProven: boolean,
  ): Promise<TransferCandidate[]> {
    const { header, moves } = block;
    if (header.transactionHashes.length === 0) {
      await this.refuseMissingLogs(header, new Set());
      return [];
    }
    const [native, token] = await Promise.all([
      moves?.map((move) => nativeCandidate(move, capability)) ?? this.nativeCandidates(header, capability),
      this.tokenCandidates(block, isProven),
    ]);
    return [...native, ...token];
  }

  private async nativeCandidates(
    header: EvmHeader,
    capability: NativeCapability,
  ): Promise<TransferCandidate[]> {
    const [method, params] = nativeCall(capability, header);
    const moves = readNativeMoves(capability, header, await this.rpc.call(method, ...params));
    return moves.map((move) => nativeCandidate(move, capability));
  }

  /**
   * From the receipts, which the header covers; from the logs where the node has no receipts of blocks.
   * @param isProven whether the header is proven, so that its bloom filter can say that there are none
   */
  private async tokenCandidates(block: ShownBlock, isProven: boolean): Promise<TransferCandidate[]> {
    if (this.tokens.size === 0) return [];
    if (isProven && this.bloom.tokensThatMayHaveMoved(block.header.logsBloom).length === 0) return [];
    if (!this.capabilities?.blockReceipts) return this.loggedCandidates(block.header);
    const [found] = await this.receipts.read([block], true, ({ header }) => this.loggedCandidates(header));
    return found?.candidates ?? [];
  }

  /** Transfer logs of the listed tokens, by block hash, because a number could mean another block after a reorg. */
  private async loggedCandidates(header: EvmHeader): Promise<TransferCandidate[]> {
    const filter = { blockHash: header.hash, address: [...this.tokens], topics: [TRANSFER_TOPIC] };
    const logs = toList(await this.rpc.call('eth_getLogs', filter), 'log list').map(toLog);
    const transactions = new Set(header.transactionHashes);
    for (const log of logs) {
      const asked = this.tokens.has(log.address) && log.topics[0] === TRANSFER_TOPIC;
      if (!asked || log.blockHash !== header.hash || !transactions.has(log.transactionHash)) {
        throw new ChainInconsistencyError(`${this.chain}: the node sent a log that was not requested`);
      }
    }
    await this.refuseMissingLogs(header, new Set(logs.map(({ address }) => address)));
    return logs.flatMap((log) => readTransferLog(log, this.tokens) ?? []);
  }

  /**
   * Some nodes return an empty list while their log index lags. The header's bloom filter shows which tokens may have
   * moved; since it has false positives, the receipts decide.
   */
  private async refuseMissingLogs(header: EvmHeader, shown: ReadonlySet<string>): Promise<void> {
    const suspects = this.bloom.tokensThatMayHaveMoved(header.logsBloom).filter((token) => !shown.has(token));
    if (suspects.length === 0) return;
    if (header.transactionHashes.length === 0) {
      throw new ChainInconsistencyError(`${this.chain}: the node sent logs without transactions`);
    }
    const receipts = await this.blockReceipts(header);
    const missing = receipts
      .flatMap((receipt) => receipt.logs)
      .find(({ address, topics }) => suspects.includes(address) && topics[0] === TRANSFER_TOPIC);
    if (missing) {
      throw new ChainInconsistencyError(`${this.chain}: the node left out logs of block ${header.height}`);
    }
  }

  private async blockReceipts(header: EvmHeader): Promise<EvmReceipt[]> {
    let found: unknown;
    try {
      found = await this.rpc.call('eth_getBlockReceipts', header.hash);
    } catch (error) {
      if (!(error instanceof RpcError) || !error.isUnsupported) throw error;
      return [...(await this.receiptsOf(header.hash, header.transactionHashes)).values()];
    }
    const receipts = toList(found, 'receipt list').map(toReceipt);
    const sameTransactions =
      receipts.map(({ transactionHash }) => transactionHash).join() === header.transactionHashes.join();
    if (!sameTransactions || receipts.some(({ blockHash }) => blockHash !== header.hash)) {
      throw new ChainInconsistencyError(`${this.chain}: the node sent receipts of another block`);
    }
    return receipts;
  }

  /** Complete receipts of the block, by transaction. @throws ChainInconsistencyError */
  private async receiptsOf(blockHash: string, txHashes: readonly string[]): Promise<Map<string, EvmReceipt>> {
    const found = await this.rpc.batch(txHashes.map((txHash) => ['eth_getTransactionReceipt', [txHash]]));
    return new Map(
      txHashes.map((txHash, i) => {
        const receipt = toReceipt(found[i]);
        if (receipt.transactionHash !== txHash || receipt.blockHash !== blockHash) {
          throw new ChainInconsistencyError(`${this.chain}: the node sent a receipt of another block`);
        }
        return [txHash, receipt];
      }),
    );
  }
}
