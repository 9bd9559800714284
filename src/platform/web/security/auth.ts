import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { AccountReach } from '../../kernel/account-roles.pure.js';
import type { Principal, PrincipalRequest } from '../../kernel/principal.pure.js';
import type { OAuthArea } from '../../kernel/oauth-scopes.pure.js';

/** The scopes of client tokens (specification/authentication.md#scopes). */
export const SCOPES = ['payments.create', 'payments.get', 'payments.user-instructions.get', '*'] as const;
export type Scope = (typeof SCOPES)[number];

/** What a route requires of its token; a route without a requirement refuses every request. */
export type AccessRule =
  | { kind: 'public' }
  | { kind: 'oauth'; area: OAuthArea; needsRecentSignIn?: boolean; onlyReads?: boolean }
  | { kind: 'operator'; needsRecentSignIn?: boolean }
  | { kind: 'scope'; scope: Scope; area: OAuthArea }
  | { kind: 'any-token' };
export const ACCESS_RULE = 'gateway:access-rule';

export const ACCOUNT_REACH = 'gateway:account-reach';
/** The route is about the account that the request acts in, although its area is `account`. */
export const InAccount = () => SetMetadata(ACCOUNT_REACH, 'member' satisfies AccountReach);
/** As {@link InAccount}, and only for the owner of the account. */
export const OwnerOnly = () => SetMetadata(ACCOUNT_REACH, 'owner' satisfies AccountReach);

/** No token needed. */
export const Public = () => SetMetadata(ACCESS_RULE, { kind: 'public' } satisfies AccessRule);
/**
 * OAuth2 tokens only, with the scope to read or write `area`; a client token gets 401 `oauth_token_required`
 * (specification/authentication.md#401-and-403).
 */
export const OAuthOnly = (area: OAuthArea) =>
  SetMetadata(ACCESS_RULE, { kind: 'oauth', area } satisfies AccessRule);
/** As {@link OAuthOnly}, for a POST that changes nothing: the scope and the role to read suffice. */
export const OAuthReading = (area: OAuthArea) =>
  SetMetadata(ACCESS_RULE, { kind: 'oauth', area, onlyReads: true } satisfies AccessRule);
/** The method of a request by what it does. */
export function effectOf(rule: AccessRule, method: string): string {
  return rule.kind === 'oauth' && rule.onlyReads ? 'GET' : method;
}
/**
 * As {@link OAuthOnly}; a user's token must come from a sign-in of the last five minutes, with the second factor if the
 * user has one (specification/authentication.md#recent-sign-in).
 */
export const RecentSignIn = (area: OAuthArea) =>
  SetMetadata(ACCESS_RULE, { kind: 'oauth', area, needsRecentSignIn: true } satisfies AccessRule);
/**
 * An OAuth2 token with the scope `*` of a user with operator rights; another user gets 403 `operator_required`
 * (specification/operations.md#operator-views).
 */
export const OperatorOnly = () => SetMetadata(ACCESS_RULE, { kind: 'operator' } satisfies AccessRule);
/**
 * As {@link OperatorOnly}, for what changes something: the token must be that of a person, by a sign-in of the last five
 * minutes, with the second factor if the user has one (specification/authentication.md#recent-sign-in).
 */
export const RecentOperator = () =>
  SetMetadata(ACCESS_RULE, { kind: 'operator', needsRecentSignIn: true } satisfies AccessRule);
/** A client token with `scope` (or `*`), or an OAuth2 token with the scope to read or write `area`. */
export const RequireScope = (scope: Scope, area: OAuthArea = 'payments') =>
  SetMetadata(ACCESS_RULE, { kind: 'scope', scope, area } satisfies AccessRule);

/**
 * Any OAuth2 token for the API, and any valid client token, whatever its scopes, for routes that return the same to all
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
