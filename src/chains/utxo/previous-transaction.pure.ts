import { ChainInconsistencyError } from '../chain-adapter.pure.js';
import { withoutWitness } from './raw-transaction.pure.js';

/** Of all previous transactions of one request; exchanges pay out in transactions of 100 kB. */
export const MAX_PREVIOUS_BYTES = 16_000_000;

/** A transaction as a node sent it, without witnesses; null: it is another one, or none. */
export function checkedPrevious(raw: unknown, txHash: string): Buffer | null {
  if (typeof raw !== 'string') return null;
  try {
    const read = withoutWitness(raw);
    return read.txHash === txHash ? read.bytes : null;
  } catch (error) {
    if (error instanceof ChainInconsistencyError) return null;
    throw error;
  }
}
