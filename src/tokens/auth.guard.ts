import { type ExecutionContext, Injectable, Logger } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request, Response } from 'express';
import { ACCESS_RULE, ACCOUNT_REACH, type AccessRule, effectOf } from '../platform/web/security/auth.js';
import type { Principal, PrincipalRequest } from '../platform/kernel/principal.pure.js';
import {
  InsufficientPermissionsError,
  OperatorRequiredError,
  RecentSignInError,
  UnauthenticatedError,
} from '../platform/kernel/errors/errors.pure.js';
import type { AccountReach } from '../platform/kernel/account-roles.pure.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { includesScope, type OAuthScope, scopeNeeded } from '../platform/kernel/oauth-scopes.pure.js';
import { bearerToken } from '../platform/web/rate-limiting/rate-limit-category.pure.js';
import { RateLimits } from '../platform/web/rate-limiting/rate-limits.service.js';
import { requirePerson } from '../identity/oauth/require-person.pure.js';
import { isRecent, reaches, RECENT_SECONDS } from '../identity/oauth/sign-in-level.pure.js';
import { TwoFactorService } from '../identity/oauth/people/two-factor.service.js';
import { UsersService } from '../identity/oauth/people/users.service.js';
import { AccountAccess } from './account-access.service.js';
import { BearerStrategy } from './bearer.strategy.js';
import { covers } from './scopes.pure.js';
import { howToGetScope, oauthRequired } from './token-refusal.pure.js';
import { TokenRefusals } from './token-refusals.service.js';

/** Enforces the access rule of every route (platform/web/security/auth.ts); a route without one refuses every request. */
@Injectable()
export class AccessGuard extends AuthGuard() {
  private readonly logger = new Logger('Access');

  constructor(
    private readonly reflector: Reflector,
    private readonly strategy: BearerStrategy,
    private readonly limits: RateLimits,
    private readonly users: UsersService,
    private readonly refusals: TokenRefusals,
    private readonly twoFactor: TwoFactorService,
    private readonly accounts: AccountAccess,
    private readonly clock: Clock,
  ) {
    super({ defaultStrategy: strategy.registeredName });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (rule?.kind === 'public') return true;
    if (!rule) {
      this.logger.error(
        { controller: context.getClass().name, handler: context.getHandler().name },
        'no access rule',
      );
      throw new UnauthenticatedError();
    }
    const http = context.switchToHttp();
    const request = http.getRequest<Omit<Request, 'user'> & PrincipalRequest>();
    try {
      await super.canActivate(context);
    } catch (error) {
      if (!(error instanceof UnauthenticatedError)) throw error;
      if (bearerToken(request.headers.authorization) !== null) await this.limits.refuseToken(request);
      throw await this.refusals.explain(request, rule);
    }
    if (request.user) this.limits.acceptToken(request, http.getResponse<Response>(), request.user.userId);
    check(rule, request);
    request.isTokenGood = () => this.isGood(request);
    if (rule.kind === 'oauth' && rule.needsRecentSignIn) await this.requireRecentSignIn(request.user);
    if (rule.kind === 'operator') {
      await this.requireOperator(request.user);
      if (rule.needsRecentSignIn && request.user) {
        // A server has no recent sign-in, and no second factor.
        requirePerson(request.user);
        await this.requireRecentSignIn(request.user);
      }
    }
    if (request.user) await this.enterAccount(context, rule, request, request.user);
    return true;
  }

  private async isGood({ headers, user }: Pick<Request, 'headers'> & PrincipalRequest): Promise<boolean> {
    const token = bearerToken(headers.authorization);
    const isValid = token !== null && (await this.strategy.validate(token)) !== false;
    return isValid && (!user || (await this.accounts.isStillIn(user)));
  }

  /** From here on `request.user` has the account that the request acts in. */
  private async enterAccount(
    context: ExecutionContext,
    rule: AccessRule,
    request: Pick<Request, 'method' | 'headers'> & PrincipalRequest,
    principal: Principal,
  ): Promise<void> {
    const declared = this.reflector.getAllAndOverride<AccountReach | undefined>(ACCOUNT_REACH, [
      context.getHandler(),
      context.getClass(),
    ]);
    request.user = await this.accounts.enter(principal, rule, request, declared);
  }

  /**
   * Not of a server's own token, for which an operator granted the scope. The second factor of users of another identity
   * provider is that provider's business.
   */
  private async requireRecentSignIn(principal: Principal | undefined): Promise<void> {
    if (principal?.kind !== 'oauth' || principal.signIn === null) return;
    const { signIn, clientId, userId } = principal;
    const hasSecondFactor = clientId !== null && (await this.twoFactor.isEnabled(userId));
    const level = hasSecondFactor ? 'mfa' : 'pwd';
    const isStrong = clientId === null || reaches(signIn.acr, level);
    if (!isStrong || !isRecent(signIn, this.clock.unixSeconds()))
      throw new RecentSignInError(level, RECENT_SECONDS);
  }

  /** Loaded on every request, so that revoked rights end at once. */
  private async requireOperator(principal: Principal | undefined): Promise<void> {
    const user = principal?.kind === 'oauth' ? await this.users.findActive(principal.userId) : null;
    if (!user?.isOperator) throw new OperatorRequiredError();
  }

  /** The reason is determined afterwards; passport's challenge does not carry it. */
  override handleRequest<T>(error: unknown, principal: T): T {
    if (error) throw error;
    if (principal) return principal;
    throw new UnauthenticatedError();
  }
}

/**
 * The wrong kind of token is 401, the right kind without the scope 403 (specification/authentication.md#401-and-403).
 */
function check(
  rule: Exclude<AccessRule, { kind: 'public' }>,
  { user: principal, path, method }: Pick<Request, 'path' | 'method'> & PrincipalRequest,
): void {
  if (!principal) throw new UnauthenticatedError();
  if (rule.kind === 'any-token') return;
  if (principal.kind === 'oauth') {
    const required: OAuthScope =
      rule.kind === 'operator' ? '*' : scopeNeeded(rule.area, effectOf(rule, method));
    if (includesScope(principal.scopes, required)) return;
    throw new InsufficientPermissionsError(required, principal.scopes, howToGetScope(required));
  }
  if (rule.kind === 'oauth' || rule.kind === 'operator')
    throw new UnauthenticatedError('oauth_token_required', {
      error: 'invalid_token',
      description: oauthRequired(path),
    });
  if (!covers(principal.scopes, rule.scope))
    throw new InsufficientPermissionsError(rule.scope, principal.scopes);
}
