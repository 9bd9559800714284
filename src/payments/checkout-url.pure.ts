import { createSecretKey, type KeyObject } from 'node:crypto';
import { hmacSha256 } from '../platform/kernel/hmac.pure.js';
import { type LinkVerdict, verifySignedLink } from '../platform/kernel/signed-link.pure.js';

/** The key of checkout links: the bytes of a checkout signing key. */
export function checkoutKeyOf(checkoutSigningKey: string): KeyObject {
  return createSecretKey(checkoutSigningKey, 'utf8');
}

/**
 * hex(HMAC-SHA256(key, paymentId + "|" + expires)); `expires` is in Unix seconds
 * (specification/checkout.md#signed-links).
 */
export function signCheckout(key: KeyObject, paymentId: string, expires: number): string {
  return hmacSha256(key, `${paymentId}|${expires}`).toString('hex');
}

/** `{baseUrl}/checkout/<id>?expires=&signature=`; the same at every call. */
export function checkoutUrl(baseUrl: string, key: KeyObject, paymentId: string, expires: number): string {
  return `${baseUrl}/checkout/${paymentId}?expires=${expires}&signature=${signCheckout(key, paymentId, expires)}`;
}

/** {@link verifySignedLink} for a payment's checkout. @param keys newest first; every key verifies */
export function verifyCheckout(
  keys: readonly KeyObject[],
  paymentId: string,
  expires: unknown,
  signature: unknown,
  nowUnixSeconds: number,
): LinkVerdict {
  return verifySignedLink(keys, '', paymentId, { expires, signature }, nowUnixSeconds);
}
