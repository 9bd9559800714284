import type { TooManyRequestsError } from './errors/errors.pure.js';

/** What the rate limits decided about a request before its token was verified. */
export interface Admission {
  address: string;
  /** SHA-256 of the presented token, base64url. */
  token: string | null;
  /** The user of the token, if this process has seen it as valid. */
  userId: string | null;
  /** For the route to throw: its errors are pages, or have another form. */
  refusal: TooManyRequestsError | null;
}
