import type { PaymentStatus } from './payment-status.pure.js';

/** Seconds between the expiry of a link and its announcement, so that funds sent in the last moment are seen first. */
export const EXPIRY_GRACE_SECONDS = 60;

/** A payment whose link has expired, read under its lock. */
export interface ExpiredLink {
  status: PaymentStatus;
  expiresAt: Date;
  /** There are live funds that matter, matched or not. */
  hasFunds: boolean;
  isAnnounced: boolean;
  /** Since when its application has received payment.expired; null: it does not. */
  wantedSince: Date | null;
  /**
   * For every chain on which one of its addresses can be paid, the time up to which the chain was certainly read. Null:
   * it was never read, or is halted. Empty: the payment never had an address.
   */
  seenUntil: readonly (Date | null)[];
}

/**
 * What to do about payment.expired (specification/events.md#optional-events). `announce`: now, once. `never`: the
 * application did not receive the event while the link was valid, or it is announced already. `wait`: there are funds, or
 * there may be on a chain that has not been read far enough.
 */
export function decideExpiry(link: ExpiredLink): 'announce' | 'never' | 'wait' {
  const { status, expiresAt, wantedSince } = link;
  if (link.isAnnounced || wantedSince === null || wantedSince >= expiresAt) return 'never';
  if (status !== 'OPEN' || link.hasFunds) return 'wait';
  const due = expiresAt.getTime() + EXPIRY_GRACE_SECONDS * 1_000;
  const isAllRead = link.seenUntil.every((until) => until !== null && until.getTime() >= due);
  return isAllRead ? 'announce' : 'wait';
}

/** Bounds of the seconds between two checks of a payment that must wait. */
const [MIN_INTERVAL, MAX_INTERVAL] = [15, 600];

/**
 * Grows with the time since the expiry: a chain usually catches up soon, but while one is halted for days, not all the
 * payments that expired since are to be checked in every turn.
 */
export function secondsToNextCheck(expiresAt: Date, now: Date): number {
  const overdue = (now.getTime() - expiresAt.getTime()) / 1_000;
  return Math.min(Math.max(overdue / 4, MIN_INTERVAL), MAX_INTERVAL);
}
