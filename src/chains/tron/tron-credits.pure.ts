import type { TransferCandidate } from '../chain-adapter.pure.js';
import { readTransferLog } from '../evm/evm-transfer-logs.pure.js';
import type { TronInfo, TronTransaction, TrxMove } from './tron-wire.pure.js';

/** Ordinal of a credit in its transaction; known as soon as the transaction is read. */
export interface OrdinalLocator {
  ordinal: string;
}

/** Credits of a successful transaction with their ordinals. @param tokens as in the catalog */
export function creditsOf(
  { txHash, transfer }: TronTransaction,
  { internal, logs }: TronInfo,
  tokens: ReadonlySet<string>,
): TransferCandidate[] {
  const moves = [
    { move: transfer, ordinal: 'value' },
    ...internal.map((move, at) => ({ move, ordinal: `call:${at}` })),
  ];
  return [
    ...moves.flatMap(({ move, ordinal }) =>
      move && isCredit(move) ? nativeCandidate(txHash, move, ordinal) : [],
    ),
    ...logs.flatMap((log, at) => {
      const credit = readTransferLog(log, tokens);
      return credit ? { ...credit, locator: { ordinal: `log:${at}` } satisfies OrdinalLocator } : [];
    }),
  ];
}

export function ordinalOf({ locator }: TransferCandidate): string {
  return (locator as OrdinalLocator).ordinal;
}

/** Zero amounts and transfers to oneself credit nothing. */
function isCredit({ from, to, amount }: TrxMove): boolean {
  return amount > 0n && !from.equals(to);
}

function nativeCandidate(txHash: string, { to, amount }: TrxMove, ordinal: string): TransferCandidate {
  return { key: to, asset: 'native', amount, txHash, locator: { ordinal } satisfies OrdinalLocator };
}
