import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../../platform/kernel/audit-actions.pure.js';
import { AuditLog } from '../../../platform/integrity/audit-log.service.js';
import { Sql } from '../../../platform/database/sql.js';
import { NotFoundError } from '../../../platform/kernel/errors/errors.pure.js';
import { Clock } from '../../../platform/kernel/clock.pure.js';
import { UUID } from '../../../platform/kernel/ids.pure.js';
import type { AccountRole, InvitedRole } from '../../../platform/kernel/account-roles.pure.js';
import type { Principal } from '../../../platform/kernel/principal.pure.js';
import { AccountMemberRepository } from './account-member.repository.js';
import { requirePerson } from '../require-person.pure.js';
import { UserRepository } from './user.repository.js';
import { UsersService } from './users.service.js';

/** Someone with rights in an account. */
export interface Member {
  userId: string;
  email: string;
  name: string | null;
  role: AccountRole;
  createdAt: Date;
}

/** An account in which a user may act. */
export type Membership = Omit<Member, 'userId'> & { accountId: string };

/** Who may act in whose account (specification/authentication.md#members). */
@Injectable()
export class MembersService {
  constructor(
    private readonly members: AccountMemberRepository,
    private readonly users: UsersService,
    private readonly stored: UserRepository,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /** Null: the user is no member, or the account is unknown or its owner disabled. Looked up on every request. */
  async findRole(accountId: string, userId: string): Promise<InvitedRole | null> {
    if (!UUID.test(accountId) || !UUID.test(userId)) return null;
    const member = await this.members.find(accountId, userId);
    return member && (await this.users.findActive(accountId)) ? member.role : null;
  }

  /** The owner first. */
  async list(accountId: string): Promise<Member[]> {
    const owner = await this.users.findActive(accountId);
    if (!owner) throw new NotFoundError('user_not_found', 'User not found');
    const { id, email, name, createdAt } = owner;
    const found: Member[] = [{ userId: id, email, name, createdAt, role: 'owner' }];
    for (const { userId, role, createdAt: since } of await this.members.listOfAccount(accountId)) {
      const user = await this.stored.find(userId);
      if (user) found.push({ userId, email: user.email, name: user.name, role, createdAt: since });
    }
    return found;
  }

  /** The user's own account first. */
  async listAccounts(userId: string): Promise<Membership[]> {
    const user = await this.users.findActive(userId);
    if (!user) throw new NotFoundError('user_not_found', 'User not found');
    const { id, email, name, createdAt } = user;
    const found: Membership[] = [{ accountId: id, email, name, createdAt, role: 'owner' }];
    for (const { accountId, role, createdAt: since } of await this.members.listOfUser(userId)) {
      const owner = await this.users.findActive(accountId);
      if (owner) found.push({ accountId, email: owner.email, name: owner.name, role, createdAt: since });
    }
    return found;
  }

  /** @throws NotFoundError */
  async getMembership(userId: string, accountId: string): Promise<Membership> {
    const found = (await this.listAccounts(userId)).find((one) => one.accountId === accountId);
    if (!found) throw noMember();
    return found;
  }

  /** In the caller's transaction; the user must not be a member yet. */
  async add(accountId: string, userId: string, role: InvitedRole): Promise<void> {
    await this.members.insert({ accountId, userId, role, createdAt: this.clock.now() });
    await this.record('member.added', accountId, userId, role);
  }

  /** Takes effect on the next request. */
  async setRole(principal: Principal, userId: string, role: InvitedRole): Promise<Member> {
    requirePerson(principal);
    const { userId: accountId } = principal;
    await this.sql.transaction(async () => {
      const member = UUID.test(userId) ? await this.members.find(accountId, userId) : null;
      if (!member) throw noMember();
      if (member.role === role) return;
      await this.members.setRole(member, role);
      await this.record('member.role_changed', accountId, userId, role);
    });
    const changed = (await this.list(accountId)).find((one) => one.userId === userId.toLowerCase());
    if (!changed) throw noMember();
    return changed;
  }

  /** Takes effect on the next request. Client tokens that the member made stay: they belong to the account. */
  async remove(accountId: string, userId: string): Promise<void> {
    await this.sql.transaction(async () => {
      const isMember = UUID.test(accountId) && UUID.test(userId);
      if (!isMember || !(await this.members.delete(accountId, userId))) throw noMember();
      await this.record('member.removed', accountId, userId, null);
    });
  }

  /** In both directions: the members of the user's account, and the user as a member of others. */
  async removeAllOf(userId: string): Promise<void> {
    for (const row of await this.members.listOfAccount(userId)) await this.remove(row.accountId, row.userId);
    await this.leaveAll(userId);
  }

  /** The user as a member of other accounts. */
  async leaveAll(userId: string): Promise<void> {
    for (const row of await this.members.listOfUser(userId)) await this.remove(row.accountId, row.userId);
  }

  private record(
    act: Extract<AuditAction, `member.${string}`>,
    accountId: string,
    userId: string,
    role: InvitedRole | null,
  ): Promise<void> {
    const target = { kind: 'user', id: userId };
    return this.audit.record({ act, userId: accountId, target, details: role === null ? {} : { role } });
  }
}

function noMember(): NotFoundError {
  return new NotFoundError('not_found', 'Member not found');
}
