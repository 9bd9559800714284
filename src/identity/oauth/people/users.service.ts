import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../../platform/kernel/audit-actions.pure.js';
import { AuditHistory } from '../../../platform/integrity/audit-history.service.js';
import { AuditLog } from '../../../platform/integrity/audit-log.service.js';
import { Clock } from '../../../platform/kernel/clock.pure.js';
import {
  ConflictError,
  NotFoundError,
  ValidationError,
} from '../../../platform/kernel/errors/errors.pure.js';
import type { Place } from '../../../platform/web/http/keyset-cursor.pure.js';
import { newId, UUID } from '../../../platform/kernel/ids.pure.js';
import { Sql } from '../../../platform/database/sql.js';
import { isCleanText } from '../../../platform/web/contract/text-forms.pure.js';
import { OidcStore } from '../oidc-store.js';
import { PasswordPolicy } from './password-policy.service.js';
import { PASSWORD_MAX } from './password-rules.pure.js';
import { Passwords } from './passwords.js';
import type { UserEntity } from './user.entity.js';
import { freedAddress, isErased } from './user-state.pure.js';
import {
  type OutdatedPasswords,
  type UserChanges,
  UserRepository,
  type UserSummary,
} from './user.repository.js';
import { normalizeEmail } from './email-address.pure.js';

export type CreatedUser = Omit<UserEntity, 'mac'>;

/** The users who can sign in. */
@Injectable()
export class UsersService {
  constructor(
    private readonly users: UserRepository,
    private readonly passwords: Passwords,
    private readonly policy: PasswordPolicy,
    private readonly store: OidcStore,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
    private readonly history: AuditHistory,
  ) {}

  /**
   * @param input `isVouched`: not where a merchant chose the address
   * @param steps what runs in the transaction, first and last; an error undoes all
   * @throws ValidationError also when the address is taken
   */
  async create(
    input: { email: string; password: string; isOperator?: boolean; isVouched?: boolean },
    steps: { before?: () => Promise<void>; after?: (userId: string) => Promise<void> } = {},
  ): Promise<CreatedUser> {
    const email = normalizeEmail(input.email);
    this.policy.check(input.password, { email, name: null });
    const now = this.clock.now();
    const user = {
      id: newId(now),
      email,
      name: null,
      ...(await this.passwords.hash(input.password)),
      isOperator: input.isOperator ?? false,
      disabledAt: null,
      hasSecondFactor: false,
      createdAt: now,
    };
    await this.sql.transaction(async () => {
      await steps.before?.();
      if (!(await this.users.insert(user)))
        throw ValidationError.of('email', 'The email has already been taken.');
      await steps.after?.(user.id);
      await this.record('user.created', user.id, {
        operator: user.isOperator,
        vouched: input.isVouched ?? true,
      });
    });
    return user;
  }

  async findByEmail(email: string): Promise<UserEntity | null> {
    return isCleanText(email) ? this.users.findByEmail(email.trim().toLowerCase()) : null;
  }

  /** The active user of an address that somebody vouched for: the mail of it is theirs. */
  async findVouched(email: string): Promise<UserEntity | null> {
    const user = await this.findByEmail(email);
    if (user?.disabledAt !== null) return null;
    return (await this.history.vouched([user.id])).has(user.id) ? user : null;
  }

  /** Null when unknown or disabled. */
  async findActive(id: string): Promise<UserEntity | null> {
    const user = UUID.test(id) ? await this.users.find(id) : null;
    return user?.disabledAt === null ? user : null;
  }

  /** The user, or null when the address is unknown or the password wrong; both take the same time. */
  async verifyPassword(email: string, password: string): Promise<UserEntity | null> {
    const found = await this.findByEmail(email);
    const candidate = found?.disabledAt === null && password.length <= PASSWORD_MAX ? found : null;
    // A password longer than allowed is also checked, against the decoy, so that it takes the same time.
    const isMatch = await this.passwords.matches(candidate, password.slice(0, PASSWORD_MAX));
    if (!isMatch || !candidate) return null;
    if (this.passwords.isOutdated(candidate)) await this.hashAgain(candidate, password);
    return candidate;
  }

  /** Of all users, by address; also those that are disabled. */
  list(): Promise<UserSummary[]> {
    return this.users.list();
  }

  /** As {@link list}, the newest first and piece by piece. @param prefix how the address begins; null: any */
  listBefore(place: Place, prefix: string | null, limit: number): Promise<UserSummary[]> {
    return this.users.listBefore(place, prefix?.trim().toLowerCase() ?? null, limit);
  }

  /** One of {@link list}. @throws NotFoundError */
  async getSummary(id: string): Promise<UserSummary> {
    const user = UUID.test(id) ? await this.users.findSummary(id) : null;
    if (!user) throw noUser();
    return user;
  }

  /**
   * Ends every session and revokes every token that was issued by a sign-in.
   * @param before runs first in the transaction; its error undoes all
   */
  async changePassword(
    id: string,
    password: string,
    before: () => Promise<void> = async () => {},
  ): Promise<void> {
    const user = await this.users.find(id);
    if (!user) throw noUser();
    this.policy.check(password, user);
    const stored = await this.passwords.hash(password);
    await this.sql.transaction(async () => {
      await before();
      await this.change(id, 'user.password_changed', stored, () => this.store.signOut(id));
    });
  }

