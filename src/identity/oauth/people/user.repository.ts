import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { bulkInsert, columnsOf } from '../../../platform/database/entity-sql.js';
import { namedStatement } from '../../../platform/database/named-statement.pure.js';
import { Sql } from '../../../platform/database/sql.js';
import type { Place } from '../../../platform/web/http/keyset-cursor.pure.js';
import type { AuthenticatedRows } from '../../../platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../../../platform/integrity/row-authenticator.service.js';
import { UserEntity, USERS } from './user.entity.js';

/** A user whose row is authentic. */
export type StoredUser = UserEntity;
/** What can be changed of a user. */
export type UserChanges = Partial<
  Pick<
    UserEntity,
    'email' | 'name' | 'passwordHash' | 'passwordKey' | 'isOperator' | 'disabledAt' | 'hasSecondFactor'
  >
>;

/** A user for a list of all. */
export interface UserSummary extends Pick<
  UserEntity,
  'id' | 'email' | 'isOperator' | 'disabledAt' | 'hasSecondFactor' | 'createdAt'
> {
  /** False: the row was changed outside of the gateway, and the user is refused. */
  isAuthentic: boolean;
}

const INSERT = bulkInsert(
  UserEntity,
  ['id', 'email', 'name', ...USERS.fields.slice(2), 'createdAt', 'mac'],
  'on conflict do nothing returning id',
);
const USER = columnsOf(UserEntity, 'u', [...USERS.fields, 'name', 'createdAt', 'mac']);
const FIND = `select ${USER.list} from users u where u.id = $1`;
const FIND_BY_EMAIL = `select ${USER.list} from users u where u.email = $1`;
const LOCK = `${FIND} for update`;
const HOLD_PASSWORD = `
  select id from users where id = $1 and password_hash = $2 and disabled_at is null for share`;
const LIST = `select ${USER.list} from users u order by u.email`;
/** Addresses are lower case and compared by bytes, by the index users_email_prefix; U+10FFFF is the greatest character. */
const LIST_PAGE = namedStatement<Place & { prefix: string | null; limit: number }>(`
  select ${USER.list} from users u
  where (u.created_at, u.id) < (:at, :id)
    and (:prefix::text is null or (u.email ~>=~ :prefix and u.email ~<=~ (:prefix || chr(1114111))))
  order by u.created_at desc, u.id desc limit :limit`);
const LOCK_OPERATORS = `
  select ${USER.list} from users u where u.is_operator and u.disabled_at is null order by u.id for update`;
const HAS_ANY = `select from users limit 1`;
const EXISTS = `select from users where id = $1`;
const OUTDATED = `
  select email, is_operator as "isOperator", count(*) over ()::integer as count from users
  where password_key <> $1 and disabled_at is null order by is_operator desc, email limit $2`;

/** Whose password it is. */
export interface PasswordOwner {
  email: string;
  isOperator: boolean;
}

export interface OutdatedPasswords {
  /** Of all, of whom some may not be listed. */
  count: number;
  users: PasswordOwner[];
}

/** Users who can sign in (users). Whoever finds one here finds a row that the gateway wrote: others are as unknown. */
@Injectable()
export class UserRepository {
  private readonly authenticated: AuthenticatedRows<UserEntity, (typeof USERS.fields)[number]>;

  constructor(
    @InjectRepository(UserEntity) private readonly rows: Repository<UserEntity>,
    private readonly sql: Sql,
    authenticator: RowAuthenticator,
  ) {
    this.authenticated = authenticator.register(USERS);
  }

  /** False: the email address is taken. */
  async insert(user: Omit<UserEntity, 'mac'>): Promise<boolean> {
    const row = { ...user, mac: this.authenticated.mac(user) };
    return (await this.sql.query(INSERT.text, INSERT.values([row]))).length > 0;
  }

  async find(id: string): Promise<StoredUser | null> {
    return this.authenticated.authentic(await this.read(FIND, id));
  }

