import type { AddressFamily } from '../chains/chain.pure.js';
import type { OutputClaim } from '../chains/output-reader.pure.js';
import { parseTransaction } from '../chains/utxo/raw-transaction.pure.js';
import { isUtxoFamily } from '../chains/utxo/utxo-network.pure.js';
import type { LeftOutReason } from './left-out.pure.js';

interface Recorded {
  txHash: string;
  /** `vout:<n>` */
  ordinal: string;
  blockHeight: number | null;
  blockHash: string | null;
  place: { key: Buffer };
}

/** @throws Error for the ordinal of another kind of transfer */
export function voutOf(ordinal: string): number {
  const [, vout] = /^vout:(\d{1,10})$/.exec(ordinal) ?? [];
  if (vout === undefined) throw new Error(`${ordinal} is no output`);
  return Number(vout);
}

/** What the node is asked about a recorded transfer. @throws Error when it is of no output, or in no block */
export function claimOf({ txHash, ordinal, blockHeight, blockHash, place }: Recorded): OutputClaim {
  if (blockHeight === null || blockHash === null) throw new Error(`${txHash} is in no block`);
  return { txHash, vout: voutOf(ordinal), key: place.key, height: blockHeight, blockHash };
}

/**
 * Why a recorded output need not be asked for; null: it does.
 * @param newest the height of the newest block; null: not known
 * @param maturity confirmations of a coinbase that can be spent
 */
export function reasonBefore(
  { state, inputs, blockHeight }: { state: string; inputs: string[] | null; blockHeight: number | null },
  newest: number | null,
  maturity = 0,
): LeftOutReason | null {
  const isCoinbase = inputs === null && blockHeight !== null;
  if (isCoinbase && newest === null) return 'unread';
  if (isCoinbase && (newest ?? 0) - blockHeight + 1 < maturity) return 'immature';
  return state === 'confirmed' && blockHeight !== null ? null : 'unconfirmed';
}

/** False: the previous transaction is there, and its output is another one. */
export function isOutputOf(
  input: { vout: number; amount: bigint; script: Buffer; previous: Buffer | null },
  family: AddressFamily,
): boolean {
  if (input.previous === null || !isUtxoFamily(family)) return true;
  const output = parseTransaction(input.previous.toString('hex'), family).outputs[input.vout];
  return output?.amount === input.amount && output.script.equals(input.script);
}
