import { constantTimeEquals, hmacSha256 } from '../common/hmac.js';
import { UUID } from '../common/ids.js';

/** Unix seconds in canonical form: no sign, no leading zero (api.md D1). */
const EXPIRES = /^[1-9][0-9]{9,10}$/;
const SIGNATURE = /^[0-9a-f]{64}$/;

/** hex(HMAC-SHA256(key, paymentId + "|" + expires)); `expires` is in Unix seconds (api.md D1). */
export function signCheckout(key: string, paymentId: string, expires: number): string {
  return hmacSha256(key, `${paymentId}|${expires}`).toString('hex');
}

/** `{baseUrl}/checkout/<id>?expires=&signature=`; deterministic, so it is the same at every read. */
export function checkoutUrl(baseUrl: string, key: string, paymentId: string, expires: number): string {
  return `${baseUrl}/checkout/${paymentId}?expires=${expires}&signature=${signCheckout(key, paymentId, expires)}`;
}

/**
 * Judges a link before anything is loaded, so that unknown ids do not leak. Only canonical forms pass:
 * a repeated parameter (an array), upper case or padding is an invalid signature. Valid while now <= expires.
 * @param keys newest first; every key verifies
 */
export function verifyCheckout(
  keys: readonly string[],
  paymentId: string,
  expires: unknown,
  signature: unknown,
  nowUnixSeconds: number,
): 'valid' | 'invalid_signature' | 'link_expired' {
  if (!UUID.test(paymentId) || typeof expires !== 'string' || typeof signature !== 'string')
    return 'invalid_signature';
  if (!EXPIRES.test(expires) || !SIGNATURE.test(signature)) return 'invalid_signature';
  const given = Buffer.from(signature, 'hex');
  // Every key is tried, so that the time does not tell which one signed.
  const isSigned = keys
    .map((key) => constantTimeEquals(given, hmacSha256(key, `${paymentId}|${expires}`)))
    .includes(true);
  if (!isSigned) return 'invalid_signature';
  return nowUnixSeconds <= Number(expires) ? 'valid' : 'link_expired';
}
