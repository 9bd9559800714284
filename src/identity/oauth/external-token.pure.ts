/** OpenID Connect Core 2: a subject is at most 255 ASCII characters; it becomes a user id here. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;
/** RFC 9068, section 2.1; "JWT" and nothing at all are what issuers send that do not follow it. */
const TYPES = new Set(['at+jwt', 'application/at+jwt', 'jwt']);
/** Claims that OpenID Connect Core defines for ID tokens alone (sections 2 and 3.3.2.11). */
const OF_ID_TOKENS = ['nonce', 'at_hash', 'c_hash'];

/**
 * Whether a verified JWT is an access token. An ID token is signed by the same key and tells a client who has signed in;
 * it permits nothing.
 */
export function isAccessToken(
  header: { typ?: unknown },
  payload: Readonly<Record<string, unknown>>,
): boolean {
  const { typ = 'JWT' } = header;
  if (typeof typ !== 'string' || !TYPES.has(typ.toLowerCase())) return false;
  // Keycloak says in a claim what it is.
  if (payload['typ'] === 'ID') return false;
  return OF_ID_TOKENS.every((claim) => payload[claim] === undefined);
}

export function isSubject(text: string): boolean {
  return SUBJECT.test(text);
}
