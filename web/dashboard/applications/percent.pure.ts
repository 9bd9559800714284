import { localDecimal, shortestDecimal } from '../i18n/format.pure.js';
import { readAmount } from '../payments/read-amount.pure.js';

/** All of an amount, in hundredths of a percent. */
export const WHOLE_BPS = 10_000;

/** Hundredths of a percent as the reader's language writes them: 9550 is "95,5" in German. */
export function percentOf(bps: number, locale: string): string {
  return localDecimal(shortestDecimal(String(bps), 2), locale);
}

/**
 * {@link percentOf} backwards, in every form in which amounts are read; a percent sign may follow.
 * Null: no share from `least` to 100 % with at most two decimal places.
 */
export function findBps(written: string, least: number, locale: string): number | null {
  const read = readAmount(written.replace(/[%٪\s]+$/u, ''), { decimals: 2, locale });
  if (read.kind !== 'amount') return null;
  const bps = Number(read.atomic);
  return bps >= least && bps <= WHOLE_BPS ? bps : null;
}
