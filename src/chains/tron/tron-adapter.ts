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
import { refusalKindOf } from '../rpc-error.pure.js';
import type { TronApi } from './tron-api.js';
import { creditsOf, ordinalOf } from './tron-credits.pure.js';
import { isTronNetwork, tronGenesisId, type TronNetworkName } from './tron-network.pure.js';
import {
  isKnown,
  toBlock,
  toHeader,
  toInfos,
  toPlace,
  toSolidBlock,
  type TronBlock,
  type TronInfo,
  type TronTransaction,
} from './tron-wire.pure.js';

/** A block with the credits of its transactions; failed ones have none. */
interface ReadBlock {
  block: TronBlock;
  /** In the order of the block's transactions. */
  credits: readonly { transaction: TronTransaction; candidates: TransferCandidate[] }[];
}

/**
 * Reads Tron through a node's own HTTP interface, because the Ethereum-like one shows TRC-10 tokens and votes as TRX. A
 * block takes two responses, transactions and results, which must name the same transactions, height and time, and the
 * block must still be canonical afterwards; a mismatch rejects, so that the caller reads the block again. A block's id
 * starts with its height, and every block names its parent.
 * Not detected: payments by contracts, unless the node keeps internal transactions (`vm.saveInternalTx`); rewards,
 * returned stakes and payouts of the built-in exchange, none of which is a payment.
 */
export class TronAdapter implements ChainAdapter {
  readonly chain: string;
  readonly family = 'tron';
  private readonly network: TronNetworkName;
  /** Contracts whose transfers count, as in the catalog. */
  readonly tokens: ReadonlySet<string>;
  private readonly needsFinality: boolean;
  private tipTime: Date | null = null;

  constructor(
    { slug, family, network, assets, requiredTags = [] }: Chain,
    private readonly api: TronApi,
  ) {
    if (family !== 'tron' || network === undefined || !isTronNetwork(network)) {
      throw new Error(`${slug} is not a network of Tron`);
    }
    this.chain = slug;
    this.network = network;
    this.needsFinality = requiredTags.length > 0;
    this.tokens = new Set(assets.map(({ asset }) => asset).filter((asset) => asset !== 'native'));
  }

  async probe(): Promise<void> {
    const expected = tronGenesisId(this.network);
    const found = (await this.header(0))?.hash ?? 'missing';
    if (found !== expected) {
      throw new Error(`${this.chain}: the first block of the node is ${found}, expected ${expected}`);
    }
    // Without it, transfers that wait for finality would never count, so refuse to start.
    if (this.needsFinality) await this.finalized();
  }

  async tip(): Promise<BlockRef> {
    const { height, hash } = await this.readTip();
    return { height, hash };
  }

  /** A node does not say that it is syncing; the age of its newest block does. */
  async progress(): Promise<NodeProgress> {
    const headTime = this.tipTime ?? (await this.readTip()).time;
    return { headTime, isSyncing: false, blocksLeft: null };
  }

  private async readTip(): Promise<BlockHeader> {
    const header = toHeader(await this.api.call('wallet/getblock', { detail: false }));
    if (!header) throw new ChainInconsistencyError(`${this.chain}: the node has no block`);
    this.tipTime = header.time;
    return header;
  }

  async header(height: number): Promise<BlockHeader | null> {
    return this.checked(toHeader(await this.askBlock(height, false)), height);
  }

  /**
   * The newest solidified block: more than two thirds of the block producers have built on it. Providers serve this path;
   * full nodes serve it on a separate port, so for them it is read from their node info.
   */
  async finalized(): Promise<BlockRef> {
    try {
      const solid = toHeader(await this.api.call('walletsolidity/getblock', { detail: false }));
      if (!solid) throw new ChainInconsistencyError(`${this.chain}: the node has no solidified block`);
      return { height: solid.height, hash: solid.hash };
    } catch (error) {
      if (refusalKindOf(error) !== 'unsupported') throw error;
    }
    return toSolidBlock(await this.api.call('wallet/getnodeinfo'));
  }

  /** The chain has no other tag. */
  async tagged(tag: FinalityTag): Promise<BlockRef | null> {
    return tag === 'finalized' ? this.finalized() : null;
  }

