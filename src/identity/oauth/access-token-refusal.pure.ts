import { toIsoSeconds } from '../../platform/kernel/clock.pure.js';
import { UNAUTHENTIC_USER, type UserState } from './people/user-state.pure.js';

/** The stored facts that explain why an access token is refused. */
export interface StoredToken {
  kind: 'AccessToken' | 'ClientCredentials' | 'RefreshToken' | 'AuthorizationCode';
  expiresAt: Date;
  isClientGone: boolean;
  user: UserState;
}

const GET_ANOTHER = 'get another one at POST /api/oauth/token';

/**
 * The explanation for a client that presents the whole token; ASCII without quotes (RFC 6750, section 3).
 * @param stored null: nothing is stored under this id (any more)
 */
export function refusalOfAccessToken(stored: StoredToken | null, now: Date): string {
  if (!stored)
    return 'This gateway knows no such access token: it was revoked, expired some time ago (tokens live for one hour), belongs to another gateway, or is the secret of an OAuth2 client; get a token at POST /api/oauth/token.';
  if (stored.kind === 'RefreshToken')
    return 'This is a refresh token; exchange it for an access token at POST /api/oauth/token with grant_type=refresh_token.';
  if (stored.kind === 'AuthorizationCode')
    return 'This is an authorization code; exchange it for an access token at POST /api/oauth/token with grant_type=authorization_code.';
  if (stored.user === 'disabled') return 'The user of this access token is disabled.';
  if (stored.user === 'unauthentic') return UNAUTHENTIC_USER;
  if (stored.isClientGone) return 'The OAuth2 client of this access token was revoked.';
  if (stored.expiresAt <= now)
    return `This access token expired at ${toIsoSeconds(stored.expiresAt)}; ${GET_ANOTHER}.`;
  return `The sign-in of this access token has ended, or it has no scope of the API; ${GET_ANOTHER}.`;
}
