import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/integrity/audit-log.service.js';
import { Sql } from '../../platform/database/sql.js';
import { ConflictError } from '../../platform/kernel/errors/errors.pure.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { newId } from '../../platform/kernel/ids.pure.js';
import { Keyring } from '../../platform/kernel/keyring.js';
import { CONFIG, type Config } from '../../config.js';
import type { AccessLinkEntity } from './access-link.entity.js';
import { AccessLinkRepository } from './access-link.repository.js';
import { ACCESS_LINK, issuerUrl } from './oidc-provider.js';
import { UserRepository } from './people/user.repository.js';
import { UsersService } from './people/users.service.js';

const PURPOSE = 'access-link';
/** 256 bits, base64url. */
const TOKEN = /^[\w-]{43}$/;
const HOUR_MS = 3_600_000;
const SETUP_MS = 24 * HOUR_MS;
const PASSWORD_MS = HOUR_MS;
/** How long an ended link is kept: its page can then still say so. */
const KEPT_MS = 7 * 24 * HOUR_MS;

/** What a link is for. */
export type LinkSubject = Pick<AccessLinkEntity, 'kind' | 'email' | 'userId' | 'accountId' | 'role'>;

/** A new link: its URL cannot be read again. */
export interface NewAccessLink {
  link: Omit<AccessLinkEntity, 'mac'>;
  url: string;
}

/** Someone else used the link meanwhile, or it ended. */
export class AccessLinkEndedError extends Error {}

/** Links that open an account once (specification/authentication.md#one-time-links). */
@Injectable()
export class AccessLinksService {
  constructor(
    private readonly links: AccessLinkRepository,
    private readonly users: UsersService,
    private readonly stored: UserRepository,
    private readonly keyring: Keyring,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** For the first user; null when there is one. */
  async createSetup(): Promise<NewAccessLink | null> {
    if (await this.stored.hasAny()) return null;
    return this.create({ kind: 'setup', email: null, userId: null, accountId: null, role: null }, SETUP_MS);
  }

  /** Replaces an unused one of the user. @throws ConflictError for a user who is disabled, or whose row was changed */
  createPasswordReset(userId: string): Promise<NewAccessLink> {
    return this.sql.transaction(async () => {
      if (!(await this.users.findActive(userId)))
        throw new ConflictError('invalid_state_transition', 'The user is disabled: enable the user first');
      await this.links.deleteUnused('password', userId);
      return this.create({ kind: 'password', email: null, userId, accountId: null, role: null }, PASSWORD_MS);
    });
  }

  async create(subject: LinkSubject, lifetimeMs: number): Promise<NewAccessLink> {
    const now = this.clock.now();
    const token = randomBytes(32).toString('base64url');
    const [tokenHash] = this.keyring.digests(PURPOSE, token);
    if (!tokenHash) throw new Error('the keyring is empty');
    const expiresAt = new Date(now.getTime() + lifetimeMs);
    const link = { id: newId(now), ...subject, tokenHash, createdAt: now, expiresAt, usedAt: null };
    await this.sql.transaction(async () => {
      await this.links.deleteEndedBefore(new Date(now.getTime() - KEPT_MS));
      await this.links.insert(link);
      await this.record('access_link.created', link);
    });
    return { link, url: `${issuerUrl(this.config).href}${ACCESS_LINK}?token=${token}` };
  }

  /** The link of a token if it can still be used; otherwise null. */
  async find(token: string): Promise<AccessLinkEntity | null> {
    if (!TOKEN.test(token)) return null;
    const link = await this.links.find(this.keyring.digests(PURPOSE, token));
    return link && (await this.isUsable(link)) ? link : null;
  }

  /** The first user may see the operator's views. @throws AccessLinkEndedError, ValidationError */
  async createFirstUser(link: AccessLinkEntity, email: string, password: string): Promise<void> {
    const before = async () => {
      await this.links.lockAll('setup');
      await this.use(link);
    };
    await this.users.create({ email, password, isOperator: true }, { before });
  }

  /** Ends every sign-in of the user; a second factor stays. @throws AccessLinkEndedError, ValidationError */
  async resetPassword(link: AccessLinkEntity, password: string): Promise<void> {
    await this.users.changePassword(link.userId ?? '', password, () => this.use(link));
  }

  /** Uses the link up, in the caller's transaction. @throws AccessLinkEndedError */
  async use({ id }: AccessLinkEntity): Promise<void> {
    const link = await this.links.lock(id);
    if (!link || !(await this.isUsable(link))) throw new AccessLinkEndedError('the link has ended');
    await this.links.setUsed(link, this.clock.now());
    await this.record('access_link.used', link);
  }

  private async isUsable({ kind, userId, accountId, usedAt, expiresAt }: AccessLinkEntity): Promise<boolean> {
    if (usedAt !== null || expiresAt <= this.clock.now()) return false;
    if (kind === 'setup') return !(await this.stored.hasAny());
    return (await this.users.findActive(userId ?? accountId ?? '')) !== null;
  }

  private record(
    act: 'access_link.created' | 'access_link.used',
    { id, kind, userId, accountId }: Pick<AccessLinkEntity, 'id' | 'kind' | 'userId' | 'accountId'>,
  ): Promise<void> {
    const target = { kind: 'access_link', id };
    return this.audit.record({ act, userId: userId ?? accountId, target, details: { kind } });
  }
}
