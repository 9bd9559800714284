import { isLive, type TransferState } from '../transfers/transfer-state.pure.js';

/** What settlement needs of a transfer; amounts in the asset's smallest unit. */
export interface SettlementTransfer {
  amount: bigint;
  state: TransferState;
  /** False: an asset never quoted for this payment; not credited (specification/payment-states.md#unmatched-funds). */
  isMatched: boolean;
  /** The quote that values it; null while a late transfer waits for its rate. */
  quoteId: string | null;
}

/** What settlement needs of a quote: `assetAmount` units of the asset pay the payment in full. */
export interface SettlementQuote {
  id: string;
  assetAmount: bigint;
}

export interface SettlementPolicy {
  /** Hundredths of a percent of the due amount that may be missing (UNDERPAY_TOLERANCE_PERCENT). */
  toleranceBps: bigint;
  /** Hundredths of a percent of the due amount below which an underpayment is never accepted automatically. */
  acceptMinBps: bigint;
}

/** What the transfers of a payment add up to; the status is a function of it. */
export interface Settlement {
  /** Any live transfer that counts, confirmed or not. */
  isSeen: boolean;
  /** No live transfer waits for confirmations or for its rate. */
  isAllConfirmed: boolean;
  /** Confirmed funds against the due amount. 'over' means by at least one unit of the pricing currency. */
  coverage: 'none' | 'short' | 'full' | 'over';
  isAcceptMinimumMet: boolean;
  /** Confirmed funds in the pricing currency's smallest unit, rounded down (specification/money.md#rounding). */
  receivedAmount: bigint;
  overpaidAmount: bigint | null;
  underpaidAmount: bigint | null;
  /** The part of the payment that is still due, counting pending transfers as paid; see {@link unitsOf}. */
  remaining: Fraction;
}

/** A non-negative exact fraction. */
export interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

const BPS = 10_000n;

/**
 * The paid part of the due amount, exactly: a transfer of `a` units under a quote of `q` units pays a/q.
 * Parts under several quotes add up without rounding, so paying what is shown as remaining always suffices
 * (specification/payment-states.md#several-methods).
 */
function paidFraction(
  transfers: readonly SettlementTransfer[],
  quotes: readonly SettlementQuote[],
): Fraction {
  let sum: Fraction = { numerator: 0n, denominator: 1n };
  for (const quote of quotes) {
    const paid = transfers
      .filter((transfer) => transfer.quoteId === quote.id)
      .reduce((total, transfer) => total + transfer.amount, 0n);
    if (paid === 0n) continue;
    sum = {
      numerator: sum.numerator * quote.assetAmount + paid * sum.denominator,
      denominator: sum.denominator * quote.assetAmount,
    };
  }
  return sum;
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
  quotes: readonly SettlementQuote[],
  policy: SettlementPolicy,
): Settlement {
  const live = transfers.filter((t) => t.isMatched && isLive(t));
  const confirmed = live.filter((t) => t.state === 'confirmed' && t.quoteId !== null);
  const paid = paidFraction(confirmed, quotes);
  const { numerator, denominator } = paid;
  const receivedAmount = (due * numerator) / denominator;
  const isFull = isTolerable(paid, policy);
  const isOver = receivedAmount > due;
  const coverage = numerator === 0n ? 'none' : isOver ? 'over' : isFull ? 'full' : 'short';
  return {
    isSeen: live.length > 0,
    isAllConfirmed: live.length === confirmed.length,
    coverage,
    isAcceptMinimumMet: numerator * BPS >= denominator * policy.acceptMinBps,
    receivedAmount,
    overpaidAmount: isOver ? receivedAmount - due : null,
    underpaidAmount: coverage === 'short' ? due - receivedAmount : null,
    remaining: remainingAfter(paidFraction(live, quotes), policy),
  };
}

function isTolerable({ numerator, denominator }: Fraction, { toleranceBps }: SettlementPolicy): boolean {
  return numerator * BPS >= denominator * (BPS - toleranceBps);
}

/** The part that is still due; nothing, if what is missing is within the tolerance. */
function remainingAfter(paid: Fraction, policy: SettlementPolicy): Fraction {
  const { numerator, denominator } = paid;
  return isTolerable(paid, policy)
    ? { numerator: 0n, denominator: 1n }
    : { numerator: denominator - numerator, denominator };
}
