import type { RateContract } from './catalog.contract.js';
import { toIsoSeconds } from '../platform/kernel/clock.pure.js';
import { MAX_AGE_SECONDS } from '../rates/rate-guards.pure.js';
import type { Rate } from '../rates/rates.service.js';

export function presentRate({ base, quote, value, source, fetchedAt }: Rate, now: Date): RateContract {
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
