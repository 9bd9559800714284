import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { columnsOf } from '../../platform/database/entity-sql.js';
import { Sql } from '../../platform/database/sql.js';
import type { PageQuery } from '../../platform/http/pagination.js';
import { ClientTokenEntity } from './client-token.entity.js';
import type { StoredClientToken } from './client-token-refusal.pure.js';

/** A valid token, as far as requests with it depend on it. */
export type ValidToken = Pick<ClientTokenEntity, 'id' | 'applicationId' | 'userId' | 'scopes' | 'lastUsedAt'>;

const VALID = columnsOf(ClientTokenEntity, 't', ['id', 'applicationId', 'userId', 'scopes', 'lastUsedAt']);
// A user id that is no UUID belongs to an external issuer and has no row in users. The case keeps the cast away from it
// and the index on users.id in use.
const JOIN_USER = `
  left join users u on u.id = case
    when t.user_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then t.user_id::uuid end`;
const FIND_VALID = `
  select ${VALID.list} from client_tokens t
  join payment_applications a on a.id = t.application_id and a.deleted_at is null ${JOIN_USER}
  where t.token_hash = $1 and t.revoked_at is null and (t.expires_at is null or t.expires_at > $2)
    and u.disabled_at is null`;
const FIND_STATE = `
  select t.expires_at as "expiresAt", t.revoked_at as "revokedAt", a.deleted_at as "applicationDeletedAt",
    a.id as "applicationId", coalesce(u.disabled_at is not null, false) as "isUserDisabled"
  from client_tokens t join payment_applications a on a.id = t.application_id ${JOIN_USER}
  where t.token_hash = $1`;
const TOUCH = `
  update client_tokens set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)`;
const COUNT_ACTIVE = `
  select count(*)::integer as active from client_tokens
  where application_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`;

/** Client tokens (client_tokens). */
@Injectable()
export class ClientTokenRepository {
  constructor(
    @InjectRepository(ClientTokenEntity) private readonly rows: Repository<ClientTokenEntity>,
    private readonly sql: Sql,
  ) {}

  /**
   * Null if the token is unknown, expired or revoked, its application deleted or its user disabled. A single statement,
   * on every request with a client token.
   */
  async findValid(tokenHash: Buffer, now: Date): Promise<ValidToken | null> {
    const [row] = await this.sql.query<object>(FIND_VALID, [tokenHash, now]);
    return row ? VALID.toEntity(row) : null;
  }

  /** What decides whether a token is valid; null if it is unknown. */
  async findState(tokenHash: Buffer): Promise<StoredClientToken | null> {
    const [stored] = await this.sql.query<StoredClientToken>(FIND_STATE, [tokenHash]);
    return stored ?? null;
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

  async insert(token: ClientTokenEntity): Promise<void> {
    await this.rows.insert(token);
  }

  /** False: it was revoked before. */
  async revoke(id: string, revokedAt: Date): Promise<boolean> {
    return (await this.rows.update({ id, revokedAt: IsNull() }, { revokedAt })).affected === 1;
  }
}
