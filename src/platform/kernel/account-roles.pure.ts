import type { OAuthArea } from './oauth-scopes.pure.js';

/** The roles that an owner can give to others; the owner is the account (specification/authentication.md#members). */
export const INVITED_ROLES = ['developer', 'viewer'] as const;
export type InvitedRole = (typeof INVITED_ROLES)[number];
/** The one with the most rights first. */
export const ACCOUNT_ROLES = ['owner', ...INVITED_ROLES] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

/**
 * Whose things a route is about. `person`: those of the user, in whatever account they act. `member`: those of the
 * account. `owner`: of the account, and only for its owner.
 */
export type AccountReach = 'person' | 'member' | 'owner';

/** @param declared what the route itself says */
export function reachOf(area: OAuthArea, declared: AccountReach | undefined): AccountReach {
  return declared ?? (area === 'account' ? 'person' : 'member');
}

const READING = ['GET', 'HEAD'];

interface Requested {
  method: string;
  area: OAuthArea;
  reach: Exclude<AccountReach, 'person'>;
}

/** The role with the fewest rights that may make a request. */
export function leastRole({ method, area, reach }: Requested): AccountRole {
  if (reach === 'owner') return 'owner';
  if (READING.includes(method)) return 'viewer';
  return area === 'wallets' ? 'owner' : 'developer';
}

/** Who may make a request that a member may not, in words; null: the member may. */
export function whoMayInstead(role: InvitedRole, requested: Requested): string | null {
  const needed = leastRole(requested);
  if (ACCOUNT_ROLES.indexOf(role) <= ACCOUNT_ROLES.indexOf(needed)) return null;
  return needed === 'owner' ? 'the owner' : 'a developer or the owner';
}
