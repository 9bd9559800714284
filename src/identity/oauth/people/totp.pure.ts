import { HOTP, Secret, TOTP } from 'otpauth';
import { constantTimeEquals } from '../../../platform/kernel/hmac.pure.js';

/** Defaults that every authenticator app supports: HMAC-SHA-1, six digits, 30 s (RFC 6238). */
const ALGORITHM = 'SHA1';
const DIGITS = 6;
const PERIOD_SECONDS = 30;
/** RFC 4226 section 4, R6. */
const SECRET_BYTES = 20;
/** Steps accepted before and after the current one, for clock skew and slow typing (RFC 6238 section 5.2). */
const TOLERANCE = 1;

/** A new shared secret, base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The URI that an authenticator app scans. */
export function totpUri(secret: string, issuer: string, account: string): string {
  const options = { issuer, label: account, secret, algorithm: ALGORITHM, digits: DIGITS };
  return new TOTP({ ...options, period: PERIOD_SECONDS }).toString();
}

/** The 30 s step of a time, counted from 1970. */
export function totpStep(unixSeconds: number): number {
  return Math.floor(unixSeconds / PERIOD_SECONDS);
}

/**
 * The step whose code this is, or null. Every step is computed and compared in full, so that the response time reveals
 * nothing.
 * @param code six digits
 * @param after the step of the code that was accepted last: that one and older ones are not accepted again
 */
export function matchingStep(
  secret: string,
  code: string,
  unixSeconds: number,
  after: number | null,
): number | null {
  const key = Secret.fromBase32(secret);
  const current = totpStep(unixSeconds);
  let matching: number | null = null;
  for (let step = current - TOLERANCE; step <= current + TOLERANCE; step++) {
    const expected = HOTP.generate({ secret: key, algorithm: ALGORITHM, digits: DIGITS, counter: step });
    const isEqual = constantTimeEquals(Buffer.from(expected), Buffer.from(code));
    if (isEqual && step > (after ?? 0)) matching ??= step;
  }
  return matching;
}
