/**
 * How addresses of a chain are made; one deposit key serves every chain of its family. Each has an entry in
 * chain-families.pure.ts and another in chain-connections.ts.
 */
export type AddressFamily = 'evm' | 'bitcoin' | 'litecoin' | 'dogecoin' | 'bitcoincash' | 'tron';

/** Token standard, by which people recognize the network of a token. */
export type TokenStandard = 'ERC-20' | 'BEP-20' | 'TRC-20';

/**
 * An asset on one chain: `asset` is 'native', or the contract's 20 bytes as 0x and lower-case hexadecimal, even where
 * people write it differently; `decimals` are those of this chain.
 */
export interface ChainAsset {
  asset: string;
  currencyCode: string;
  decimals: number;
  /** Null for the native coin. */
  tokenStandard: TokenStandard | null;
}

/** `depth`: a number of blocks on top; `finalized`: what the chain's consensus will not revert. */
export type Finality = 'depth' | 'finalized';

/** A newest block that the chain itself names, by its tag in JSON-RPC; `finalized` is the stronger one. */
export type FinalityTag = 'safe' | 'finalized';

/** What a transfer waits for. */
export interface Requirement {
  /** Blocks, counting its own. */
  confirmations: number;
  /** As well, its block must not be above the chain's block of this tag. */
  finality: FinalityTag | null;
}

/** What payments worth `from` or more of an asset, in its smallest unit, require. */
export interface ConfirmationTier extends Requirement {
  from: bigint;
}

/** By asset, rising in amount and in what is required. */
export type ConfirmationTiers = ReadonlyMap<string, readonly ConfirmationTier[]>;

/** What the gateway knows about a chain, as data. */
export interface Chain {
  slug: string;
  name: string;
  family: AddressFamily;
  /** EIP-155; null outside of EVM chains. */
  chainId: number | null;
  /** Which of the family's networks; absent on EVM chains, which are distinguished by their chain id. */
  network?: string;
  testnet: boolean;
  assets: ChainAsset[];
  /** Blocks, counting the one that holds the transfer (specification/chains.md#confirmations). */
  confirmationsRequired: number;
  /** Required for large amounts instead; absent where all amounts require the same. */
  confirmationTiers?: ConfirmationTiers;
  /** The operator's bounds for what an application may configure: see confirmationBounds(). */
  confirmationsMin?: number;
  confirmationsMax?: number;
  /** When funds count as received; default: by depth. With `finalized` the number above is the usual wait, in blocks. */
  finality?: Finality;
  /** Blocks, counting its own, that it usually takes until a block has a tag; the chain has no others. */
  blocksToFinality?: Readonly<Partial<Record<FinalityTag, number>>>;
  /** Tags that the operator's settings need: without them the chain does not start. Others are replaced by the wait above. */
  requiredTags?: readonly FinalityTag[];
  /**
   * By asset, in its smallest unit: a transfer of at least this amount is accepted only when two nodes show it.
   * An asset that is not listed needs one node.
   */
  agreeFrom?: ReadonlyMap<string, bigint>;
  /**
   * Whether the hash of its blocks can be recomputed from what nodes show, so that a transfer can be proven to be in one
   * (specification/chains.md#proof).
   */
  provable?: true;
  /**
   * By asset, in its smallest unit: a transfer of at least this amount is accepted only when its block proves it. Absent
   * where {@link Chain.agreeFrom} is present.
   */
  proveFrom?: ReadonlyMap<string, bigint>;
  /**
   * When the native coin is offered; default: `traced`, only while an endpoint shows payments by contracts. Chains whose
   * blocks show every transfer have no choice.
   */
  nativeOffer?: 'traced' | 'always';
  /**
   * Smallest output of the native coin that nodes relay by default, in its smallest unit, so wallets send no less.
   * For P2PKH, the deposit address type with the highest limit; absent where any amount can be sent.
   */
  dustLimit?: bigint;
  /**
   * By asset, in its smallest unit: about what it costs to move it, so that less is too little to matter. The catalog's,
   * or the operator's in its place; see floorOf().
   */
  floors?: ReadonlyMap<string, bigint>;
  /**
   * Blocks, counting its own, after which a wallet may spend what a coinbase pays; until then a reorganization takes it
   * away for good. Absent on chains whose blocks pay nobody by a transaction.
   */
  coinbaseConfirmations?: number;
  /** For estimates shown to people; whole seconds, rounded up where blocks come faster. */
  averageBlockSeconds: number;
  /** Blocks of history kept to find a common ancestor; a deeper fork halts the chain. */
  reorgWindow: number;
  /**
   * A rollup: its sequencer may replace blocks that are not safe yet, however many, so a deeper fork that leaves the safe
   * ones alone does not halt the chain.
   */
  resumesFromSafe?: true;
  /**
   * Minimum proof of work of a block, in the unit of `getdifficulty`, so that fake blocks are not free; absent where
   * work is not checked. Far below the chain's actual difficulty, whose own swings would otherwise halt it.
   */
  minDifficulty?: number;
  /** Null where no public explorer covers the chain. `{txHash}` is replaced. */
  explorerTxUrl: string | null;
}

/** What an address is on one chain. */
export interface AddressPresence {
  /** Of the chain. */
  name: string;
  /** Null: no node answered. */
  isContract: boolean | null;
}
