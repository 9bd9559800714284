/**
 * The cookie of browsers that saw a payment while its link was valid (specification/checkout.md#after-the-end-of-the-link),
 * without and with TLS.
 */
export const SEEN_COOKIE = { plain: 'checkout_seen', secure: '__Secure-checkout_seen' } as const;

/** The value of a cookie in a `Cookie` header (RFC 6265, section 4.2.1); '' without one. */
export function cookieValue(header: string | undefined, name: string): string {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}

/**
 * Whether a `Cookie` header has no more than {@link SEEN_COOKIE}, which opens nothing without a signed link and which
 * browsers send with no request of another site but a visit.
 */
export function isOnlySeenCookie(header: string): boolean {
  const names: readonly string[] = Object.values(SEEN_COOKIE);
  return header.split(';').every((pair) => names.includes(pair.trim().replace(/=.*$/s, '')));
}
