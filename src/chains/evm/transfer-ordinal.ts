import { ChainInconsistencyError, type TransferCandidate } from '../chain-adapter.pure.js';
import { findOrdinal, type LogLocator, readTransferLog } from './evm-transfer-logs.pure.js';
import type { EvmReceipt } from './evm-wire.pure.js';
import type { NativeLocator } from './native-transfers.js';

/** The ordinal of the coin that a transaction itself sends. */
export const VALUE = 'value';

/** Null when the transaction failed, so it credits nothing. @throws ChainInconsistencyError */
export function ordinalOf(candidate: TransferCandidate, receipt: EvmReceipt): string | null {
  const locator = candidate.locator as LogLocator | NativeLocator;
  if (!receipt.succeeded) {
    if (locator.kind === 'native' && !locator.traced) return null;
    throw new ChainInconsistencyError(
      `transaction ${candidate.txHash} failed, and yet the node shows what it moved`,
    );
  }
  if (locator.kind === 'native') return locator.path.length === 0 ? VALUE : `call:${locator.path.join('.')}`;
  // In catch-up logs are parsed less strictly (lazy-log-parser.ts).
  if (!readTransferLog(locator.log, new Set([candidate.asset]))) return null;
  const ordinal = findOrdinal(locator.log, receipt.logs);
  if (ordinal === null) {
    throw new ChainInconsistencyError(
      `the receipt of ${candidate.txHash} does not hold the log that the node showed`,
    );
  }
  return ordinal;
}
