import type { SignIn } from '../../platform/kernel/principal.pure.js';

/*
 * How a user has proved who they are, as OpenID Connect says it: `acr` and `auth_time`
 * (specification/authentication.md#recent-sign-in).
 */

/** The password alone, or with the second factor. Values of `acr`. */
export const SIGN_IN_LEVELS = ['mfa', 'pwd'] as const;
export type SignInLevel = (typeof SIGN_IN_LEVELS)[number];

/** Seconds that a sign-in counts as recent. */
export const RECENT_SECONDS = 300;
/** Seconds by which the clock of an identity provider may be ahead. */
const CLOCK_TOLERANCE = 60;

/** Whether a sign-in of the level `acr` is as good as `wanted`. */
export function reaches(acr: string | null | undefined, wanted: string): boolean {
  return acr === wanted || (acr === 'mfa' && wanted === 'pwd');
}

/** @param now Unix seconds */
export function isRecent({ authTime }: SignIn, now: number): boolean {
  return authTime !== null && now - authTime <= RECENT_SECONDS && authTime - now <= CLOCK_TOLERANCE;
}

/**
 * Whether an authorization request needs another sign-in than that of the browser's session.
 * @param requested the parameters `acr_values`, where a value that does not exist here counts as none, and `max_age`
 * @param now Unix seconds
 */
export function needsNewSignIn(
  requested: { acrValues: string | undefined; maxAge: number | undefined },
  { authTime, acr }: SignIn,
  now: number,
): boolean {
  const { acrValues = '', maxAge } = requested;
  const levels = SIGN_IN_LEVELS.filter((level) => acrValues.split(' ').includes(level));
  if (levels.length > 0 && !levels.some((level) => reaches(acr, level))) return true;
  if (maxAge === undefined) return false;
  return authTime === null || maxAge === 0 || now - authTime > maxAge;
}
