import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../platform/integrity/audit-log.service.js';
import { Sql } from '../../../platform/database/sql.js';
import { NotFoundError, ValidationError } from '../../../platform/kernel/errors/errors.pure.js';
import { Hook } from '../../../platform/kernel/hook.js';
import { Clock } from '../../../platform/kernel/clock.pure.js';
import { UUID } from '../../../platform/kernel/ids.pure.js';
import type { InvitedRole } from '../../../platform/kernel/account-roles.pure.js';
import type { Principal } from '../../../platform/kernel/principal.pure.js';
import type { Draft } from '../../../platform/web/contract/read-contract.js';
import type { AccessLinkEntity } from '../access-link.entity.js';
import { AccessLinkRepository } from '../access-link.repository.js';
import { AccessLinkEndedError, AccessLinksService } from '../access-links.service.js';
import { MembersService } from './members.service.js';
import { requirePerson } from '../require-person.pure.js';
import { UserRepository } from './user.repository.js';
import { normalizeEmail } from './email-address.pure.js';
import { UsersService } from './users.service.js';

const LIFETIME_MS = 7 * 24 * 3_600_000;
/** Members and open invitations of one account. */
const MAX_MEMBERS = 50;

/** An invitation that can still be accepted. */
export interface Invitation {
  id: string;
  email: string;
  role: InvitedRole;
  createdAt: Date;
  expiresAt: Date;
}

/** Invitations to accounts, each a one-time link for one email address (specification/authentication.md#members). */
@Injectable()
export class InvitationsService {
  /** With its link, which only the invited person may read. */
  readonly invited = new Hook<{
    id: string;
    accountId: string;
    inviter: string;
    email: string;
    url: string;
  }>();

  constructor(
    private readonly links: AccessLinksService,
    private readonly rows: AccessLinkRepository,
    private readonly members: MembersService,
    private readonly users: UsersService,
    private readonly stored: UserRepository,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /** Those that are open, the newest first. */
  async list(accountId: string): Promise<Invitation[]> {
    const open = await this.rows.listOpenInvitations(accountId, this.clock.now());
    return open.flatMap((link) => presentable(link) ?? []);
  }

  /** Replaces an open one for the same address. The URL cannot be read again. */
  async create(
    principal: Principal,
    draft: Draft<{ email: string; role: InvitedRole }>,
  ): Promise<{ invitation: Invitation; url: string }> {
    requirePerson(principal);
    const { userId: accountId } = principal;
    const { given, problems } = draft;
    const wanted = given.email;
    const address = wanted === undefined ? null : await problems.collect(() => normalizeEmail(wanted));
    const { role, email: sent } = draft.finish();
    const email = address ?? sent;
    const owner = await this.users.findActive(accountId);
    if (!owner) throw new NotFoundError('user_not_found', 'User not found');
    return this.sql.transaction(async () => {
      // One at a time, so that the limit holds.
      await this.stored.lock(accountId);
      const members = await this.members.list(accountId);
      if (members.some((member) => member.email === email))
        throw ValidationError.of('email', 'The email belongs to a member of the account already.');
      await this.rows.deleteOpenInvitations(accountId, email);
      const open = await this.rows.listOpenInvitations(accountId, this.clock.now());
      if (members.length + open.length > MAX_MEMBERS)
        throw ValidationError.of(
          'email',
          `The account has ${MAX_MEMBERS} members and open invitations already.`,
        );
      const { link, url } = await this.links.create(
        { kind: 'invitation', email, userId: null, accountId, role },
        LIFETIME_MS,
      );
      const { id, createdAt, expiresAt } = link;
      await this.invited.call({ id, accountId, inviter: owner.name ?? owner.email, email, url });
      return { invitation: { id, email, role, createdAt, expiresAt }, url };
    });
  }

  async withdraw(accountId: string, id: string): Promise<void> {
    await this.sql.transaction(async () => {
      const isFound = UUID.test(id) && (await this.rows.deleteInvitation(accountId, id));
      if (!isFound) throw new NotFoundError('not_found', 'Invitation not found');
      const target = { kind: 'access_link', id };
      await this.audit.record({ act: 'access_link.withdrawn', userId: accountId, target });
    });
  }

  /** @returns the account. @throws ValidationError on `token` */
  async accept(principal: Principal, token: string): Promise<string> {
    requirePerson(principal);
    const user = await this.users.findActive(principal.userId);
    if (!user) throw new NotFoundError('user_not_found', 'User not found');
    const link = await this.links.find(token);
    if (link?.kind !== 'invitation' || link.accountId === null) throw ended();
    if (link.email !== user.email)
      throw ValidationError.of(
        'token',
        'The invitation is for another email address than that of your user.',
      );
    try {
      await this.acceptFor(link, user.id);
    } catch (error) {
      throw error instanceof AccessLinkEndedError ? ended() : error;
    }
    return link.accountId;
  }

  /** @throws AccessLinkEndedError */
  async acceptFor(link: AccessLinkEntity, userId: string): Promise<void> {
    await this.sql.transaction(async () => {
      await this.links.use(link);
      await this.join(link, userId);
    });
  }

  /** Creates the user of the invited address, who sets their password. @throws AccessLinkEndedError, ValidationError */
  async acceptAsNewUser(link: AccessLinkEntity, password: string): Promise<void> {
    await this.users.create(
      { email: link.email ?? '', password, isVouched: false },
      { before: () => this.links.use(link), after: (userId) => this.join(link, userId) },
    );
  }

  private async join({ accountId, role }: AccessLinkEntity, userId: string): Promise<void> {
    if (accountId === null || role === null) throw new AccessLinkEndedError('not an invitation');
    // The owner may have taken the invited address meanwhile, or the user another invitation.
    if (accountId === userId || (await this.members.findRole(accountId, userId)) !== null) return;
    await this.members.add(accountId, userId, role);
  }
}

function presentable({ id, email, role, createdAt, expiresAt }: AccessLinkEntity): Invitation | null {
  return email === null || role === null ? null : { id, email, role, createdAt, expiresAt };
}

function ended(): ValidationError {
  return ValidationError.of('token', 'The invitation was used or withdrawn, or it has expired.');
}
