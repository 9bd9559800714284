/** A payment inside one transaction. */
export interface Output {
  key: Buffer;
  amount: bigint;
}

/** Acts on a real chain as payers and miners do, independently of its readers. */
export interface ChainDriver {
  /** An amount with a digit in the first and in the last place, as large as one payment can be here. */
  large: bigint;
  newKey(): Buffer;
  /** One transaction in the mempool that pays all outputs in the native coin; answers its hash. */
  pay(outputs: Output[]): Promise<string>;
  /** @returns the new tip's height */
  mine(blocks?: number): Promise<number>;
  /** Replaces the last blocks; `keep` (hashes, or signed ones) is mined in the first new one, in that order. */
  fork(depth: number, keep: string[]): Promise<void>;
  /** Takes the last blocks away. */
  rollback(depth: number): Promise<void>;
}

/** What a test of the whole gateway does to a chain besides. */
export interface EngineDriver extends ChainDriver {
  /** Two signed transactions of which only one can ever be mined; the second one offers the higher fee. */
  rivals(one: Output, other: Output): Promise<[string, string]>;
  /** A transaction that the node knows, as it was signed. */
  signed(txHash: string): Promise<string>;
  /** Hands a signed transaction in, also one that waits already; answers its hash. */
  submit(signed: string): Promise<string>;
  /** What the blocks up to the tip have paid to each key in the native coin: the chain's own word. */
  paid(keys: readonly Buffer[]): Promise<bigint[]>;
  tip(): Promise<{ height: number; hash: string }>;
}
