/** An error that the user can fix. */
export class FaucetError extends Error {}

/** A wallet with play money on one development chain. */
export interface DevWallet {
  /**
   * Broadcasts a transaction and returns its hash.
   * @param asset 'native', or the token contract
   * @param amount smallest unit of the asset
   */
  pay(address: string, asset: string, amount: bigint): Promise<string>;

  /**
   * Broadcasts a transaction and replaces it, before a block contains it, by the same with a higher fee.
   * @param whenSeen awaited before the replacement, on chains whose mempool the gateway reads
   */
  payAndReplace(
    address: string,
    asset: string,
    amount: bigint,
    whenSeen: () => Promise<void>,
  ): Promise<{ replaced: string; txHash: string }>;

  /** Resolves when a block contains the transaction; the chain mines by itself every few seconds. */
  waitUntilMined(txHash: string): Promise<void>;

  /** Mines one block now. */
  mine(): Promise<void>;

  /** Replaces the last blocks by empty ones; their transactions return to the mempool. */
  reorg(depth: number): Promise<void>;
}
