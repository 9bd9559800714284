import { isLive, type TransferState } from '../transfers/transfer-state.pure.js';
import {
  BPS,
  type Fraction,
  NOTHING,
  paidBy,
  partOf,
  weigh,
  type WeighedTransfer,
  type WeighingQuote,
} from './weighing.pure.js';

/** What settlement needs of a transfer. */
export interface SettlementTransfer extends WeighedTransfer {
  state: TransferState;
  /** False: an asset never quoted for this payment; not credited (specification/payment-states.md#unmatched-funds). */
  isMatched: boolean;
}

/** The application's, in hundredths of a percent of the amount due (specification/payment-states.md#underpayment). */
export interface SettlementPolicy {
  /** What may be missing of what counts as paid in full. */
  underpayToleranceBps: number;
  /** An underpayment of less is never accepted by itself. */
  underpayLeastShareBps: number;
}

/** What the transfers of a payment add up to; the status is a function of it. */
export interface Settlement {
  /** There are live funds that matter, confirmed or not. */
  isSeen: boolean;
  /** Confirmed funds matter, and nothing that matters waits for confirmations or for its rate. */
  isAllConfirmed: boolean;
  /** Confirmed funds that matter against the due amount. 'over' means by more than dust. */
  coverage: 'none' | 'short' | 'full' | 'over';
  isLeastShareMet: boolean;
  /** All confirmed funds in the pricing currency's smallest unit, rounded down (specification/money.md#rounding). */
  receivedAmount: bigint;
  /** Those of them that decide: all but dust. */
  countedAmount: bigint;
  overpaidAmount: bigint | null;
  underpaidAmount: bigint | null;
  /** What was seen beyond the amount due, confirmed or not; zero where that is dust. */
  excessAmount: bigint;
  /** Smaller sums decide nothing. */
  leastAmount: bigint;
  /** What is due is paid only with the dust, so that all of it counts. */
  isCompletedByDust: boolean;
  /** The assets whose live funds are too little to matter; see assetOf() of weighing.pure.ts. */
  dust: ReadonlySet<string>;
  /** The part of the payment that is still due, counting pending transfers as paid; see {@link unitsOf}. */
  remaining: Fraction;
}

/** A fraction of an amount, e.g. of a quote's units. Rounded up, so that sending it is never too little. */
export function unitsOf({ numerator, denominator }: Fraction, amount: bigint): bigint {
  return (amount * numerator + denominator - 1n) / denominator;
}

/** What is due under a quote now: the rest, or the whole amount if nothing is missing. */
export function dueUnits(remaining: Fraction, quoteAmount: bigint): bigint {
  const rest = unitsOf(remaining, quoteAmount);
  return rest > 0n ? rest : quoteAmount;
}

/**
 * Recomputes a payment from all its transfers; sums are never incremented
 * (specification/payment-states.md#facts-and-status). Full or short is decided on exact fractions, before anything is
 * rounded (specification/money.md#rounding).
 */
export function settle(
  due: bigint,
  transfers: readonly SettlementTransfer[],
  quotes: readonly WeighingQuote[],
  policy: SettlementPolicy,
): Settlement {
  const tolerance = BigInt(policy.underpayToleranceBps);
  const all = transfers.filter((transfer) => transfer.isMatched && isLive(transfer));
  const isConfirmed = (transfer: SettlementTransfer) =>
    transfer.state === 'confirmed' && transfer.quoteId !== null;
  const confirmed = all.filter(isConfirmed);
  const waiting = all.filter((transfer) => !isConfirmed(transfer));
  const live = weigh(due, all, quotes, tolerance);
  const paid = waiting.length === 0 ? live : weigh(due, confirmed, quotes, tolerance);
  const countedAmount = partOf(due, paid.paid);
  const receivedAmount = partOf(due, paidBy(confirmed, quotes));
  const isOver = paid.isFull && countedAmount - due >= paid.least;
  const coverage = !paid.matters ? 'none' : isOver ? 'over' : paid.isFull ? 'full' : 'short';
  const excess = partOf(due, live.paid) - due;
  const isAwaited = weigh(due, waiting, quotes, tolerance).matters || (live.isFull && !paid.isFull);
  return {
    isSeen: live.matters,
    isAllConfirmed: paid.matters && !isAwaited,
    coverage,
    isLeastShareMet:
      countedAmount > 0n &&
      paid.paid.numerator * BPS >= paid.paid.denominator * BigInt(policy.underpayLeastShareBps),
    receivedAmount,
    countedAmount,
    overpaidAmount: isOver ? countedAmount - due : null,
    underpaidAmount: coverage === 'short' ? due - receivedAmount : null,
    excessAmount: excess >= live.least ? excess : 0n,
    leastAmount: paid.least,
    isCompletedByDust: live.isCompletedByDust,
    dust: live.dust,
    remaining: live.isFull ? NOTHING : restOf(live.paid),
  };
}

function restOf({ numerator, denominator }: Fraction): Fraction {
  return { numerator: denominator - numerator, denominator };
}
