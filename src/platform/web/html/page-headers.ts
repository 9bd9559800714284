import { canParseUrl } from '../contract/url.pure.js';

/** Host and port as CSP's grammar allows them, and `_`, which browsers do; WHATWG URLs also allow "*", ";" and "," in hosts. */
const FRAMEABLE_ORIGIN = /^https?:\/\/([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:\d{1,5})?$/;

/** The origin that may show the page in a frame: the merchant's website, if its URL has one. */
export function frameOrigin(siteUrl: string | null): string | null {
  if (siteUrl === null || !canParseUrl(siteUrl)) return null;
  // A dot at the end of a host is right in an address and unknown to the directive; visitors come without it.
  const origin = new URL(siteUrl).origin.replace(/\.(?=:\d+$|$)/, '');
  return FRAMEABLE_ORIGIN.test(origin) ? origin : null;
}

/**
 * What the page may do: run scripts that this gateway serves as files, talk to its own origin, nothing else. A script
 * inside of the page never runs.
 * @param nonce of the style sheet: 128 random bits, new for every response
 */
export function contentSecurityPolicy(nonce: string, frameAncestor: string | null): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestor ?? "'none'"}`,
  ].join('; ');
}
