import type { PaymentStatus } from './payment-status.pure.js';

/** Seconds after the end of a link before anybody says so: what was sent in its last moment has to be seen first. */
export const EXPIRY_GRACE_SECONDS = 60;

/** An open payment whose link has ended, as it stands under its lock. */
export interface EndedLink {
  status: PaymentStatus;
  expiresAt: Date;
  /** Something came to one of its addresses and was not taken back, asked for or not. */
  hasFunds: boolean;
  isAnnounced: boolean;
  /** Since when its application lists payment.expired; null: it does not. */
  wantedSince: Date | null;
  /**
   * For every chain that can pay one of its addresses: until when all that its nodes had was certainly seen. Null:
   * never yet, or the chain is halted. Empty: it never had an address.
   */
  seenUntil: readonly (Date | null)[];
}

/**
 * What to do about payment.expired (specification/events.md#optional-events). `announce`: now, once. `never`: nothing
 * was asked for while the link was good, or it is told already. `wait`: funds are there, or may be on a chain that has
 * not been read that far.
 */
export function decideExpiry(link: EndedLink): 'announce' | 'never' | 'wait' {
  const { status, expiresAt, wantedSince } = link;
  if (link.isAnnounced || wantedSince === null || wantedSince >= expiresAt) return 'never';
  if (status !== 'OPEN' || link.hasFunds) return 'wait';
  const due = expiresAt.getTime() + EXPIRY_GRACE_SECONDS * 1_000;
  const isAllSeen = link.seenUntil.every((until) => until !== null && until.getTime() >= due);
  return isAllSeen ? 'announce' : 'wait';
}

/** Between two looks at a payment that must wait, in seconds. */
const [SOONEST, LATEST] = [15, 600];

/** A chain usually catches up soon; one that is halted for days must not have all that ended since judged every time. */
export function secondsToNextCheck(expiresAt: Date, now: Date): number {
  const overdue = (now.getTime() - expiresAt.getTime()) / 1_000;
  return Math.min(Math.max(overdue / 4, SOONEST), LATEST);
}
