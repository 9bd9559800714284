import type { OAuthArea } from './oauth-scopes.pure.js';

/** The roles that an owner can give to others; the owner is the account (specification/authentication.md#members). */
export const INVITED_ROLES = ['developer', 'viewer'] as const;
export type InvitedRole = (typeof INVITED_ROLES)[number];
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

/** Who may make a request that a member may not, in words; null: the member may. */
export function whoMayInstead(
  role: InvitedRole,
  { method, area, reach }: { method: string; area: OAuthArea; reach: Exclude<AccountReach, 'person'> },
): string | null {
  if (reach === 'owner') return 'the owner';
  if (READING.includes(method)) return null;
  if (area === 'wallets') return 'the owner';
  return role === 'developer' ? null : 'a developer or the owner';
}
