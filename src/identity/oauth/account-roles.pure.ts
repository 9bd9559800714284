/** The roles that an owner can give to others; the owner is the account (specification/authentication.md#members). */
export const INVITED_ROLES = ['developer', 'viewer'] as const;
export type InvitedRole = (typeof INVITED_ROLES)[number];
