/** A call of a contract that nobody has signed; 0x and hexadecimal digits. */
export interface ReadCall {
  from: string;
  to: string;
  data: string;
  /** Of the coin. */
  value?: string;
}

/** What a unit of gas costs now, in the smallest unit of the coin. */
export interface GasFees {
  gasPrice: bigint;
  /** EIP-1559; null: the chain has only a price. */
  market: { baseFee: bigint; priorityFee: bigint } | null;
}

/** What an account could send away now. */
export interface AccountBalance {
  key: Buffer;
  /** `native` or the token's contract. */
  asset: string;
  amount: bigint;
}

/** Reads accounts of an EVM chain as they are now, for those who want to empty them. Nothing rejects. */
export interface AccountReader {
  /** Addresses that one request of a merchant may ask for. */
  readonly most: number;

  /** By key, in the order of the assets; null: no node says it. */
  balances(assets: readonly string[], keys: readonly Buffer[]): Promise<(bigint | null)[][]>;

  /**
   * Whether each account has sent anything or holds an asset now; null: no node says it. What was received and taken away
   * without a transaction of the account (a token, by an allowance it had signed) cannot be seen.
   */
  uses(assets: readonly string[], keys: readonly Buffer[]): Promise<boolean[] | null>;

  /**
   * Whether the token refuses to send a balance to an address now: its issuer froze one of them, or all. A node that does
   * not answer refuses nothing.
   */
  refusals(balances: readonly AccountBalance[], to: readonly string[]): Promise<boolean[]>;

  /** The units of the coin for each unit of gas; null: not known. */
  gasPrice(): Promise<bigint | null>;

  /** Null: not known. */
  fees(): Promise<GasFees | null>;

  /**
   * What a rollup takes for a transaction of so many bytes, besides gas; 0 where nothing is taken, as on all chains but
   * those of the OP stack. Null: no node says.
   */
  dataFee(bytes: number): Promise<bigint | null>;

  /** How many transactions each account has sent; null: no node says it. */
  counts(keys: readonly Buffer[]): Promise<number[] | null>;

  /** What each call uses; null: it would fail, or no node says. */
  gas(calls: readonly ReadCall[]): Promise<(bigint | null)[]>;
}
