import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';

/** The scopes of client tokens (specification/authentication.md#scopes). */
export const SCOPES = ['payments.create', 'payments.get', 'payments.user-instructions.get', '*'] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * Who makes the request. `oauth`: a user (or the user's own server) with full access to the user's objects;
 * `grantId` names the sign-in that the token comes from, null where there was none; `clientId` the OAuth client, null
 * where the operator's identity provider issued it.
 * `client`: a client token, bound to one application and to scopes.
 */
export type Principal =
  | { kind: 'oauth'; userId: string; clientId: string | null; grantId: string | null }
  | { kind: 'client'; userId: string; applicationId: string; tokenId: string; scopes: readonly string[] };

/** Express stores the principal here: `request.user`. */
export interface PrincipalRequest {
  user?: Principal;
  /** Whether the token is still valid, for responses that continue streaming after the check. */
  isTokenGood?: () => Promise<boolean>;
}

/** What a route requires of its token; a route without a requirement refuses every request. */
export type AccessRule =
  | { kind: 'public' }
  | { kind: 'oauth' }
  | { kind: 'operator' }
  | { kind: 'scope'; scope: Scope }
  | { kind: 'any-token' };
export const ACCESS_RULE = 'gateway:access-rule';

/** No token needed. */
export const Public = () => SetMetadata(ACCESS_RULE, { kind: 'public' } satisfies AccessRule);
/** OAuth2 tokens only; a client token gets 401 `oauth_token_required` (specification/authentication.md#401-and-403). */
export const OAuthOnly = () => SetMetadata(ACCESS_RULE, { kind: 'oauth' } satisfies AccessRule);
/**
 * An OAuth2 token of a user with operator rights; another user gets 403 `operator_required`
 * (specification/operations.md#operator-views).
 */
export const OperatorOnly = () => SetMetadata(ACCESS_RULE, { kind: 'operator' } satisfies AccessRule);
/** An OAuth2 token, or a client token with `scope` (or `*`). */
export const RequireScope = (scope: Scope) =>
  SetMetadata(ACCESS_RULE, { kind: 'scope', scope } satisfies AccessRule);

/**
 * An OAuth2 token, or any valid client token whatever its scopes, for routes that return the same to all
 * (specification/authentication.md#scopes).
 */
export const AnyToken = () => SetMetadata(ACCESS_RULE, { kind: 'any-token' } satisfies AccessRule);

/** Hands the {@link Principal} to a handler. */
export const CurrentPrincipal = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Principal => {
    const { user } = context.switchToHttp().getRequest<PrincipalRequest>();
    if (!user) throw new Error('CurrentPrincipal on a route without a token');
    return user;
  },
);
