import { type Decimal, parseRate } from '../money/money.js';
import { decimalText, isWithinPercent, medianOf } from './exact-decimal.pure.js';

/** The price of one source: units of the quote currency for one whole base, as exact decimal text. */
export interface RateInput {
  source: string;
  value: string;
  fetchedAt: Date;
}

/** A rate that passed the checks, with the prices that it was computed from. */
export interface AcceptedRate {
  value: string;
  /** 'kraken', 'median(kraken,coinbase)', … */
  source: string;
  inputs: RateInput[];
  /** The time of the oldest input. */
  fetchedAt: Date;
  /** It comes from a single source. */
  single: boolean;
}

/** Why there is no rate; the API returns `rate_unavailable` for each of them. */
export type RateRefusal = 'no_source' | 'stale' | 'sources_differ' | 'jump';

export type RateResult = { ok: true; rate: AcceptedRate } | { ok: false; reason: RateRefusal };

/** Seconds; older prices are not used for quotes (specification/money.md#exchange-rates). */
export const MAX_AGE_SECONDS = 600;
/**
 * Maximum difference between two sources, and between a single source and the last good rate
 * (specification/money.md#exchange-rates).
 */
const MAX_DIFFERENCE_PERCENT = 5n;

function isFresh(at: Date, now: Date): boolean {
  return now.getTime() - at.getTime() <= MAX_AGE_SECONDS * 1000;
}

/**
 * Computes the rate of the sources' prices, or refuses it. While the last good rate (`reference`) is fresh, a single
 * source must be close to it, so that one broken or hostile source cannot set a price by itself.
 */
export function evaluatePrices(
  prices: readonly RateInput[],
  reference: AcceptedRate | null,
  now: Date,
): RateResult {
  if (prices.length === 0) return { ok: false, reason: 'no_source' };
  const inputs = prices.filter((price) => isFresh(price.fetchedAt, now));
  if (inputs.length === 0) return { ok: false, reason: 'stale' };

  const values = inputs.map((input) => parseRate(input.value));
  const isNear = (a: Decimal, b: Decimal) => isWithinPercent(a, b, MAX_DIFFERENCE_PERCENT);
  if (!values.every((a) => values.every((b) => isNear(a, b)))) return { ok: false, reason: 'sources_differ' };

  const median = medianOf(values);
  const single = inputs.length === 1;
  if (single && reference && isFresh(reference.fetchedAt, now) && !isNear(median, parseRate(reference.value)))
    return { ok: false, reason: 'jump' };

  const names = inputs.map((input) => input.source).join(',');
  const oldest = Math.min(...inputs.map((input) => input.fetchedAt.getTime()));
  return {
    ok: true,
    rate: {
      value: decimalText(median),
      source: single ? names : `median(${names})`,
      inputs: [...inputs],
      fetchedAt: new Date(oldest),
      single,
    },
  };
}

/**
 * The last good rate after `accepted`. A single source does not replace a fresh reference: in small steps it could
 * move the reference to any value.
 */
export function nextReference(
  reference: AcceptedRate | null,
  accepted: AcceptedRate,
  now: Date,
): AcceptedRate {
  return accepted.single && reference && isFresh(reference.fetchedAt, now) ? reference : accepted;
}
