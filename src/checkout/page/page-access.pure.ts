import type { LinkVerdict } from '../../platform/kernel/signed-link.pure.js';

/** How long a payment can be looked at and followed after its link has ended: as long as a reported transaction is looked for. */
export const LOOK_SECONDS = 14 * 86_400;

/**
 * What the page may show and do (specification/checkout.md#after-the-end-of-the-link).
 * - `pay`: everything. The link is valid.
 * - `look`: everything but ways to pay. The link has ended, and this browser saw the payment before.
 * - `state`: how far the payment is, and its receipt. No address, no transaction, nothing that moves money.
 */
export type PageAccess = 'pay' | 'look' | 'state';

/** A request for the page. */
export interface PageVisit {
  /** Of the signed link, which whoever asks has to have in any case. */
  link: LinkVerdict;
  /** Seconds of Unix time at which the link ends. */
  linkEnd: number;
  /** The browser has a valid list of payments with this one. */
  hasSeen: boolean;
  now: number;
}

export interface DecidedAccess {
  access: PageAccess;
  /** The open page asks for news. */
  mayFollow: boolean;
}

/** Null: the link is not one of ours, and nothing is said about any payment. */
export function decideAccess({ link, linkEnd, hasSeen, now }: PageVisit): DecidedAccess | null {
  if (link === 'invalid_signature') return null;
  if (link === 'valid') return { access: 'pay', mayFollow: true };
  const mayFollow = now <= linkEnd + LOOK_SECONDS;
  return { access: hasSeen && mayFollow ? 'look' : 'state', mayFollow };
}
