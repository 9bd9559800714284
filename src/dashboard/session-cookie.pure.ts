/*
 * The cookie that keeps the dashboard signed in: the refresh token, which no script can read
 * (specification/authentication.md#dashboard).
 */

/** Refresh tokens of this gateway: 256 bits, base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * The prefix makes browsers refuse such a cookie without TLS and from any other host (RFC 6265bis), which could else sign
 * people in to an account of its own. It asks for the path `/`.
 */
export function cookieName(isSecure: boolean): string {
  return isSecure ? '__Host-dashboard_session' : 'dashboard_session';
}

/** The token in a Cookie header; null without one that could be ours. */
export function readSessionCookie(header: string | undefined, isSecure: boolean): string | null {
  const name = cookieName(isSecure);
  for (const pair of (header ?? '').split(';')) {
    const [key = '', value = ''] = pair.trim().split(/=(.*)/s);
    if (key === name) return TOKEN.test(value) ? value : null;
  }
  return null;
}

/** Set-Cookie. Without Max-Age it ends with the browser. @param token null: removes it */
export function sessionCookie(token: string | null, isSecure: boolean): string {
  const parts = [`${cookieName(isSecure)}=${token ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Strict'];
  if (isSecure) parts.push('Secure');
  if (token === null) parts.push('Max-Age=0');
  return parts.join('; ');
}

interface Sender {
  origin: string | undefined;
  /** X-Requested-With. */
  requestedWith: string | undefined;
}

/** The value of X-Requested-With. Forms cannot send headers, and scripts of other origins only after a preflight. */
export const REQUESTED_WITH = 'dashboard';

/** Why a request is not from the dashboard itself; null: it is. */
export function foreignSender({ origin, requestedWith }: Sender, baseUrl: string): string | null {
  if (requestedWith !== REQUESTED_WITH) return `send X-Requested-With: ${REQUESTED_WITH}`;
  if (origin === undefined) return 'send the Origin header, as browsers do';
  return origin === new URL(baseUrl).origin ? null : 'the Origin is not that of this gateway';
}
