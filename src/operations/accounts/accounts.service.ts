import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ApplicationsService } from '../../applications/applications.service.js';
import { AccessLinksService } from '../../identity/oauth/access-links.service.js';
import { UserErasure } from '../../identity/oauth/people/user-erasure.service.js';
import { UsersService } from '../../identity/oauth/people/users.service.js';
import { AuditHistory } from '../../platform/integrity/audit-history.service.js';
import { type CursorPage } from '../../platform/web/http/cursor-page.js';
import { pageBackwards } from '../../platform/web/http/cursor-query.js';
import { toIsoSeconds, toIsoSecondsOrNull } from '../../platform/kernel/clock.pure.js';
import type { AdminUserContract, ListUsersQuery, PasswordLinkContract } from './admin-user.contract.js';
import { accountStateOf } from './user-account-state.pure.js';

type UserSummary = Awaited<ReturnType<UsersService['getSummary']>>;

/** The accounts of all users, for the operator: the routes and the command line act by the same services. */
@Injectable()
export class AccountsService implements OnApplicationBootstrap {
  constructor(
    private readonly users: UsersService,
    private readonly links: AccessLinksService,
    private readonly erasure: UserErasure,
    private readonly applications: ApplicationsService,
    private readonly history: AuditHistory,
  ) {}

  /** An erased user's applications take no more payments; what was paid to them stays, and is followed. */
  onApplicationBootstrap(): void {
    this.erasure.erasing.listen((userId) => this.applications.deleteAll(userId));
  }

  async list(query: ListUsersQuery): Promise<CursorPage<AdminUserContract>> {
    const { after, email, limit } = query;
    // One more than the limit shows whether there are more.
    const found = await this.users.listBefore(after, email ?? null, limit + 1);
    const shown = await this.show(found);
    return pageBackwards(
      found.map(({ createdAt, id }, index) => ({ at: createdAt, id, index })),
      query,
      ({ index }) => shown[index] as AdminUserContract,
    );
  }

  /** @throws NotFoundError */
  async get(id: string): Promise<AdminUserContract> {
    const [shown] = await this.show([await this.users.getSummary(id)]);
    return shown as AdminUserContract;
  }

  /** @throws NotFoundError, ConflictError for the last operator */
  async disable(id: string): Promise<AdminUserContract> {
    await this.users.disable(id);
    return this.get(id);
  }

  /** @throws NotFoundError, ConflictError for an erased user */
  async enable(id: string): Promise<AdminUserContract> {
    await this.users.enable(id);
    return this.get(id);
  }

  /** @throws NotFoundError, ConflictError for a user who is not disabled */
  async erase(id: string): Promise<void> {
    await this.erasure.erase(id);
  }

  /** @throws NotFoundError, ConflictError for a user who is disabled */
  async createPasswordLink(id: string): Promise<PasswordLinkContract> {
    const { id: userId } = await this.users.getSummary(id);
    const { link, url } = await this.links.createPasswordReset(userId);
    return { url, expiresAt: toIsoSeconds(link.expiresAt) };
  }

  private async show(users: readonly UserSummary[]): Promise<AdminUserContract[]> {
    const ids = users.map(({ id }) => id);
    const [counts, signIns, vouched] = await Promise.all([
      this.applications.countActive(ids),
      this.history.lastSignIns(ids),
      this.history.vouched(ids),
    ]);
    return users.map((user) => ({
      id: user.id,
      email: user.email,
      emailVouched: vouched.has(user.id),
      state: accountStateOf(user),
      isOperator: user.isOperator,
      twoFactorEnabled: user.hasSecondFactor,
      applications: counts.get(user.id) ?? 0,
      createdAt: toIsoSeconds(user.createdAt),
      lastSignInAt: toIsoSecondsOrNull(signIns.get(user.id) ?? null),
    }));
  }
}
