import type { TransferCandidate } from '../chain-adapter.pure.js';
import { readTransferLog } from '../evm/evm-transfer-logs.pure.js';
import type { TronInfo, TronTransaction, TrxMove } from './tron-wire.pure.js';

/** A credit's place in its own transaction: known when the transaction is read. */
export interface OrdinalLocator {
  ordinal: string;
}

/** What a successful transaction credits, each under its ordinal. @param tokens as the catalog has them */
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

/** Nothing, and what somebody sends to himself, credits nothing. */
function isCredit({ from, to, amount }: TrxMove): boolean {
  return amount > 0n && !from.equals(to);
}

function nativeCandidate(txHash: string, { to, amount }: TrxMove, ordinal: string): TransferCandidate {
  return { key: to, asset: 'native', amount, txHash, locator: { ordinal } satisfies OrdinalLocator };
}
