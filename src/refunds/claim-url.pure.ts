import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { hmacSha256 } from '../platform/kernel/hmac.pure.js';
import { type LinkVerdict, verifySignedLink } from '../platform/kernel/signed-link.pure.js';

const PREFIX = 'refund|';

/**
 * Derives the key of claim links from a checkout signing key (HKDF-SHA256, RFC 5869): no signature of a checkout link is
 * one of a claim link, and the operator rotates both keys at once.
 */
export function claimKeyOf(checkoutSigningKey: string): KeyObject {
  const bytes = hkdfSync('sha256', checkoutSigningKey, '', 'crypto-payment-gateway|refund-claim', 32);
  return createSecretKey(Buffer.from(bytes));
}

/**
 * hex(HMAC-SHA256(key, "refund|" + refundId + "|" + expires)); `expires` is in Unix seconds
 * (specification/refunds.md#claim-links).
 */
export function signClaim(key: KeyObject, refundId: string, expires: number): string {
  return hmacSha256(key, `${PREFIX}${refundId}|${expires}`).toString('hex');
}

/** `{baseUrl}/refund/<id>?expires=&signature=`; deterministic, so each read returns the same URL. */
export function claimUrl(baseUrl: string, key: KeyObject, refundId: string, expires: number): string {
  return `${baseUrl}/refund/${refundId}?expires=${expires}&signature=${signClaim(key, refundId, expires)}`;
}

/** {@link verifySignedLink} for a claim link. @param keys newest first; every key verifies */
export function verifyClaim(
  keys: readonly KeyObject[],
  refundId: string,
  query: { expires?: unknown; signature?: unknown },
  nowUnixSeconds: number,
): LinkVerdict {
  return verifySignedLink(keys, PREFIX, refundId, query, nowUnixSeconds);
}
