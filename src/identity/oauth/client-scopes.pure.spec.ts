import { OAUTH_SCOPES } from '../../platform/kernel/oauth-scopes.pure.js';
import { allowedScopes, scopesWithoutRequest } from './client-scopes.pure.js';

describe('allowedScopes', () => {
  it('of a client that people sign in to, without a grant of its own, are all', () => {
    expect(allowedScopes(['authorization_code', 'refresh_token'], null)).toEqual([
      ...OAUTH_SCOPES,
      'openid',
      'email',
      'profile',
      'offline_access',
    ]);
  });

  it('of a server, without a grant of its own, are those of the API but wallets:write', () => {
    expect(allowedScopes(['client_credentials'], null)).toEqual(
      OAUTH_SCOPES.filter((scope) => scope !== 'wallets:write'),
    );
  });

  it('of a client that may do both, without a grant of its own, do not include wallets:write', () => {
    expect(allowedScopes(['authorization_code', 'client_credentials'], null)).not.toContain('wallets:write');
  });

  it('of a server are exactly those that were granted to it', () => {
    expect(allowedScopes(['client_credentials'], ['wallets:write'])).toEqual(['wallets:write']);
  });

  it('of a client that people sign in to are those that were granted, and those of the sign-in', () => {
    expect(allowedScopes(['authorization_code'], ['payments:read'])).toEqual([
      'payments:read',
      'openid',
      'email',
      'profile',
      'offline_access',
    ]);
  });
});

describe('scopesWithoutRequest', () => {
  it('are * where none were granted by name', () => expect(scopesWithoutRequest(null)).toEqual(['*']));

  it('are all that were granted by name', () =>
    expect(scopesWithoutRequest(['*', 'wallets:write'])).toEqual(['*', 'wallets:write']));
});
