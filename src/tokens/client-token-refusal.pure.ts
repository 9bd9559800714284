import { UNAUTHENTIC_USER, type UserState } from '../identity/oauth/people/user-state.pure.js';
import { toIsoSeconds } from '../platform/kernel/clock.pure.js';

/** The stored facts that explain why a client token is refused. */
export interface StoredClientToken {
  expiresAt: Date | null;
  revokedAt: Date | null;
  applicationId: string;
  applicationDeletedAt: Date | null;
  user: UserState;
}

const CREATE_ANOTHER = 'create another one for the payment application';

/**
 * The explanation for a client that presents the whole token; ASCII without quotes (RFC 6750, section 3).
 * @param stored null: this gateway has no such token
 */
export function refusalOfClientToken(stored: StoredClientToken | null, now: Date): string {
  if (!stored)
    return 'This gateway knows no such client token; it may belong to another gateway, such as the one for tests.';
  const { expiresAt, revokedAt, applicationId, applicationDeletedAt, user } = stored;
  if (revokedAt) return `This client token was revoked at ${toIsoSeconds(revokedAt)}; ${CREATE_ANOTHER}.`;
  if (expiresAt && expiresAt <= now)
    return `This client token expired at ${toIsoSeconds(expiresAt)}; ${CREATE_ANOTHER}.`;
  if (user === 'disabled') return 'The user to whom this client token belongs is disabled.';
  if (user === 'unauthentic') return UNAUTHENTIC_USER;
  if (applicationDeletedAt)
    return `The payment application of this client token was deleted at ${toIsoSeconds(applicationDeletedAt)}; POST /api/payment-applications/${applicationId}/restore brings it back, and the token with it.`;
  return 'This client token became valid only now; send the request again.';
}
