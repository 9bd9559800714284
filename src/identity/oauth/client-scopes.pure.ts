import {
  IDENTITY_SCOPES,
  OAUTH_SCOPES,
  type OAuthScope,
  WALLETS_WRITE,
} from '../../platform/kernel/oauth-scopes.pure.js';
import type { GrantType } from './oauth-client.entity.js';

/*
 * Which scopes a client may request (specification/authentication.md#oauth2-scopes). Where people sign in, they see
 * what is requested and agree to it; a server's client has only what an operator granted to it.
 */

/** Every scope that the client may request, those of the standard protocols included. */
export function allowedScopes(grantTypes: readonly GrantType[], granted: readonly OAuthScope[] | null) {
  const isForServer = grantTypes.includes('client_credentials');
  const ofApi = granted ?? OAUTH_SCOPES.filter((scope) => !isForServer || scope !== WALLETS_WRITE);
  return isForServer ? ofApi : [...ofApi, ...IDENTITY_SCOPES];
}

/** The scopes of a server's token that was requested without any: all that were granted by name, or `*`. */
export function scopesWithoutRequest(granted: readonly OAuthScope[] | null): readonly OAuthScope[] {
  return granted ?? ['*'];
}
