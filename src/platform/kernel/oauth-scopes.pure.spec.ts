import {
  includesScope,
  isOAuthScope,
  OAUTH_SCOPES,
  type OAuthArea,
  type OAuthScope,
  scopeNeeded,
} from './oauth-scopes.pure.js';

describe('scopeNeeded', () => {
  it.each<[OAuthArea, string, OAuthScope]>([
    ['wallets', 'GET', 'wallets:read'],
    ['wallets', 'head', 'wallets:read'],
    ['wallets', 'PUT', 'wallets:write'],
    ['payments', 'POST', 'payments:write'],
    ['tokens', 'DELETE', 'tokens:write'],
    ['webhooks', 'OPTIONS', 'webhooks:write'],
  ])('of %s with %s is %3$s', (area, method, scope) => expect(scopeNeeded(area, method)).toBe(scope));
});

describe('includesScope', () => {
  it.each<[string[], OAuthScope, boolean]>([
    [['*'], 'payments:read', true],
    [['*'], 'account:write', true],
    [['*'], 'wallets:read', true],
    [['*'], 'wallets:write', false],
    [['*', 'wallets:write'], 'wallets:write', true],
    [['wallets:write'], 'wallets:write', true],
    [['wallets:write'], 'wallets:read', false],
    [['wallets:write'], '*', false],
    [['payments:read'], 'payments:write', false],
    [['payments:write'], 'payments:read', false],
    [['payments:read', 'refunds:write'], 'refunds:write', true],
    [['openid', 'offline_access'], 'account:read', false],
    [['payments.get'], 'payments:read', false],
    [[], 'payments:read', false],
    [['*'], '*', true],
    [['payments:read'], '*', false],
  ])('of %j for %s is %p', (granted, required, expected) =>
    expect(includesScope(granted, required)).toBe(expected),
  );
});

describe('isOAuthScope', () => {
  it.each(OAUTH_SCOPES)('accepts %s', (scope) => expect(isOAuthScope(scope)).toBe(true));

  it.each(['', 'wallets', 'wallets:', 'wallets.write', 'WALLETS:WRITE', 'openid', 'payments.get', '* '])(
    'refuses %j',
    (text) => expect(isOAuthScope(text)).toBe(false),
  );
});
