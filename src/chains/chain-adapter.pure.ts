import type { AddressFamily } from './chain.pure.js';

/** One block's place in its chain; hashes are lower-case hex as the chain writes them. */
export interface BlockRef {
  height: number;
  hash: string;
}

export interface BlockHeader extends BlockRef {
  parentHash: string;
  time: Date;
}

/**
 * One movement of value to a key, as a block (or the mempool) shows it.
 * Identity is (chain, txHash, ordinal): the ordinal stays when the transaction is mined again
 * (specification/chains.md#transfers). On account chains it may then stand for another effect, or none: what a contract
 * does depends on what its call finds.
 */
export interface ObservedTransfer {
  txHash: string;
  /**
   * 'value', 'call:<trace path>' (without calls that not all nodes count; on Tron the place among the internal
   * transactions that move TRX) or 'log:<position in its own receipt>'; 'vout:<n>' on UTXO chains.
   */
  ordinal: string;
  /** UTXO chains: outpoints `<tx hash>:<vout>` that its transaction spends, by which another can take its place. */
  inputs?: string[];
  /** 'native', or the token contract as the chain catalog has it. */
  asset: string;
  /** What deposit addresses are matched on: the 20 address bytes on EVM chains and Tron, the output script on UTXO chains. */
  key: Buffer;
  /** Smallest unit of the asset on this chain, > 0. */
  amount: bigint;
}

/** A block whose parts were all checked against one hash. `candidates` still need matching and {@link ChainAdapter.verify}. */
export interface ObservedBlock extends BlockHeader {
  candidates: TransferCandidate[];
  /** UTXO chains: outpoints that the block spends, each with the hash of the spending transaction. */
  spends?: ReadonlyMap<string, string>;
}

/** What of a key tells that it is nobody's. A Buffer has it. */
export type KeyBytes = Pick<Buffer, 'length' | 'readInt32LE'>;

/** A possible credit: cheap to collect for a whole block, verified only when its key is ours. */
export interface TransferCandidate {
  key: Buffer;
  /** Where the key is only made when it is asked for. */
  keyBytes?: KeyBytes;
  asset: string;
  amount: bigint;
  txHash: string;
  /** The adapter's own note, handed back to {@link ChainAdapter.verify}. */
  locator: unknown;
}

/** A transaction that no block holds yet. */
export interface MempoolTransaction {
  txHash: string;
  /** Outpoints `<tx hash>:<vout>`: two transactions that share one cannot both be mined. */
  inputs: string[];
  /** Every output as the transfer that it may become. */
  transfers: ObservedTransfer[];
}

/** What waits at a node to be mined. */
export interface Mempool {
  /** Hashes of all that waits. */
  list(): Promise<string[]>;

  /** False while the node still reads back what waited when it stopped: until then the list is a part. */
  isLoaded(): Promise<boolean>;

  /** Those of these transactions that the node still has. `unread`: what it was not asked for this time. */
  read(txHashes: readonly string[]): Promise<{ transactions: MempoolTransaction[]; unread: string[] }>;
}

/**
 * What a node says about a transaction now. A node that cannot tell yet, because it still reads its mempool back, says
 * 'mempool': what waits is asked for again, what is unknown is given up.
 */
export type TransactionFate = 'mempool' | 'mined' | 'unknown';

/** What one transaction moved to a key; a transaction may credit a key several times. */
export type Credit = Pick<ObservedTransfer, 'asset' | 'key' | 'amount'>;

/** One transaction as the node shows it now. A mined one stands in the canonical chain. */
export type ObservedTransaction =
  | { fate: 'mempool' | 'unknown' }
  | {
      fate: 'mined';
      /** The one that holds it. */
      block: BlockRef;
      /** Blocks from its own to the tip, counting both. */
      confirmations: number;
      /** False: it was mined and took back everything that it did, so it credits nothing. */
      succeeded: boolean;
      /** In the native coin and in the tokens that the chain lists. */
      credits: Credit[];
    };

/** The node answered nothing, nonsense, or two things that do not fit; the step is retried and writes nothing. */
export class ChainInconsistencyError extends Error {}

/**
 * One chain behind one interface; the contract suite in test/ runs against every implementation.
 * Every method rejects on a node failure; callers retry the whole step.
 */
export interface ChainAdapter {
  readonly chain: string;
  readonly family: AddressFamily;

  /** Chains whose nodes show everything that waits; elsewhere payments are first seen in a block. */
  readonly mempool?: Mempool;

  /** Refuses a node of another network. @throws Error naming expected and found chain id */
  probe(): Promise<void>;

  /** The newest block, uncached. May be lower than before. */
  tip(): Promise<BlockRef>;

  /** The canonical header at a height; null above the tip. */
  header(height: number): Promise<BlockHeader | null>;

  /**
   * As {@link ChainAdapter.header}, where the answer may take back the block that we applied there: with several
   * nodes, one alone cannot.
   * @param kept the hash that we applied
   */
  agreedHeader?(height: number, kept: string): Promise<BlockHeader | null>;

  /** The newest block that the chain's consensus will not take back; chains without such a thing leave it out. */
  finalized?(): Promise<BlockRef>;

  /** The canonical block at a height with every possible credit; null above the tip. */
  block(height: number): Promise<ObservedBlock | null>;

  /**
   * Consecutive canonical blocks from a height on, for catching up: as many of `count` as the node gives in one go,
   * at least one, and none above the tip. Each is as good as one of {@link ChainAdapter.block}; an adapter that leaves
   * this out is read block by block.
   */
  blocks?(from: number, count: number): Promise<ObservedBlock[]>;

  /**
   * Turns the candidates whose key is ours into transfers: checks the receipt (success, same block hash)
   * and finds the ordinal. Drops what credits nothing.
   */
  verify(block: ObservedBlock, candidates: TransferCandidate[]): Promise<ObservedTransfer[]>;

  /** Whether the active chain or the mempool still knows a transaction; never "existed once". */
  transactionFate(txHash: string): Promise<TransactionFate>;

  /** Whom a transaction paid, and how deep it is buried; for payouts that somebody reports. */
  transaction(txHash: string): Promise<ObservedTransaction>;

  /**
   * Returns when the node may have a new block, after `maxMs` at the latest: a hint, never a fact.
   * @throws Error when the node does not offer it or does not answer, and once `signal` is aborted
   */
  waitForBlock?(maxMs: number, signal: AbortSignal): Promise<void>;

  /**
   * The newest block as the node named it while it was waited for, once and only if that was just now: it spares the
   * step that is woken by it the question for the tip. Null: ask.
   */
  takeAnnounced?(): BlockRef | null;
}
