/** What goes wrong in a way that the person at the keyboard can do something about. */
export class FaucetError extends Error {}

/** A wallet with play money on one development chain. */
export interface DevWallet {
  /**
   * Hands in a transaction and answers its hash.
   * @param asset 'native', or the token contract
   * @param amount smallest unit of the asset
   */
  pay(address: string, asset: string, amount: bigint): Promise<string>;

  /**
   * Hands in a transaction that is replaced, before a block holds it, by the same with a higher fee.
   * @param whenSeen awaited in between, where others can see a transaction that waits
   */
  payAndReplace(
    address: string,
    asset: string,
    amount: bigint,
    whenSeen: () => Promise<void>,
  ): Promise<{ replaced: string; txHash: string }>;

  /** Returns once a block holds it; the chain mines by itself every few seconds. */
  waitUntilMined(txHash: string): Promise<void>;

  /** Takes back the last blocks and mines others in their place; what they held waits to be mined again. */
  reorg(depth: number): Promise<void>;
}