  async findByEmail(email: string): Promise<StoredUser | null> {
    return this.authenticated.authentic(await this.read(FIND_BY_EMAIL, email));
  }

  /** By address; also those whose row is not authentic. */
  async list(): Promise<UserSummary[]> {
    const users = (await this.sql.query<object>(LIST)).map((row) => USER.toEntity(row));
    return users.map((user) => this.summaryOf(user));
  }

  /** The newest first, before a place; also those whose row is not authentic. @param prefix of the address, in lower case */
  async listBefore(place: Place, prefix: string | null, limit: number): Promise<UserSummary[]> {
    const rows = await this.sql.query<object>(LIST_PAGE.text, LIST_PAGE.values({ ...place, prefix, limit }));
    return rows.map((row) => this.summaryOf(USER.toEntity(row)));
  }

  /** {@link find}, also of a row that is not authentic. */
  async findSummary(id: string): Promise<UserSummary | null> {
    const user = await this.read(FIND, id);
    return user ? this.summaryOf(user) : null;
  }

  /** Ids of those who can use operators' rights; locks them, in one order, until the transaction ends. */
  async lockOperators(): Promise<string[]> {
    const users = (await this.sql.query<object>(LOCK_OPERATORS)).map((row) => USER.toEntity(row));
    return users.filter((user) => this.authenticated.isAuthentic(user)).map(({ id }) => id);
  }

  /** Whether there is a user, authentic or not. */
  async hasAny(): Promise<boolean> {
    return (await this.sql.query(HAS_ANY)).length > 0;
  }

  /** Whether there is a row with this id, authentic or not. */
  async exists(id: string): Promise<boolean> {
    return (await this.sql.query(EXISTS, [id])).length > 0;
  }

  /** Locks the user until the transaction ends; null if there is none. */
  async lock(id: string): Promise<StoredUser | null> {
    return this.authenticated.authentic(await this.read(LOCK, id));
  }

  /** {@link lock} of a row that need not be authentic, for the operator who restores it, by its id or address. */
  async lockAny(named: { id: string } | { email: string }): Promise<UserEntity | null> {
    return 'id' in named ? this.read(LOCK, named.id) : this.read(`${FIND_BY_EMAIL} for update`, named.email);
  }

  /** @param user as {@link lock} returned it in this transaction */
  async update(user: UserEntity, changes: UserChanges): Promise<void> {
    const isNameOnly = Object.keys(changes).every((property) => property === 'name');
    const mac = isNameOnly ? user.mac : this.authenticated.mac(user, changes);
    await this.rows.update({ id: user.id }, { ...changes, mac });
  }

  /**
   * Keeps a user from being changed until the transaction ends.
   * @returns false if the user is disabled or the stored hash is not `expected`
   */
  async holdPasswordHash(id: string, expected: string): Promise<boolean> {
    return (await this.sql.query(HOLD_PASSWORD, [id, expected])).length > 0;
  }

  /** Users who can sign in and whose password another key than this one has peppered, operators first. */
  async findPasswordsNotBy(keyId: string, limit: number): Promise<OutdatedPasswords> {
    const rows = await this.sql.query<PasswordOwner & { count: number }>(OUTDATED, [keyId, limit]);
    const users = rows.map(({ email, isOperator }) => ({ email, isOperator }));
    return { count: rows[0]?.count ?? 0, users };
  }

  private summaryOf(user: UserEntity): UserSummary {
    const { id, email, isOperator, disabledAt, hasSecondFactor, createdAt } = user;
    const isAuthentic = this.authenticated.matches(user);
    return { id, email, isOperator, disabledAt, hasSecondFactor, createdAt, isAuthentic };
  }

  private async read(text: string, value: string): Promise<UserEntity | null> {
    const [row] = await this.sql.query<object>(text, [value]);
    return row ? USER.toEntity(row) : null;
  }
}
