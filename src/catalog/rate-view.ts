import { toIsoSeconds } from '../platform/runtime/clock.pure.js';
import { MAX_AGE_SECONDS } from '../rates/rate-guards.pure.js';
import type { Rate } from '../rates/rates.service.js';

/** One exchange rate on the wire (specification/catalog.md#rates). */
export interface RateDto {
  base: string;
  quote: string;
  /** Units of `quote` for one whole `base`, as exact decimal text. */
  value: string;
  /** 'kraken', 'median(kraken,coinbase)'; 'identity' where both are the same currency. */
  source: string;
  /** The time of the oldest price in it. */
  fetchedAt: string;
  /** Older than a quote may be made on; only an answer kept for the last seconds can have become it. */
  stale: boolean;
}

export function toRateDto({ base, quote, value, source, fetchedAt }: Rate, now: Date): RateDto {
  const ageMs = now.getTime() - fetchedAt.getTime();
  return {
    base,
    quote,
    value,
    source,
    fetchedAt: toIsoSeconds(fetchedAt),
    stale: ageMs > MAX_AGE_SECONDS * 1000,
  };
}