  async block(height: number): Promise<ObservedBlock | null> {
    const read = await this.read(height);
    if (!read) return null;
    const { hash, parentHash, time } = read.block;
    return {
      height,
      hash,
      parentHash,
      time,
      candidates: read.credits.flatMap(({ candidates }) => candidates),
    };
  }

  /** Results were read with the block, so only check that the block is still canonical. */
  async verify(block: ObservedBlock, candidates: TransferCandidate[]): Promise<ObservedTransfer[]> {
    if (candidates.length === 0) return [];
    await this.requireCanonical(block);
    return candidates.map((candidate) => {
      const { txHash, asset, key, amount } = candidate;
      return { txHash, ordinal: ordinalOf(candidate), asset, key, amount };
    });
  }

  async transactionFate(txHash: string): Promise<TransactionFate> {
    return (await this.transaction(txHash)).fate;
  }

  async transaction(txHash: string): Promise<ObservedTransaction> {
    const place = toPlace(await this.api.call('wallet/gettransactioninfobyid', { value: txHash }));
    if (!place) return { fate: (await this.isPending(txHash)) ? 'mempool' : 'unknown' };
    const read = await this.read(place.height);
    const found = read?.credits.find(({ transaction }) => transaction.txHash === txHash);
    const { height } = await this.tip();
    if (place.txHash !== txHash || !read || !found || height < place.height) {
      throw new ChainInconsistencyError(
        `${this.chain}: the node placed a transaction where it does not show it`,
      );
    }
    return {
      fate: 'mined',
      block: { height: place.height, hash: read.block.hash },
      confirmations: height - place.height + 1,
      succeeded: found.transaction.succeeded,
      credits: found.candidates.map(({ asset, key, amount }): Credit => ({ asset, key, amount })),
    };
  }

  /** At nodes without this method, a transaction from a replaced block is unknown until it is mined again. */
  private async isPending(txHash: string): Promise<boolean> {
    try {
      return isKnown(await this.api.call('wallet/gettransactionfrompending', { value: txHash }), txHash);
    } catch (error) {
      if (refusalKindOf(error) === 'unsupported') return false;
      throw error;
    }
  }

  private async read(height: number): Promise<ReadBlock | null> {
    const block = this.checked(toBlock(await this.askBlock(height, true)), height);
    if (!block) return null;
    if (block.transactions.length === 0) return { block, credits: [] };
    const answer = await this.api.call('wallet/gettransactioninfobyblocknum', { num: height });
    const infos = toInfos(answer, block.hash);
    const areOfBlock =
      infos.map(({ txHash }) => txHash).join() === block.transactions.map(({ txHash }) => txHash).join() &&
      infos.every((info) => info.height === height && info.time.getTime() === block.time.getTime());
    if (!areOfBlock) {
      throw new ChainInconsistencyError(
        `${this.chain}: the node sent results of another block than ${height}`,
      );
    }
    await this.requireCanonical(block);
    return { block, credits: infos.map((info, i) => this.toCredits(block.transactions[i], info)) };
  }

  private toCredits(transaction: TronTransaction | undefined, info: TronInfo): ReadBlock['credits'][number] {
    if (!transaction) throw new Error('a result without its transaction');
    const { succeeded, txHash } = transaction;
    if (succeeded !== info.succeeded) {
      throw new ChainInconsistencyError(
        `${this.chain}: the node contradicts itself on whether ${txHash} succeeded`,
      );
    }
    return { transaction, candidates: succeeded ? creditsOf(transaction, info, this.tokens) : [] };
  }

  private async askBlock(height: number, detail: boolean): Promise<unknown> {
    return this.api.call('wallet/getblock', { id_or_num: String(height), detail });
  }

  private async requireCanonical({ height, hash }: BlockRef): Promise<void> {
    if ((await this.header(height))?.hash !== hash) {
      throw new ChainInconsistencyError(`${this.chain}: the node has left block ${height}`);
    }
  }

  private checked<T extends BlockRef>(block: T | null, height: number): T | null {
    if (block && block.height !== height)
      throw new ChainInconsistencyError(`${this.chain}: the node sent another height`);
    return block;
  }
}
