/** An output as it was recorded: in this block of its chain. */
export interface OutputClaim {
  txHash: string;
  vout: number;
  /** Its output script. */
  key: Buffer;
  height: number;
  blockHash: string;
}

/**
 * `unspent`: also no waiting transaction spends it. `unknown`: the node has another block there, or another output.
 * `unread`: the node did not answer.
 */
export type OutputState = 'unspent' | 'spent' | 'unknown' | 'unread';

/**
 * Reads single outputs of a UTXO chain, for those who want to spend them. Unlike everything that follows a chain it
 * tells its source which outputs are ours.
 */
export interface OutputReader {
  /** Outputs that one request of a merchant may ask for. */
  readonly most: number;

  /** In the order of the claims. Never rejects. */
  states(claims: readonly OutputClaim[]): Promise<OutputState[]>;

  /**
   * The transactions of some outputs, without their witnesses, each checked against its hash; null where the node does
   * not have it or did not answer, or beyond what one request may read. Never rejects.
   */
  previous(claims: readonly OutputClaim[]): Promise<(Buffer | null)[]>;

  /** Smallest units for each virtual byte, rounded up, by which a transaction is mined soon; null: no estimate. */
  feeRate(): Promise<bigint | null>;
}
