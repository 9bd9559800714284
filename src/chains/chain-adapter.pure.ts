import type { AddressFamily, FinalityTag } from './chain.pure.js';
import type { NodeProgress } from './node-progress.pure.js';

/** Position and identity of a block; hashes are lower-case hex in the chain's own spelling. */
export interface BlockRef {
  height: number;
  hash: string;
}

export interface BlockHeader extends BlockRef {
  parentHash: string;
  time: Date;
}

/**
 * One transfer of value to a key, as seen in a block or the mempool.
 * Identity is (chain, txHash, ordinal): the ordinal stays when the transaction is mined again
 * (specification/chains.md#transfers). On account chains it may then have another effect, or none, because a
 * contract's behavior depends on the chain's state.
 */
export interface ObservedTransfer {
  txHash: string;
  /**
   * 'value', 'call:<trace path>' (skipping calls that not all nodes count; on Tron the index among the internal
   * transactions that move TRX) or 'log:<position in its own receipt>'; 'vout:<n>' on UTXO chains.
   */
  ordinal: string;
  /**
   * UTXO chains: outpoints `<tx hash>:<vout>` that its transaction spends, to detect a double spend; none for a coinbase.
   */
  inputs?: string[];
  /** 'native', or the token contract as the chain catalog has it. */
  asset: string;
  /** Matched against deposit addresses: the 20 address bytes on EVM chains and Tron, the output script on UTXO chains. */
  key: Buffer;
  /** Smallest unit of the asset on this chain, > 0. */
  amount: bigint;
  /** EVM chains, of coin that is the value of its transaction: the key of the account that sent it. */
  sender?: Buffer;
  /** Too large to be credited by one node's word, and nothing could confirm it yet: recorded, and not counted. */
  awaitsAgreement?: true;
}

/** A block whose parts were all verified against one hash. `candidates` still need matching and {@link ChainAdapter.verify}. */
export interface ObservedBlock extends BlockHeader {
  candidates: TransferCandidate[];
  /** UTXO chains: outpoints that the block spends, each with the hash of the spending transaction. */
  spends?: ReadonlyMap<string, string>;
  /** EVM chains: what could not be read, while everything else of the block was. */
  unread?: UnreadTraces | undefined;
}

/** Transactions of which only the token transfers and their own value are known, and not what contracts paid. */
export interface UnreadTraces {
  /** Those that were not tried yet come first. Null: all of the block. */
  txHashes: readonly string[] | null;
  /** In words, for the operator. */
  reason: string;
}

/** The parts of a key that the filter of deposit addresses reads; a Buffer has them. */
export type KeyBytes = Pick<Buffer, 'length' | 'readInt32LE'>;

/** A possible transfer: cheap to collect for a whole block, verified only when its key is a deposit address. */
export interface TransferCandidate {
  key: Buffer;
  /** Set where `key` is computed lazily. */
  keyBytes?: KeyBytes;
  asset: string;
  amount: bigint;
  txHash: string;
  /** Private data of the adapter, passed back to {@link ChainAdapter.verify}. */
  locator: unknown;
}

/** An unmined transaction. */
export interface MempoolTransaction {
  txHash: string;
  /** Outpoints `<tx hash>:<vout>`: two transactions that share one cannot both be mined. */
  inputs: string[];
  /** Every output as a transfer. */
  transfers: ObservedTransfer[];
}

/** The mempool of a node. */
export interface Mempool {
  /** Hashes of all transactions in it. */
  list(): Promise<string[]>;

  /** False while the node is loading the mempool from disk after a restart: until then the list is incomplete. */
  isLoaded(): Promise<boolean>;

  /** The transactions that the node still has. `unread`: those not requested this time. */
  read(txHashes: readonly string[]): Promise<{ transactions: MempoolTransaction[]; unread: string[] }>;
}

/**
 * State of a transaction at a node. A node that is still loading its mempool reports 'mempool', because a transaction in
 * the mempool is checked again while an unknown one is dropped.
 */
export type TransactionFate = 'mempool' | 'mined' | 'unknown';

/** One credit of a transaction to a key; there may be several. */
export type Credit = Pick<ObservedTransfer, 'asset' | 'key' | 'amount'>;

