import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { columnsOf } from '../platform/database/entity-sql.js';
import { Sql } from '../platform/database/sql.js';
import type { PageQuery } from '../platform/web/http/pagination.js';
import type { AuthenticatedRows } from '../platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../platform/integrity/row-authenticator.service.js';
import { JOINED_USER, JoinedUsers } from '../identity/oauth/people/joined-users.service.js';
import type { UserState } from '../identity/oauth/people/user-state.pure.js';
import { CLIENT_TOKENS, ClientTokenEntity } from './client-token.entity.js';
import type { StoredClientToken } from './client-token-refusal.pure.js';

/** A valid token, as far as requests with it depend on it. */
export interface ValidToken extends Pick<
  ClientTokenEntity,
  'id' | 'applicationId' | 'userId' | 'scopes' | 'expiresAt' | 'lastUsedAt'
> {
  /** `absent` for a user of an external issuer. */
  user: UserState;
}

const TOKEN = columnsOf(ClientTokenEntity, 't', [...CLIENT_TOKENS.fields, 'lastUsedAt', 'mac']);
// A user id that is no UUID belongs to an external issuer and has no row in users. The case keeps the cast away from it
// and the index on users.id in use.
const JOIN_USER = `
  left join users u on u.id = case
    when t.user_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then t.user_id::uuid end`;
const FIND_VALID = `
  select ${TOKEN.list}, ${JOINED_USER} from client_tokens t
  join payment_applications a on a.id = t.application_id and a.deleted_at is null ${JOIN_USER}
  where t.token_hash = $1 and t.revoked_at is null and (t.expires_at is null or t.expires_at > $2)`;
const FIND_STATE = `
  select ${TOKEN.list}, ${JOINED_USER}, a.deleted_at as "applicationDeletedAt"
  from client_tokens t join payment_applications a on a.id = t.application_id ${JOIN_USER}
  where t.token_hash = $1`;
const LOCK_ACTIVE = `
  select ${TOKEN.list} from client_tokens t where t.id = $1 and t.revoked_at is null for update`;
const TOUCH = `
  update client_tokens set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)`;
const COUNT_ACTIVE = `
  select count(*)::integer as active from client_tokens
  where application_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`;

/** Client tokens (client_tokens). A row that the gateway did not write is as unknown. */
@Injectable()
export class ClientTokenRepository {
  private readonly authenticated: AuthenticatedRows<ClientTokenEntity, (typeof CLIENT_TOKENS.fields)[number]>;

  constructor(
    @InjectRepository(ClientTokenEntity) private readonly rows: Repository<ClientTokenEntity>,
    private readonly sql: Sql,
    private readonly users: JoinedUsers,
    authenticator: RowAuthenticator,
  ) {
    this.authenticated = authenticator.register(CLIENT_TOKENS);
  }

  /**
   * Null if the token is unknown, expired or revoked, or its application deleted. A single statement, on every request
   * with a client token.
   */
  async findValid(tokenHash: Buffer, now: Date): Promise<ValidToken | null> {
    const [row] = await this.sql.query<object>(FIND_VALID, [tokenHash, now]);
    const token = this.authenticated.authentic(row && TOKEN.toEntity(row));
    return row && token ? { ...token, user: this.users.stateOf(row) } : null;
  }

  /** What decides whether a token is valid; null if it is unknown. */
  async findState(tokenHash: Buffer): Promise<StoredClientToken | null> {
    const [row] = await this.sql.query<Pick<StoredClientToken, 'applicationDeletedAt'>>(FIND_STATE, [
      tokenHash,
    ]);
    const token = row && TOKEN.toEntity(row);
    if (!row || !token || !this.authenticated.matches(token)) return null;
    const { expiresAt, revokedAt, applicationId } = token;
    const { applicationDeletedAt } = row;
    return { expiresAt, revokedAt, applicationId, applicationDeletedAt, user: this.users.stateOf(row) };
  }

  /** Sets `lastUsedAt` if it was not after `due`. */
  async touch(id: string, now: Date, due: Date): Promise<void> {
    await this.sql.query(TOUCH, [id, now, due]);
  }

  /** Newest first, with expired and revoked ones, and their total number. */
  list(
    userId: string,
    applicationId: string,
    { limit, offset }: PageQuery,
  ): Promise<[ClientTokenEntity[], number]> {
    return this.rows.findAndCount({
      where: { applicationId, userId },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: limit,
      skip: offset,
    });
  }

  findOwned(userId: string, applicationId: string, id: string): Promise<ClientTokenEntity | null> {
    return this.rows.findOneBy({ id, applicationId, userId });
  }

  /** Tokens of the application that are neither expired nor revoked. */
  async countActive(applicationId: string, now: Date): Promise<number> {
    const [row] = await this.sql.query<{ active: number }>(COUNT_ACTIVE, [applicationId, now]);
    return row?.active ?? 0;
  }

  async insert(token: Omit<ClientTokenEntity, 'mac'>): Promise<void> {
    await this.rows.insert({ ...token, mac: this.authenticated.mac(token) });
  }

  /** False: it was revoked before. Call it in a transaction. */
  async revoke(id: string, revokedAt: Date): Promise<boolean> {
    const [row] = await this.sql.query<object>(LOCK_ACTIVE, [id]);
    if (!row) return false;
    // Also a token that is refused anyway, because its row was changed, is revoked; it stays refused.
    const token = TOKEN.toEntity(row);
    const mac = this.authenticated.isAuthentic(token)
      ? this.authenticated.mac(token, { revokedAt })
      : token.mac;
    await this.rows.update({ id }, { revokedAt, mac });
    return true;
  }
}
