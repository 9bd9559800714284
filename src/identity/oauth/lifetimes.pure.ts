const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Seconds. */
export const ACCESS_TOKEN_TTL = HOUR;
/** Seconds. Absolute: a rotated refresh token expires when the first one of its family would have. */
export const REFRESH_TOKEN_TTL = 30 * DAY;

/** Seconds from an authorization request until its user has signed in and agreed. */
export const INTERACTION_SECONDS = HOUR;

/** Since the browser was last sent to the authorization endpoint. */
const IDLE_SECONDS = HOUR;
/** Since the sign-in. */
const MAX_SECONDS = 12 * HOUR;

/**
 * How long a browser session lasts from now on, unless it is used again (specification/authentication.md#browser-session).
 * @param signedInAt Unix seconds; undefined: not signed in yet
 */
export function sessionSeconds(signedInAt: number | undefined, now: number): number {
  if (signedInAt === undefined) return IDLE_SECONDS;
  return Math.max(1, Math.min(IDLE_SECONDS, signedInAt + MAX_SECONDS - now));
}

/** How long a client keeps the access that a user consents to, in seconds. */
export function accessSeconds(grantTypes: readonly string[]): number {
  return grantTypes.includes('refresh_token') ? REFRESH_TOKEN_TTL : ACCESS_TOKEN_TTL;
}