/** One transaction as the node shows it now; `mined` means in the canonical chain. */
export type ObservedTransaction =
  | { fate: 'mempool' | 'unknown' }
  | {
      fate: 'mined';
      /** The block that holds it. */
      block: BlockRef;
      /** Blocks from its own to the tip, inclusive. */
      confirmations: number;
      /** False when it was mined but reverted, so that it credits nothing. */
      succeeded: boolean;
      /** In the native coin and in the tokens that the chain lists. */
      credits: Credit[];
      /** In tokens that the chain does not list, as their contracts say; they credit nothing. */
      unlisted?: Credit[];
    };

/** The node's responses are missing, malformed or contradictory; the step writes nothing and is retried. */
export class ChainInconsistencyError extends Error {}

/** The node had the block and has deleted it to save space. */
export class PrunedBlockError extends Error {}

/** Further behind than this many blocks, a chain is in catch-up: blocks are read in ranges, and checked as far as is quick. */
export const CATCH_UP_FROM = 16;

/**
 * One chain behind one interface; the contract suite in test/ runs against every implementation.
 * Every method rejects on a node failure; callers retry the whole step.
 */
export interface ChainAdapter {
  readonly chain: string;
  readonly family: AddressFamily;

  /** Only on chains whose nodes show their whole mempool; elsewhere payments are first seen in a block. */
  readonly mempool?: Mempool;

  /** Checks the node's network. @throws Error naming the expected and the actual chain id */
  probe(): Promise<void>;

  /** The newest block, uncached; may be lower than before. */
  tip(): Promise<BlockRef>;

  /** How far the node, which has just been asked for its tip, is in reading its network's chain. */
  progress(): Promise<NodeProgress>;

  /** The canonical header at a height; null above the tip. */
  header(height: number): Promise<BlockHeader | null>;

  /**
   * As {@link ChainAdapter.header}, when the result may revert the block applied at that height: with several nodes, one
   * alone cannot.
   * @param kept the applied hash
   */
  agreedHeader?(height: number, kept: string): Promise<BlockHeader | null>;

  /** The newest block that has a tag; null when no node supports it. Absent on chains without finality. */
  tagged?(tag: FinalityTag): Promise<BlockRef | null>;

  /** The canonical block at a height with every candidate; null above the tip. */
  block(height: number): Promise<ObservedBlock | null>;

  /**
   * As {@link ChainAdapter.block}, with a minute instead of seconds for traces that are hard to read. Absent where a block
   * is read completely or not at all.
   */
  patientBlock?(height: number): Promise<ObservedBlock | null>;

  /**
   * Consecutive canonical blocks from a height on, for catching up: at least one and at most `count`, as many as the node
   * returns at once, and none above the tip. Verified like {@link ChainAdapter.block}; without this method blocks are read
   * one by one.
   */
  blocks?(from: number, count: number): Promise<ObservedBlock[]>;

  /**
   * Turns the candidates that pay deposit addresses into transfers: checks the receipt (success, same block hash) and
   * finds the ordinal. Drops those that credit nothing.
   */
  verify(block: ObservedBlock, candidates: TransferCandidate[]): Promise<ObservedTransfer[]>;

  /** Whether the canonical chain or the mempool has a transaction now. */
  transactionFate(txHash: string): Promise<TransactionFate>;

  /** Credits and confirmations of a transaction, to verify a reported payout. */
  transaction(txHash: string): Promise<ObservedTransaction>;

  /** From this many blocks on, reading them with `blocks` takes fewer requests than one by one, also near the tip. */
  readonly cheapRange?: number;

  /**
   * Resolves when the node may have a new block (true), after `maxMs` at the latest (false). Unreliable: callers must
   * poll as well.
   * @throws Error when the node does not support it or does not respond, and once `signal` is aborted
   */
  waitForBlock?(maxMs: number, signal: AbortSignal): Promise<boolean>;

  /**
   * The newest block, if {@link ChainAdapter.waitForBlock} has just received it; returned once, to save the woken step the
   * request for the tip. Null: call {@link ChainAdapter.tip}.
   */
  takeAnnounced?(): BlockRef | null;
}
