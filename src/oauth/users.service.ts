import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Clock } from '../common/clock.js';
import { NotFoundError, ValidationError } from '../common/errors.js';
import { newId, UUID } from '../common/ids.js';
import { Sql } from '../common/sql.js';
import { isCleanText } from '../common/validation.js';
import { OidcStore } from './oidc-store.js';
import { Passwords } from './passwords.js';
import { User } from './user.entity.js';

const PASSWORD_MIN = 8;
const PASSWORD_MAX = 256;
const EMAIL = /^[^\s@"<>(),:;\\[\]]{1,64}@[^\s@"<>(),:;\\[\]]{1,189}$/;

/** The people who can sign in. */
@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly passwords: Passwords,
    private readonly store: OidcStore,
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationError also when the address is taken */
  async create(input: { email: string; password: string; isOperator?: boolean }): Promise<User> {
    const email = normaliseEmail(input.email);
    checkPassword(input.password);
    const now = this.clock.now();
    const user = {
      id: newId(now),
      email,
      name: null,
      passwordHash: await this.passwords.hash(input.password),
      isOperator: input.isOperator ?? false,
      disabledAt: null,
      createdAt: now,
    };
    const { raw } = await this.users
      .createQueryBuilder()
      .insert()
      .values(user)
      .orIgnore()
      .returning('id')
      .execute();
    if ((raw as unknown[]).length === 0)
      throw ValidationError.of('email', 'The email has already been taken.');
    return user;
  }

  async findByEmail(email: string): Promise<User | null> {
    return isCleanText(email) ? this.users.findOneBy({ email: email.trim().toLowerCase() }) : null;
  }

  /** Null when unknown or disabled. */
  async findActive(id: string): Promise<User | null> {
    const user = UUID.test(id) ? await this.users.findOneBy({ id }) : null;
    return user?.disabledAt === null ? user : null;
  }

  /** The user, or null when address and password do not belong together; both take the same time. */
  async verifyPassword(email: string, password: string): Promise<User | null> {
    const found = isCleanText(email) ? await this.findWithHash({ email: email.trim().toLowerCase() }) : null;
    const candidate = found?.disabledAt === null && password.length <= PASSWORD_MAX ? found : null;
    // A longer password than any that was ever stored is checked, too: against nothing.
    const matches = await this.passwords.matches(
      candidate?.passwordHash ?? null,
      password.slice(0, PASSWORD_MAX),
    );
    return matches ? candidate : null;
  }

  /** Signs every browser out and revokes every token that stands for a sign-in. */
  async changePassword(id: string, password: string): Promise<void> {
    checkPassword(password);
    const passwordHash = await this.passwords.hash(password);
    const { affected } = await this.users.update({ id }, { passwordHash });
    if (!affected) throw new NotFoundError('user_not_found', 'User not found');
    await this.store.signOut(this.sql, id);
  }

  /** Gives or takes back the right to the operator's views; takes effect on the next request. */
  async setOperator(id: string, isOperator: boolean): Promise<void> {
    const { affected } = await this.users.update({ id }, { isOperator });
    if (!affected) throw new NotFoundError('user_not_found', 'User not found');
  }

  /** Takes effect on the next request: every look-up of a token asks for its user. */
  async disable(id: string): Promise<void> {
    const { affected } = await this.users.update({ id }, { disabledAt: this.clock.now() });
    if (!affected) throw new NotFoundError('user_not_found', 'User not found');
    await this.store.signOut(this.sql, id);
  }

  private findWithHash(where: { email: string }): Promise<User | null> {
    return this.users.findOne({
      where,
      select: {
        id: true,
        email: true,
        name: true,
        passwordHash: true,
        isOperator: true,
        disabledAt: true,
        createdAt: true,
      },
    });
  }
}

/** An address as it is stored and looked up. @throws ValidationError */
export function normaliseEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (!EMAIL.test(email) || !isCleanText(email))
    throw ValidationError.of('email', 'The email field must be a valid email address.');
  return email;
}

/** What a new password must be like. @throws ValidationError on `field` */
export function checkPassword(password: string, field = 'password'): void {
  if (password.length < PASSWORD_MIN || password.length > PASSWORD_MAX)
    throw ValidationError.of(
      field,
      `The ${field} field must be between ${PASSWORD_MIN} and ${PASSWORD_MAX} characters.`,
    );
}
