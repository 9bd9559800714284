import type { TransferCandidate } from '../chain-adapter.pure.js';
import type { NativeMove } from './evm-traces.js';
import type { NativeCapability } from './native-transfers.js';

/** `traced`: success was already read from the trace, so the receipt must agree. */
export interface NativeLocator {
  kind: 'native';
  path: readonly number[];
  traced: boolean;
}

/** Native coin that moved, as something that may be ours. */
export function nativeCandidate(
  { txHash, path, to, amount }: NativeMove,
  capability: NativeCapability,
): TransferCandidate {
  const locator: NativeLocator = { kind: 'native', path, traced: capability !== 'transactions' };
  return { key: Buffer.from(to.slice(2), 'hex'), asset: 'native', amount, txHash, locator };
}
