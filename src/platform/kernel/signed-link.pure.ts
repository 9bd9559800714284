import type { KeyObject } from 'node:crypto';
import { constantTimeEquals, hmacSha256 } from './hmac.pure.js';
import { UUID } from './ids.pure.js';

/** Unix seconds in canonical form: no sign, no leading zero (specification/checkout.md#signed-links). */
const EXPIRES = /^[1-9][0-9]{9,10}$/;
const SIGNATURE = /^[0-9a-f]{64}$/;

/** Links with which their holder acts as the customer. That of a receipt only shows. */
const CUSTOMER_LINK = /(\/(?:checkout|refund)\/[0-9a-f-]{36})\?expires=\d+&signature=[0-9a-f]{64}/g;

/**
 * Shortens `checkoutUrl` and `claimUrl` to what cannot be opened, wherever they stand in a text: also in the stored body
 * of a webhook, which is a string of JSON in JSON.
 */
export function withoutSignatures(text: string): string {
  return text.replace(CUSTOMER_LINK, '$1');
}

export type LinkVerdict = 'valid' | 'invalid_signature' | 'link_expired';

/**
 * Verifies `?expires=&signature=` before anything is loaded, so that unknown ids do not leak. Only canonical forms
 * pass: a repeated parameter (an array), upper case or padding is an invalid signature. Valid while now <= expires.
 * @param keys newest first; every key verifies
 * @param prefix of `id|expires` in the signed message, so that a link of one kind is not valid as another
 */
export function verifySignedLink(
  keys: readonly KeyObject[],
  prefix: string,
  id: string,
  { expires, signature }: { expires?: unknown; signature?: unknown },
  nowUnixSeconds: number,
): LinkVerdict {
  if (!UUID.test(id) || typeof expires !== 'string' || typeof signature !== 'string')
    return 'invalid_signature';
  if (!EXPIRES.test(expires) || !SIGNATURE.test(signature)) return 'invalid_signature';
  const given = Buffer.from(signature, 'hex');
  // Every key is tried, so that timing does not reveal which one signed.
  const isSigned = keys
    .map((key) => constantTimeEquals(given, hmacSha256(key, `${prefix}${id}|${expires}`)))
    .includes(true);
  if (!isSigned) return 'invalid_signature';
  return nowUnixSeconds <= Number(expires) ? 'valid' : 'link_expired';
}
