import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../platform/integrity/audit-log.service.js';
import { Sql } from '../../../platform/database/sql.js';
import {
  ConflictError,
  NotFoundError,
  ValidationError,
} from '../../../platform/kernel/errors/errors.pure.js';
import { AccessLinksService, type NewAccessLink } from '../access-links.service.js';
import { MembersService } from './members.service.js';
import { UserIdentity } from './user-identity.service.js';
import { UserRepository } from './user.repository.js';
import { normalizeEmail } from './email-address.pure.js';
import { UsersService } from './users.service.js';

/**
 * Hands a whole account to another person, with everything that hangs on it
 * (decisions/0034-what-an-operator-does-without-sql.md).
 */
@Injectable()
export class AccountTransfer {
  constructor(
    private readonly users: UsersService,
    private readonly stored: UserRepository,
    private readonly identity: UserIdentity,
    private readonly links: AccessLinksService,
    private readonly members: MembersService,
    private readonly sql: Sql,
    private readonly audit: AuditLog,
  ) {}

  /**
   * The former person cannot sign in any more. OAuth clients, client tokens and members of the account stay. Others made
   * the former person a member of theirs, so the new one is none.
   * @returns the link by which the new person sets a password, and the id of a user whose address nobody had vouched for,
   * and who loses it
   * @throws NotFoundError, ConflictError, ValidationError
   */
  async transfer(userId: string, to: string): Promise<NewAccessLink & { former: string | null }> {
    const email = normalizeEmail(to);
    return this.sql.transaction(async () => {
      await this.users.refuseLastOperator(userId);
      const former = await this.users.freeAddress(email);
      const user = await this.stored.lock(userId);
      if (!user) throw new NotFoundError('user_not_found', 'User not found');
      if (user.disabledAt !== null)
        throw new ConflictError('invalid_state_transition', 'The user is disabled: enable the user first');
      if (await this.users.findByEmail(email))
        throw ValidationError.of('email', `${email} is a user already, with an account of their own.`);
      await this.members.leaveAll(userId);
      await this.identity.replace(user, email);
      const link = await this.links.createPasswordReset(userId);
      const target = { kind: 'user', id: userId };
      await this.audit.record({ act: 'user.transferred', userId, target });
      return { ...link, former };
    });
  }
}
