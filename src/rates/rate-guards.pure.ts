import { type Decimal, parseRate } from '../money/money.js';
import { decimalText, isWithinPercent, medianOf } from './exact-decimal.pure.js';

/** What one source said: units of the quote currency for one whole base, as exact decimal text. */
export interface RateInput {
  source: string;
  value: string;
  fetchedAt: Date;
}

/** A value that passed the guards, and everything it was made of. */
export interface AcceptedRate {
  value: string;
  /** 'kraken', 'median(kraken,coinbase)', … */
  source: string;
  inputs: RateInput[];
  /** The time of the oldest input. */
  fetchedAt: Date;
  /** True when one source stood alone. */
  single: boolean;
}

/** Why there is no rate; to the API all of them are `rate_unavailable`. */
export type RateRefusal = 'no_source' | 'stale' | 'sources_differ' | 'jump';

export type RateVerdict = { ok: true; rate: AcceptedRate } | { ok: false; reason: RateRefusal };

/** Seconds; nothing is quoted on an older reading (specification/money.md#exchange-rates). */
export const MAX_AGE_SECONDS = 600;
/**
 * The furthest that sources may lie apart, and a lone source from the last good value
 * (specification/money.md#exchange-rates).
 */
const MAX_DIFFERENCE_PERCENT = 5n;

function isFresh(at: Date, now: Date): boolean {
  return now.getTime() - at.getTime() <= MAX_AGE_SECONDS * 1000;
}

/**
 * Decides whether readings make a rate. The reference is the last good value: while it is fresh, a source
 * that stands alone must stay near it, so that one broken or hostile source cannot set a price by itself.
 */
export function judgeReadings(
  readings: readonly RateInput[],
  reference: AcceptedRate | null,
  now: Date,
): RateVerdict {
  if (readings.length === 0) return { ok: false, reason: 'no_source' };
  const inputs = readings.filter((reading) => isFresh(reading.fetchedAt, now));
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
 * The last good value after `accepted`. A lone source does not replace a fresh one: step by step it could
 * walk the reference anywhere.
 */
export function nextReference(
  reference: AcceptedRate | null,
  accepted: AcceptedRate,
  now: Date,
): AcceptedRate {
  return accepted.single && reference && isFresh(reference.fetchedAt, now) ? reference : accepted;
}