  /**
   * Whom an operator names, by id or by an address. The one way from an address to a user for what is done for a person:
   * an address that nobody vouched for may have been taken by anybody, who would be given what is meant for its owner.
   * @throws NotFoundError, ConflictError
   */
  async getNamed(named: string): Promise<UserEntity> {
    const isAddress = named.includes('@');
    const user = isAddress
      ? await this.findByEmail(named)
      : UUID.test(named) && (await this.users.find(named));
    if (!user) throw new NotFoundError('user_not_found', `there is no user ${named}`);
    if (isAddress) await this.requireVouched(user.id);
    return user;
  }

  /** @throws ConflictError */
  private async requireVouched(id: string): Promise<void> {
    if ((await this.history.vouched([id])).has(id)) return;
    throw new ConflictError(
      'invalid_state_transition',
      `Nobody vouched for the address: its user ${id} chose it, or who invited them. Name that user by the id, if it is ` +
        'who you mean. Else create the user with create-user, which frees the address',
    );
  }

  /**
   * Gives the address back to the operator, if nobody vouched for it: its user keeps all but the address, and is signed
   * out. What was set up under it, such as wallets, is not inherited by whom the operator creates.
   * @returns the id of the former user; null: there is none, or the address is rightly theirs
   */
  async freeAddress(email: string): Promise<string | null> {
    const user = await this.findByEmail(email);
    if (!user || (await this.history.vouched([user.id])).has(user.id)) return null;
    await this.change(user.id, 'user.email_changed', { email: freedAddress(user.id) }, () =>
      this.store.signOut(user.id),
    );
    return user.id;
  }

  /**
   * Grants or revokes access to the operator's views; takes effect on the next request.
   * @throws ConflictError to grant, where nobody vouched for the address
   */
  async setOperator(id: string, isOperator: boolean): Promise<void> {
    if (isOperator) await this.requireVouched(id);
    const act = isOperator ? 'user.operator_granted' : 'user.operator_revoked';
    await this.change(id, act, { isOperator });
  }

  /**
   * Takes effect on the next request: every token check loads the user.
   * @throws ConflictError for the last operator
   */
  async disable(id: string): Promise<void> {
    await this.sql.transaction(async () => {
      await this.refuseLastOperator(id);
      await this.change(id, 'user.disabled', { disabledAt: this.clock.now() }, () => this.store.signOut(id));
    });
  }

  /** Does not restore earlier sign-ins. @throws ConflictError for an erased user */
  async enable(id: string): Promise<void> {
    if (isErased(await this.getSummary(id)))
      throw new ConflictError('invalid_state_transition', 'The user was erased, which cannot be undone');
    await this.change(id, 'user.enabled', { disabledAt: null });
  }

  /**
   * In the caller's transaction, before anything else is locked. Without an operator, only the command line could
   * undo it.
   * @throws ConflictError
   */
  async refuseLastOperator(id: string): Promise<void> {
    const operators = await this.users.lockOperators();
    if (operators.length === 1 && operators[0] === id)
      throw new ConflictError(
        'invalid_state_transition',
        'The user is the only operator: give another one the rights first',
      );
  }

  /**
   * Makes a user usable again whose row was changed outside of the gateway: with a new password, without an operator's
   * rights, and signed out. The operator vouches for the email address, unless they named the id.
   * @param named as of {@link getNamed}, whose errors it throws; the row need not be authentic
   */
  async restore(named: string, password: string): Promise<UserEntity> {
    const isAddress = named.includes('@');
    if (!isAddress && !UUID.test(named)) throw noUser();
    // The name is not checked: it may be what was changed.
    this.policy.check(password, { email: named, name: null });
    const stored = await this.passwords.hash(password);
    return this.sql.transaction(async () => {
      const user = await this.users.lockAny(isAddress ? { email: normalizeEmail(named) } : { id: named });
      if (!user) throw noUser();
      if (isAddress) await this.requireVouched(user.id);
      const isVouched = isAddress || (await this.history.vouched([user.id])).has(user.id);
      await this.users.update(user, { ...stored, isOperator: false, disabledAt: null });
      await this.store.signOut(user.id);
      await this.record('user.restored', user.id, { vouched: isVouched });
      return user;
    });
  }

  /** Passwords that an older key of APP_KEYS peppered; each is hashed again at its user's next sign-in. */
  outdatedPasswords(limit: number): Promise<OutdatedPasswords> {
    return this.users.findPasswordsNotBy(this.passwords.newestKey, limit);
  }

  /** Changes an existing user and records it in the audit log. @throws NotFoundError */
  private async change(
    id: string,
    act: AuditAction,
    changes: UserChanges,
    work: () => Promise<void> = async () => {},
  ): Promise<void> {
    await this.sql.transaction(async () => {
      const user = await this.users.lock(id);
      if (!user) throw noUser();
      await this.users.update(user, changes);
      await work();
      await this.record(act, id);
    });
  }

  /** With the newest key; unless the password has changed meanwhile. */
  private async hashAgain({ id, passwordHash }: UserEntity, password: string): Promise<void> {
    const stored = await this.passwords.hash(password);
    await this.sql.transaction(async () => {
      const user = await this.users.lock(id);
      if (user?.passwordHash !== passwordHash) return;
      await this.users.update(user, stored);
      const details = { column: 'users.password_hash', rows: 1, key: stored.passwordKey };
      await this.audit.record({ act: 'secrets.resealed', userId: null, target: null, details });
    });
  }

  private record(act: AuditAction, id: string, details: Record<string, boolean> = {}): Promise<void> {
    return this.audit.record({ act, userId: id, target: { kind: 'user', id }, details });
  }
}

function noUser(): NotFoundError {
  return new NotFoundError('user_not_found', 'User not found');
}
