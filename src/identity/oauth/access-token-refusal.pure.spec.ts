import { refusalOfAccessToken, type StoredToken } from './access-token-refusal.pure.js';
import { UNAUTHENTIC_USER } from './people/user-state.pure.js';

const NOW = new Date('2026-11-23T08:00:00Z');
const BEFORE = new Date('2026-11-23T07:00:00Z');
const LATER = new Date('2026-11-23T09:00:00Z');
const STORED: StoredToken = {
  kind: 'AccessToken',
  expiresAt: LATER,
  isClientGone: false,
  user: 'active',
};
const GET_ANOTHER = 'get another one at POST /api/oauth/token.';
const UNKNOWN =
  'This gateway knows no such access token: it was revoked, expired some time ago (tokens live for one hour), belongs to another gateway, or is the secret of an OAuth2 client; get a token at POST /api/oauth/token.';
const REFRESH =
  'This is a refresh token; exchange it for an access token at POST /api/oauth/token with grant_type=refresh_token.';
const CODE =
  'This is an authorization code; exchange it for an access token at POST /api/oauth/token with grant_type=authorization_code.';
const DISABLED = 'The user of this access token is disabled.';
const CLIENT_GONE = 'The OAuth2 client of this access token was revoked.';
const EXPIRED = `This access token expired at 2026-11-23T07:00:00Z; ${GET_ANOTHER}`;
const ENDED = `The sign-in of this access token has ended, or it has no scope of the API; ${GET_ANOTHER}`;

describe('refusalOfAccessToken', () => {
  const everything: Partial<StoredToken> = { expiresAt: BEFORE, isClientGone: true, user: 'disabled' };

  it.each<[what: string, changes: Partial<StoredToken> | null, says: string]>([
    ['unknown', null, UNKNOWN],
    ['that is a refresh token', { kind: 'RefreshToken' }, REFRESH],
    ['that is a refresh token, whatever else is wrong', { ...everything, kind: 'RefreshToken' }, REFRESH],
    ['that is an authorization code', { kind: 'AuthorizationCode' }, CODE],
    ['that is a code, whatever else is wrong', { ...everything, kind: 'AuthorizationCode' }, CODE],
    ['of a disabled user', { user: 'disabled' }, DISABLED],
    ['of a disabled user, whatever else is wrong', everything, DISABLED],
    ['of a user whose row was changed', { user: 'unauthentic', isClientGone: true }, UNAUTHENTIC_USER],
    ['of a revoked client', { isClientGone: true }, CLIENT_GONE],
    ['of a revoked client, also when it expired', { isClientGone: true, expiresAt: BEFORE }, CLIENT_GONE],
    ['expired', { expiresAt: BEFORE }, EXPIRED],
    ['at its very end', { expiresAt: NOW }, EXPIRED.replace('07:00:00', '08:00:00')],
    ['of client credentials, expired', { kind: 'ClientCredentials', expiresAt: BEFORE }, EXPIRED],
    ['whose sign-in has ended', {}, ENDED],
    ['whose sign-in has ended, a millisecond before its end', { expiresAt: new Date(+NOW + 1) }, ENDED],
    ['of client credentials with another scope', { kind: 'ClientCredentials' }, ENDED],
  ])('describes a token %s', (_what, changes, says) => {
    const refusal = refusalOfAccessToken(changes && { ...STORED, ...changes }, NOW);
    expect(refusal).toBe(says);
    // RFC 6750, section 3: what `error_description` may consist of.
    expect(refusal).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
  });
});
