import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { bulkInsert, columnsOf } from '../../platform/database/entity-sql.js';
import { Sql } from '../../platform/database/sql.js';
import { UserEntity } from './user.entity.js';

/** A user's own profile. */
export interface AccountView extends Pick<UserEntity, 'id' | 'email' | 'name' | 'isOperator' | 'createdAt'> {
  isTwoFactorEnabled: boolean;
}

const INSERT = bulkInsert(
  UserEntity,
  ['id', 'email', 'name', 'passwordHash', 'isOperator', 'disabledAt', 'createdAt'],
  'on conflict do nothing returning id',
);
const PROFILE = columnsOf(UserEntity, 'u', ['id', 'email', 'name', 'isOperator', 'createdAt']);
const FIND_ACCOUNT = `
  select ${PROFILE.list},
    exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null)
      as "isTwoFactorEnabled"
  from users u where u.id = $1 and u.disabled_at is null`;
const LOCK = `select email from users where id = $1 for update`;
const HOLD_PASSWORD = `
  select id from users where id = $1 and password_hash = $2 and disabled_at is null for share`;
const REPLACE_PASSWORD = `
  update users set password_hash = $3 where id = $1 and password_hash = $2 returning id`;

/** Users who can sign in (users). */
@Injectable()
export class UserRepository {
  constructor(
    @InjectRepository(UserEntity) private readonly rows: Repository<UserEntity>,
    private readonly sql: Sql,
  ) {}

  /** False: the email address is taken. */
  async insert(user: UserEntity): Promise<boolean> {
    return (await this.sql.query(INSERT.text, INSERT.values([user]))).length > 0;
  }

  find(id: string): Promise<UserEntity | null> {
    return this.rows.findOneBy({ id });
  }

  findByEmail(email: string): Promise<UserEntity | null> {
    return this.rows.findOneBy({ email });
  }

  findWithPasswordHash(email: string): Promise<UserEntity | null> {
    return this.rows.findOne({
      where: { email },
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

  /** The profile of a user who is not disabled, or null. */
  async findAccount(id: string): Promise<AccountView | null> {
    const [row] = await this.sql.query<{ isTwoFactorEnabled: boolean }>(FIND_ACCOUNT, [id]);
    return row ? { ...PROFILE.toEntity(row), isTwoFactorEnabled: row.isTwoFactorEnabled } : null;
  }

  /** Of a user who is not disabled. */
  async findPasswordHash(id: string): Promise<string | null> {
    const user = await this.rows.findOne({
      where: { id, disabledAt: IsNull() },
      select: { id: true, passwordHash: true },
    });
    return user?.passwordHash ?? null;
  }

  /** Locks the user until the transaction ends and returns the email address; null if there is no such user. */
  async lock(id: string): Promise<string | null> {
    const [row] = await this.sql.query<{ email: string }>(LOCK, [id]);
    return row?.email ?? null;
  }

  async update(id: string, changes: Partial<Omit<UserEntity, 'id' | 'createdAt'>>): Promise<void> {
    if (Object.keys(changes).length > 0) await this.rows.update({ id }, changes);
  }

  /** False: the stored hash is not `expected` any more. */
  async replacePasswordHash(id: string, expected: string, passwordHash: string): Promise<boolean> {
    return (await this.sql.query(REPLACE_PASSWORD, [id, expected, passwordHash])).length > 0;
  }

  /**
   * Keeps a user from being changed until the transaction ends.
   * @returns false if the user is disabled or the stored hash is not `expected`
   */
  async holdPasswordHash(id: string, expected: string): Promise<boolean> {
    return (await this.sql.query(HOLD_PASSWORD, [id, expected])).length > 0;
  }
}
