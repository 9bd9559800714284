import type { InvitedRole } from './account-roles.pure.js';

/** The sign-in that a token comes from (specification/authentication.md#recent-sign-in). */
export interface SignIn {
  /** Unix seconds; null: the token does not say when. */
  authTime: number | null;
  /** How the user proved who they are; null: the token does not say. */
  acr: string | null;
}

/**
 * Who makes the request. `oauth`: a user (or the user's own server) with the user's objects, as far as `scopes` go;
 * `grantId` names the sign-in that the token comes from, null where there was none; `clientId` the OAuth client, null
 * where the operator's identity provider issued it.
 * `client`: a client token, bound to one application and to scopes.
 */
export type Principal =
  | {
      kind: 'oauth';
      userId: string;
      clientId: string | null;
      grantId: string | null;
      scopes: readonly string[];
      /** Of the user; null: the token was issued to a server, without a user. */
      signIn: SignIn | null;
      /** Set where the user acts in the account of another one: `userId` is then that account. */
      member?: { userId: string; role: InvitedRole };
    }
  | { kind: 'client'; userId: string; applicationId: string; tokenId: string; scopes: readonly string[] };

/** The user who acts: with the rights of a member, not the owner of the account. */
export function actorIdOf(principal: Principal): string {
  return (principal.kind === 'oauth' && principal.member?.userId) || principal.userId;
}

/** The sign-in that made the request, which stays when all others of the user end; null: none did. */
export function grantIdOf(principal: Principal): string | null {
  return principal.kind === 'oauth' ? principal.grantId : null;
}

/** Express stores the principal here: `request.user`. */
export interface PrincipalRequest {
  user?: Principal;
  /** Whether the token is still valid, for responses that continue streaming after the check. */
  isTokenGood?: () => Promise<boolean>;
}
