import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { NotFoundError, RoleInsufficientError } from '../platform/kernel/errors/errors.pure.js';
import { type AccountReach, reachOf, whoMayInstead } from '../platform/kernel/account-roles.pure.js';
import { type AccessRule, effectOf } from '../platform/web/security/auth.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { MembersService } from '../identity/oauth/people/members.service.js';

/** Names the account that a request acts in; without it, its user's own. */
export const ACCOUNT_HEADER = 'X-Account';

/**
 * The one place that decides whether a user may act in another one's account (specification/authentication.md#members).
 * Behind it `userId` of the principal is that account, so every check of an owner holds for members as well.
 */
@Injectable()
export class AccountAccess {
  constructor(private readonly members: MembersService) {}

  /**
   * The principal that the handler gets.
   * @param declared what the route says about its reach
   * @throws NotFoundError, RoleInsufficientError
   */
  async enter(
    principal: Principal,
    rule: AccessRule,
    request: Pick<Request, 'method' | 'headers'>,
    declared: AccountReach | undefined,
  ): Promise<Principal> {
    const accountId = accountOf(request);
    if (accountId === null || !('area' in rule)) return principal;
    const reach = reachOf(rule.area, declared);
    if (reach === 'person' || accountId === principal.userId) return principal;
    const role = principal.kind === 'oauth' ? await this.members.findRole(accountId, principal.userId) : null;
    if (principal.kind !== 'oauth' || role === null)
      throw new NotFoundError('account_not_found', 'Account not found');
    const needed = whoMayInstead(role, { method: effectOf(rule, request.method), area: rule.area, reach });
    if (needed !== null) throw new RoleInsufficientError(role, needed);
    return { ...principal, userId: accountId, member: { userId: principal.userId, role } };
  }

  /** Whether a member still has the role that a response began with. */
  async isStillIn(principal: Principal): Promise<boolean> {
    if (principal.kind !== 'oauth' || !principal.member) return true;
    const { userId, role } = principal.member;
    return (await this.members.findRole(principal.userId, userId)) === role;
  }
}

function accountOf({ headers }: Pick<Request, 'headers'>): string | null {
  const value = headers[ACCOUNT_HEADER.toLowerCase()];
  return typeof value === 'string' ? value.trim().toLowerCase() : null;
}
