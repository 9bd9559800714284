import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../platform/integrity/audit-log.service.js';
import { BruteForceThrottle } from '../../../platform/web/rate-limiting/brute-force-throttle.service.js';
import { NotFoundError, ValidationError } from '../../../platform/kernel/errors/errors.pure.js';
import { UUID } from '../../../platform/kernel/ids.pure.js';
import type { Draft } from '../../../platform/web/contract/read-contract.js';
import { sqlState } from '../../../platform/database/database-errors.pure.js';
import { Sql } from '../../../platform/database/sql.js';
import { OidcStore } from '../oidc-store.js';
import { PasswordPolicy } from './password-policy.service.js';
import { Passwords } from './passwords.js';
import { type RefusedSignIns, RefusedSignInRepository } from '../refused-sign-in.repository.js';
import type { UserEntity } from './user.entity.js';
import { UserRepository } from './user.repository.js';
import { normalizeEmail } from './email-address.pure.js';

/** A user's own profile. */
export type AccountView = Pick<
  UserEntity,
  'id' | 'email' | 'name' | 'isOperator' | 'createdAt' | 'hasSecondFactor'
>;

/** {@link AccountView} with what was refused. */
export type AccountOverview = AccountView & { refused: RefusedSignIns };

/** Absent fields keep their values. */
export interface AccountChanges {
  email?: string;
  /** Null clears it. */
  name?: string | null;
  /** Required only to change the email address. */
  currentPassword?: string;
}

export interface PasswordChange {
  currentPassword: string;
  newPassword: string;
}

/** A user who has just confirmed the password. */
export interface Reauthenticated {
  userId: string;
  /** The hash that the password matched; check that it is still the current one before acting on it. */
  passwordHash: string;
}

const FIELD = 'currentPassword';
const UNIQUE_VIOLATION = '23505';

/** The settings of the signed-in user (specification/authentication.md#accounts). */
@Injectable()
export class AccountService {
  constructor(
    private readonly sql: Sql,
    private readonly users: UserRepository,
    private readonly passwords: Passwords,
    private readonly policy: PasswordPolicy,
    private readonly throttle: BruteForceThrottle,
    private readonly store: OidcStore,
    private readonly audit: AuditLog,
    private readonly refusals: RefusedSignInRepository,
  ) {}

  /** @throws NotFoundError also for users of the operator's own identity provider: nothing about them is stored here */
  async get(userId: string): Promise<AccountView> {
    return this.findActive(userId);
  }

  /** {@link get}, with the refused sign-ins. */
  async getOverview(userId: string): Promise<AccountOverview> {
    const account = await this.get(userId);
    return { ...account, refused: await this.refusals.find(userId) };
  }

  /**
   * Changing the email address requires the password, because it is used to sign in: a stolen token is not enough.
   * @throws ValidationError also when the address is taken
   */
  async update(userId: string, draft: Draft<AccountChanges>): Promise<AccountOverview> {
    const { given, problems } = draft;
    const { email } = given;
    const address = email === undefined ? null : await problems.collect(() => normalizeEmail(email));
    const account = await this.get(userId);
    const isMoving = email !== undefined && address !== account.email;
    if (isMoving && given.currentPassword === undefined && !problems.has(FIELD))
      problems.add(FIELD, `The ${FIELD} field is required to change the email address.`);
    const { name, currentPassword } = draft.finish();
    // Checked last: a wrong password counts as a failed attempt, and other invalid fields should not cost one.
    if (isMoving) await this.reauthenticate(userId, currentPassword ?? '');
    try {
      await this.sql.transaction(async () => {
        const user = await this.users.lock(userId);
        if (!user) throw noAccount();
        await this.users.update(user, {
          ...(address !== null && address !== user.email && { email: address }),
          ...(name !== undefined && { name }),
        });
        if (address === null || address === user.email) return;
        const target = { kind: 'user', id: userId };
        await this.audit.record({ act: 'user.email_changed', userId, target });
      });
    } catch (error) {
      if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
      throw ValidationError.of('email', 'The email has already been taken.');
    }
    return this.getOverview(userId);
  }

  /**
   * Ends every other sign-in of the user.
   * @param keptGrantId the sign-in of this request, which stays; null: none
   */
  async changePassword(
    userId: string,
    draft: Draft<PasswordChange>,
    keptGrantId: string | null,
  ): Promise<void> {
    const wanted = draft.given.newPassword;
    const account = await this.findActive(userId);
    if (wanted !== undefined)
      await draft.problems.collect(() => this.policy.check(wanted, account, 'newPassword'));
    const { currentPassword, newPassword } = draft.finish();
    const { passwordHash } = await this.reauthenticate(userId, currentPassword);
    if (newPassword.normalize('NFKC') === currentPassword.normalize('NFKC'))
      throw ValidationError.of('newPassword', 'The newPassword field must differ from the current password.');
    const stored = await this.passwords.hash(newPassword);
    await this.sql.transaction(async () => {
      const user = await this.users.lock(userId);
      if (user?.passwordHash !== passwordHash) throw wrongPassword();
      await this.users.update(user, stored);
      await this.store.signOut(userId, keptGrantId);
      const target = { kind: 'user', id: userId };
      await this.audit.record({ act: 'user.password_changed', userId, target });
    });
  }

  /**
   * Checks the password of a signed-in user again, a limited number of times.
   * @throws ValidationError on `currentPassword`, TooManyRequestsError
   */
  async reauthenticate(userId: string, password: string): Promise<Reauthenticated> {
    const user = await this.findActive(userId);
    await this.throttle.takeGuess('current-password', userId);
    if (!(await this.passwords.matches(user, password))) throw wrongPassword();
    await this.throttle.restoreGuesses('current-password', userId);
    return { userId, passwordHash: user.passwordHash };
  }

  /**
   * Locks the user's row, so that the confirmed password cannot change before the transaction ends.
   * @throws ValidationError when it has changed already
   */
  async holdPassword({ userId, passwordHash }: Reauthenticated): Promise<void> {
    if (!(await this.users.holdPasswordHash(userId, passwordHash))) throw wrongPassword();
  }

  /** Whether signing in takes a code, as the user's row says. */
  async hasSecondFactor(userId: string): Promise<boolean> {
    const user = UUID.test(userId) ? await this.users.find(userId) : null;
    return user?.hasSecondFactor ?? false;
  }

  /** Records, in the caller's transaction, whether signing in takes a code. */
  async setSecondFactor(userId: string, hasSecondFactor: boolean): Promise<void> {
    const user = await this.users.lock(userId);
    if (!user) throw noAccount();
    await this.users.update(user, { hasSecondFactor });
  }

  private async findActive(userId: string): Promise<UserEntity> {
    const user = UUID.test(userId) ? await this.users.find(userId) : null;
    if (user?.disabledAt !== null) throw noAccount();
    return user;
  }
}

function noAccount(): NotFoundError {
  return new NotFoundError('user_not_found', 'User not found');
}

function wrongPassword(): ValidationError {
  return ValidationError.of(FIELD, 'The current password is not correct.');
}
