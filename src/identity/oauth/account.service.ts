import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.service.js';
import { BruteForceThrottle } from '../../platform/rate-limiting/brute-force-throttle.service.js';
import { NotFoundError, ValidationError } from '../../platform/errors/errors.pure.js';
import { UUID } from '../../platform/runtime/ids.pure.js';
import type { Draft } from '../../platform/contract/read-dto.js';
import { type Queryable, Sql, sqlState } from '../../platform/database/sql.js';
import { OidcStore } from './oidc-store.js';
import { Passwords } from './passwords.js';
import { checkPassword, normalizeEmail } from './users.service.js';

/** A user's own profile. */
export interface AccountView {
  id: string;
  email: string;
  name: string | null;
  isOperator: boolean;
  isTwoFactorEnabled: boolean;
  createdAt: Date;
}

/** Absent: stays as it is. */
export interface AccountChanges {
  email?: string;
  /** Null clears it. */
  name?: string | null;
  /** Needed for another email address only. */
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

const FIND = `
  select u.id, u.email, u.name, u.is_operator as "isOperator", u.created_at as "createdAt",
    exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null)
      as "isTwoFactorEnabled"
  from users u where u.id = $1 and u.disabled_at is null`;

/** The settings of the signed-in user (specification/authentication.md#accounts). */
@Injectable()
export class AccountService {
  constructor(
    private readonly sql: Sql,
    private readonly passwords: Passwords,
    private readonly throttle: BruteForceThrottle,
    private readonly store: OidcStore,
    private readonly audit: AuditLog,
  ) {}

  /** @throws NotFoundError also for users of the operator's own identity provider: nothing of them is kept here */
  async get(userId: string): Promise<AccountView> {
    const [account] = UUID.test(userId) ? await this.sql.query<AccountView>(FIND, [userId]) : [];
    if (!account) throw noAccount();
    return account;
  }

  /**
   * Another email address is another way in, so it takes the password: a stolen token is not enough.
   * @throws ValidationError also when the address is taken
   */
  async update(userId: string, draft: Draft<AccountChanges>): Promise<AccountView> {
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
      await this.sql.transaction(async (tx) => {
        const [before] = await tx.query<{ email: string }>(
          'select email from users where id = $1 for update',
          [userId],
        );
        await tx.query(
          `update users set email = coalesce($2, email), name = case when $3 then $4 else name end where id = $1`,
          [userId, address, name !== undefined, name],
        );
        if (address === null || address === before?.email) return;
        const target = { kind: 'user', id: userId };
        await this.audit.record(tx, { act: 'user.email_changed', userId, target });
      });
    } catch (error) {
      if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
      throw ValidationError.of('email', 'The email has already been taken.');
    }
    return this.get(userId);
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
    if (wanted !== undefined) await draft.problems.collect(() => checkPassword(wanted, 'newPassword'));
    const { currentPassword, newPassword } = draft.finish();
    const { passwordHash } = await this.reauthenticate(userId, currentPassword);
    if (newPassword.normalize('NFKC') === currentPassword.normalize('NFKC'))
      throw ValidationError.of('newPassword', 'The newPassword field must differ from the current password.');
    const newHash = await this.passwords.hash(newPassword);
    await this.sql.transaction(async (tx) => {
      const changed = await tx.query(
        'update users set password_hash = $3 where id = $1 and password_hash = $2 returning id',
        [userId, passwordHash, newHash],
      );
      if (changed.length === 0) throw wrongPassword();
      await this.store.signOut(tx, userId, keptGrantId);
      const target = { kind: 'user', id: userId };
      await this.audit.record(tx, { act: 'user.password_changed', userId, target });
    });
  }

  /**
   * Checks the password of a signed-in user once more, a bounded number of times.
   * @throws ValidationError on `currentPassword`, TooManyRequestsError
   */
  async reauthenticate(userId: string, password: string): Promise<Reauthenticated> {
    const [row] = UUID.test(userId)
      ? await this.sql.query<{ passwordHash: string }>(
          'select password_hash as "passwordHash" from users where id = $1 and disabled_at is null',
          [userId],
        )
      : [];
    if (!row) throw noAccount();
    await this.throttle.takeGuess('current-password', userId);
    if (!(await this.passwords.matches(row.passwordHash, password))) throw wrongPassword();
    await this.throttle.restoreGuesses('current-password', userId);
    return { userId, passwordHash: row.passwordHash };
  }

  /**
   * Locks the user's row, so that the confirmed password cannot change before the transaction ends.
   * @throws ValidationError when it has changed already
   */
  async holdPassword(tx: Queryable, { userId, passwordHash }: Reauthenticated): Promise<void> {
    const held = await tx.query(
      'select id from users where id = $1 and password_hash = $2 and disabled_at is null for share',
      [userId, passwordHash],
    );
    if (held.length === 0) throw wrongPassword();
  }
}

function noAccount(): NotFoundError {
  return new NotFoundError('user_not_found', 'User not found');
}

function wrongPassword(): ValidationError {
  return ValidationError.of(FIELD, 'The current password is not correct.');
}
