import { type AccountReach, leastRole, reachOf, whoMayInstead } from './account-roles.pure.js';
import type { OAuthArea } from './oauth-scopes.pure.js';

describe('whoMayInstead', () => {
  it.each<[string, OAuthArea, Exclude<AccountReach, 'person'>, string | null, string | null]>([
    ['GET', 'payments', 'member', null, null],
    ['HEAD', 'webhooks', 'member', null, null],
    ['GET', 'wallets', 'member', null, null],
    ['POST', 'payments', 'member', null, 'a developer or the owner'],
    ['PUT', 'applications', 'member', null, 'a developer or the owner'],
    ['DELETE', 'tokens', 'member', null, 'a developer or the owner'],
    ['PATCH', 'webhooks', 'member', null, 'a developer or the owner'],
    ['TRACE', 'webhooks', 'member', null, 'a developer or the owner'],
    ['PUT', 'wallets', 'member', 'the owner', 'the owner'],
    ['DELETE', 'wallets', 'member', 'the owner', 'the owner'],
    ['DELETE', 'applications', 'owner', 'the owner', 'the owner'],
    ['GET', 'account', 'owner', 'the owner', 'the owner'],
    ['GET', 'account', 'member', null, null],
  ])('%s of %s, for a %s: developer %s, viewer %s', (method, area, reach, developer, viewer) => {
    expect(whoMayInstead('developer', { method, area, reach })).toBe(developer);
    expect(whoMayInstead('viewer', { method, area, reach })).toBe(viewer);
  });
});

describe('leastRole', () => {
  it.each<[string, OAuthArea, Exclude<AccountReach, 'person'>, string]>([
    ['GET', 'wallets', 'member', 'viewer'],
    ['POST', 'payments', 'member', 'developer'],
    ['PUT', 'wallets', 'member', 'owner'],
    ['GET', 'account', 'owner', 'owner'],
  ])('%s of %s, for a %s: %s', (method, area, reach, role) => {
    expect(leastRole({ method, area, reach })).toBe(role);
  });
});

describe('reachOf', () => {
  it.each<[OAuthArea, AccountReach | undefined, AccountReach]>([
    ['account', undefined, 'person'],
    ['account', 'member', 'member'],
    ['account', 'owner', 'owner'],
    ['wallets', undefined, 'member'],
    ['applications', 'owner', 'owner'],
  ])('%s, declared %s: %s', (area, declared, reach) => {
    expect(reachOf(area, declared)).toBe(reach);
  });
});
