import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { hmacSha256 } from '../platform/kernel/hmac.pure.js';
import { type LinkVerdict, verifySignedLink } from '../platform/kernel/signed-link.pure.js';

const PREFIX = 'receipt|';

/** How long a receipt can be opened, counted from the creation of its payment (specification/receipts.md#link). */
const LIFETIME_YEARS = 10;

/**
 * Derives the key of receipt links from a checkout signing key (HKDF-SHA256, RFC 5869): no signature of a checkout link
 * or of a claim link is one of a receipt, and the operator rotates all of them at once.
 */
export function receiptKeyOf(checkoutSigningKey: string): KeyObject {
  const bytes = hkdfSync('sha256', checkoutSigningKey, '', 'crypto-payment-gateway|receipt', 32);
  return createSecretKey(Buffer.from(bytes));
}

/** hex(HMAC-SHA256(key, "receipt|" + paymentId + "|" + expires)); `expires` is in Unix seconds. */
export function signReceipt(key: KeyObject, paymentId: string, expires: number): string {
  return hmacSha256(key, `${PREFIX}${paymentId}|${expires}`).toString('hex');
}

/** `{baseUrl}/receipt/<id>?expires=&signature=`; it follows from the payment alone, so each read returns the same one. */
export function receiptUrl(
  baseUrl: string,
  key: KeyObject,
  { id, createdAt }: { id: string; createdAt: Date },
): string {
  const expires = receiptExpiry(createdAt);
  return `${baseUrl}/receipt/${id}?expires=${expires}&signature=${signReceipt(key, id, expires)}`;
}

/** Unix seconds. */
export function receiptExpiry(createdAt: Date): number {
  const end = new Date(createdAt);
  end.setUTCFullYear(end.getUTCFullYear() + LIFETIME_YEARS);
  return Math.floor(end.getTime() / 1000);
}

/** {@link verifySignedLink} for a receipt. @param keys newest first; every key verifies */
export function verifyReceipt(
  keys: readonly KeyObject[],
  paymentId: string,
  query: { expires?: unknown; signature?: unknown },
  nowUnixSeconds: number,
): LinkVerdict {
  return verifySignedLink(keys, PREFIX, paymentId, query, nowUnixSeconds);
}
