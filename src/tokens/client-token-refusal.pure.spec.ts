import { UNAUTHENTIC_USER } from '../identity/oauth/people/user-state.pure.js';
import { refusalOfClientToken, type StoredClientToken } from './client-token-refusal.pure.js';

const NOW = new Date('2026-11-23T08:00:00Z');
const BEFORE = new Date('2026-11-23T07:00:00Z');
const LATER = new Date('2026-11-23T09:00:00Z');
const STORED: StoredClientToken = {
  expiresAt: null,
  revokedAt: null,
  applicationId: '550e8400-e29b-41d4-a716-446655440000',
  applicationDeletedAt: null,
  user: 'active',
};
const CREATE_ANOTHER = 'create another one for the payment application.';
const REVOKED = `This client token was revoked at 2026-11-23T07:00:00Z; ${CREATE_ANOTHER}`;
const EXPIRED = `This client token expired at 2026-11-23T07:00:00Z; ${CREATE_ANOTHER}`;
const DISABLED = 'The user to whom this client token belongs is disabled.';
const DELETED =
  'The payment application of this client token was deleted at 2026-11-23T07:00:00Z; POST /api/payment-applications/550e8400-e29b-41d4-a716-446655440000/restore brings it back, and the token with it.';
const VALID_NOW = 'This client token became valid only now; send the request again.';

describe('refusalOfClientToken', () => {
  const everything: Partial<StoredClientToken> = {
    expiresAt: BEFORE,
    revokedAt: BEFORE,
    applicationDeletedAt: BEFORE,
    user: 'disabled',
  };

  it.each<[what: string, changes: Partial<StoredClientToken> | null, says: string]>([
    [
      'unknown',
      null,
      'This gateway knows no such client token; it may belong to another gateway, such as the one for tests.',
    ],
    ['revoked', { revokedAt: BEFORE }, REVOKED],
    ['expired', { expiresAt: BEFORE }, EXPIRED],
    ['at its very end', { expiresAt: NOW }, EXPIRED.replace('07:00:00', '08:00:00')],
    ['of a disabled user', { user: 'disabled' }, DISABLED],
    [
      'of a user whose row was changed',
      { user: 'unauthentic', applicationDeletedAt: BEFORE },
      UNAUTHENTIC_USER,
    ],
    ['of a deleted application', { applicationDeletedAt: BEFORE }, DELETED],
    ['of a deleted application, before its end', { expiresAt: LATER, applicationDeletedAt: BEFORE }, DELETED],
    ['refused for every reason: it was revoked', everything, REVOKED],
    ['refused for every reason but revocation: it expired', { ...everything, revokedAt: null }, EXPIRED],
    [
      'of a disabled user and a deleted application: restoring that would not help',
      { user: 'disabled', applicationDeletedAt: BEFORE },
      DISABLED,
    ],
    ['that is valid by now', {}, VALID_NOW],
    ['that is valid by now, a millisecond before its end', { expiresAt: new Date(+NOW + 1) }, VALID_NOW],
  ])('describes a token %s', (_what, changes, says) => {
    const refusal = refusalOfClientToken(changes && { ...STORED, ...changes }, NOW);
    expect(refusal).toBe(says);
    // RFC 6750, section 3: what `error_description` may consist of.
    expect(refusal).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
  });
});
