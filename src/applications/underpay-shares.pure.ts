import type { FieldErrors } from '../platform/kernel/errors/errors.pure.js';

/** In hundredths of a percent of the amount due (specification/payment-states.md#underpayment). */
export interface UnderpayShares {
  /** An underpayment of less is never accepted by itself. */
  underpayLeastShareBps: number;
  /** So much may be missing of what counts as paid in full. */
  underpayToleranceBps: number;
}

export const WHOLE_BPS = 10_000;

/** Of a new application. */
export const UNDERPAY_SHARES: UnderpayShares = { underpayLeastShareBps: 9_500, underpayToleranceBps: 0 };

/**
 * What counts as paid in full is never less than what is the least to be accepted.
 * @param given valid by themselves; one that is absent stays as it is stored
 */
export function contradictions(given: Partial<UnderpayShares>, stored: UnderpayShares): FieldErrors {
  const least = given.underpayLeastShareBps ?? stored.underpayLeastShareBps;
  const tolerance = given.underpayToleranceBps ?? stored.underpayToleranceBps;
  const most = WHOLE_BPS - least;
  if (tolerance <= most) return {};
  const field = given.underpayToleranceBps === undefined ? 'underpayLeastShareBps' : 'underpayToleranceBps';
  const bound =
    field === 'underpayToleranceBps'
      ? `at most ${most}, what underpayLeastShareBps of ${least} leaves`
      : `at most ${WHOLE_BPS - tolerance}, what underpayToleranceBps of ${tolerance} leaves`;
  return { [field]: [`The ${field} field must be ${bound}.`] };
}
