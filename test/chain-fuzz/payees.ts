import { type Part, STRANGER } from './program.js';

/** A payment of a program, as its customer knows it. */
export interface Payee {
  paymentId: string;
  /** Smallest units of the pricing currency. */
  due: bigint;
  /** The application has no webhook, or one that answers in the end: RECEIVED turns into CONFIRMED by itself. */
  isConfirmedAlone: boolean;
  /** The application lists payment.found. */
  hearsOfFound?: boolean;
  /** Of changes of its sums, too: its application lists payment.updated. */
  hearsOfUpdates?: boolean;
  /** All of it was given back. */
  isRefunded?: boolean;
  /** Deposit address as 20 bytes in hex with 0x; null where no EVM method was asked for. */
  evm: `0x${string}` | null;
  /** Deposit address as its output script; null where no Bitcoin was asked for. */
  script: Buffer | null;
  /** What the instructions said, in the asset's smallest unit; by asset. */
  asked: ReadonlyMap<AssetName, bigint>;
}

export type AssetName = 'ETH' | 'USDT' | 'USDC' | 'BTC';

/** About 100 USD, for who was not asked for that asset. */
const USUAL: Record<AssetName, bigint> = {
  ETH: 5n * 10n ** 16n,
  USDT: 100n * 10n ** 6n,
  USDC: 100n * 10n ** 6n,
  BTC: 200_000n,
};

/** Null: none of our payees. */
export function payeeOf(part: Part, payees: readonly Payee[]): Payee | null {
  return part.payee === STRANGER ? null : (payees[part.payee] ?? null);
}

/** Never below the floor of the asset, which the oracle does not know: what dust does is the matter of test/dust. */
export function amountOf(part: Part, payee: Payee | null, asset: AssetName): bigint {
  const asked = payee?.asked.get(asset) ?? USUAL[asset];
  const share = (asked * BigInt(part.share)) / 1_000n;
  const least = USUAL[asset] / 200n;
  return (share > least ? share : least) + BigInt(part.dust);
}
