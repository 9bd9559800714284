/** Payments of a user that have received nothing. */
export interface UnpaidPayments {
  /** OPEN, with a valid link. */
  open: number;
  /** With a link that is valid or ended less than 30 days ago, whatever their status. */
  recent: number;
}

export const RECENT_DAYS = 30;

/** A count of the database, and what this process has created since. */
export interface UnpaidCount extends UnpaidPayments {
  countedAt: Date;
  createdSince: number;
}

/** After this time payments were paid or have expired, and other processes have created some. */
const MAX_AGE_MS = 600_000;

/**
 * Whether a count still says enough about the next payment. Counting is not free, so it is repeated only after an
 * eighth of the remaining allowance was used: far from the limit rarely, near it for every payment.
 */
export function isCountUsable(count: UnpaidCount, limits: UnpaidPayments, now: Date): boolean {
  const remaining = Math.min(limits.open - count.open, limits.recent - count.recent);
  return now.getTime() - count.countedAt.getTime() < MAX_AGE_MS && count.createdSince < remaining / 8;
}

/** The limit that one more payment would exceed, or null. */
export function exceededLimit(count: UnpaidPayments, limits: UnpaidPayments): keyof UnpaidPayments | null {
  if (count.open >= limits.open) return 'open';
  return count.recent >= limits.recent ? 'recent' : null;
}
