/** Which limits apply to a request (specification/rate-limits.md#what-is-counted). */
export type RateLimitCategory =
  /** Polled every few seconds by load balancers, which share one address with every client behind them. */
  | { kind: 'unlimited' }
  /**
   * The customer's: limited by address and by payment or refund; with `isPage` the response is always a page. `isPoll`:
   * an open page asks by itself. It is counted apart, so that it cannot use up what a customer needs to load a page.
   */
  | { kind: 'checkout'; paymentId: string | null; isPage: boolean; isPoll: boolean }
  /** The authorization server's: limited as the rest, but refused in its own form (RFC 6749, or a page). */
  | { kind: 'oauth' }
  /** By token, or by address where there is none. */
  | { kind: 'other' };

const HEALTH = /^\/api\/health(\/|$)/;
/** Matched as received: the authorization server is not mounted at percent-encoded spellings. */
const OAUTH = /^(\/api\/oauth(\/|$)|\/\.well-known\/oauth-authorization-server\/api\/oauth\/?$)/i;
const CHECKOUT = /^\/((api\/)?checkout|refund|receipt)(\/|$)/;
const PAGE = /^\/(checkout|refund|receipt)\/[^/]+(\/(part|choose|transaction|refund-request))?\/?$/;
const POLL =
  /^\/(api\/checkout\/(payment|refund)\/[^/]+|checkout\/[^/]+\/(part|events)|checkout\/assets\/[^/]+)\/?$/;
const PAYMENT_ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** @param path as received: Express accepts capitals, and a percent-encoded payment id */
export function classify(path: string): RateLimitCategory {
  const text = plainPath(path);
  if (HEALTH.test(text)) return { kind: 'unlimited' };
  if (OAUTH.test(path)) return { kind: 'oauth' };
  if (!CHECKOUT.test(text)) return { kind: 'other' };
  const [paymentId = null] = PAYMENT_ID.exec(text) ?? [];
  return { kind: 'checkout', paymentId, isPage: PAGE.test(text), isPoll: POLL.test(text) };
}

/** One spelling of all those that Express may take for the same path: decoded and in lower case. */
export function plainPath(path: string): string {
  try {
    return decodeURIComponent(path).toLowerCase();
  } catch {
    return path.toLowerCase();
  }
}

/** The token of an Authorization header as the access guard reads it, or null. */
export function bearerToken(authorization: string | undefined): string | null {
  const [, token = null] = /^Bearer ([^ ]+)$/i.exec(authorization ?? '') ?? [];
  return token;
}
