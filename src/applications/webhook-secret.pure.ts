/** Prefix of a Standard Webhooks secret. */
const PREFIX = 'whsec_';
/** The prefix and padded standard base64 of at least one byte. */
const ENCODED = /^whsec_(?=.)((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/** How to create a secret; ends a sentence. */
export const HOW_TO_MAKE_A_SECRET = 'whsec_ and the output of `openssl rand -base64 32`';

/** The bytes that a `whsec_` secret encodes; null for any other text, malformed ones included. */
export function decodedSecret(secret: string): Buffer | null {
  const [, encoded] = ENCODED.exec(secret) ?? [];
  return encoded === undefined ? null : Buffer.from(encoded, 'base64');
}

/**
 * Whether a secret looks encoded and is not (specification/webhooks.md#secrets). The gateway signs with the text of such a
 * secret, while verifiers of Standard Webhooks try to decode it, so they never accept its signatures. Strict decoders also
 * refuse base64 whose last digit has bits that belong to no byte (RFC 4648, section 3.5). New secrets of this kind are
 * refused; stored ones are still used.
 */
export function isMalformedSecret(secret: string): boolean {
  if (!secret.startsWith(PREFIX)) return false;
  return decodedSecret(secret)?.toString('base64') !== secret.slice(PREFIX.length);
}
