import { isLive, type TransferState } from './transfer-state.pure.js';

/** A transfer as settlement sees it; amounts in the asset's smallest unit. */
export interface SettlementTransfer {
  amount: bigint;
  state: TransferState;
  /** False: an asset never quoted for this payment; not credited (specification/payment-states.md#unmatched-funds). */
  isMatched: boolean;
  /** The quote that values it; null while a late transfer waits for its rate. */
  quoteId: string | null;
}

/** A quote as settlement sees it: this many units of the asset pay the payment in full. */
export interface SettlementQuote {
  id: string;
  assetAmount: bigint;
}

export interface SettlementPolicy {
  /** Hundredths of a percent of the due amount that may be missing (UNDERPAY_TOLERANCE_PERCENT). */
  toleranceBps: bigint;
  /** Hundredths of a percent below which an underpayment is never accepted by itself. */
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
  /** The part of the payment that is still to be sent when pending transfers are counted as paid; see {@link unitsOf}. */
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

/** That part of an amount, e.g. of a quote's units, rounded up: whoever sends it never sends too little. */
export function unitsOf({ numerator, denominator }: Fraction, amount: bigint): bigint {
  return (amount * numerator + denominator - 1n) / denominator;
}

/** What a quote asks for now: the rest, or the whole amount while nothing is missing any more. */
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

/** What the operator forgives is not asked for. */
function remainingAfter(paid: Fraction, policy: SettlementPolicy): Fraction {
  const { numerator, denominator } = paid;
  return isTolerable(paid, policy)
    ? { numerator: 0n, denominator: 1n }
    : { numerator: denominator - numerator, denominator };
}
