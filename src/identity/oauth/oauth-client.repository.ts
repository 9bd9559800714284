import { Injectable } from '@nestjs/common';
import { bulkInsert, columnsOf } from '../../platform/database/entity-sql.js';
import { namedStatement } from '../../platform/database/named-statement.pure.js';
import { Sql } from '../../platform/database/sql.js';
import { OAuthClientEntity } from './oauth-client.entity.js';

type ClientSettings = Pick<
  OAuthClientEntity,
  'clientId' | 'name' | 'userId' | 'grantTypes' | 'redirectUris' | 'scopes' | 'secretHash'
>;

/** A client as the operator sees it. */
export interface ListedClient extends Pick<
  OAuthClientEntity,
  'clientId' | 'name' | 'scopes' | 'createdAt' | 'revokedAt'
> {
  /** Of the user that it acts for; null for a program that people sign in to. */
  email: string | null;
}

const CLIENT = columnsOf(OAuthClientEntity, 'c');
const FIND_USABLE = `
  select ${CLIENT.list} from oauth_clients c left join users u on u.id = c.user_id
  where c.client_id = $1 and c.revoked_at is null and u.disabled_at is null`;
const FIND_USER_ID = `select c.user_id as "userId" from oauth_clients c where c.client_id = $1`;
const LISTED = columnsOf(OAuthClientEntity, 'c', ['clientId', 'name', 'scopes', 'createdAt', 'revokedAt']);
const LIST = `
  select ${LISTED.list}, u.email from oauth_clients c left join users u on u.id = c.user_id
  order by c.created_at desc, c.client_id`;

const INSERT = bulkInsert(
  OAuthClientEntity,
  ['clientId', 'name', 'userId', 'grantTypes', 'redirectUris', 'scopes', 'secretHash', 'createdAt'],
  'on conflict do nothing returning client_id',
);
const LOCK_SECRET = `
  select secret_hash as "secretHash" from oauth_clients where client_id = $1 for update`;
const UPDATE = namedStatement<ClientSettings>(`
  update oauth_clients c
  set name = :name, user_id = :userId, grant_types = :grantTypes, redirect_uris = :redirectUris,
    scopes = :scopes, secret_hash = :secretHash
  where c.client_id = :clientId
    and (c.name, c.user_id, c.grant_types, c.redirect_uris, c.scopes, c.secret_hash) is distinct from
      (:name::text, :userId::uuid, :grantTypes::text[], :redirectUris::text[], :scopes::text[], :secretHash::bytea)
  returning c.client_id`);
const REVOKE = `
  update oauth_clients set revoked_at = $2
  where client_id = $1 and revoked_at is null returning user_id as "userId"`;

/** Registered OAuth2 clients (oauth_clients). */
@Injectable()
export class OAuthClientRepository {
  constructor(private readonly sql: Sql) {}

  /** Null if it is unknown or revoked, or acts for a disabled user. */
  async findUsable(clientId: string): Promise<OAuthClientEntity | null> {
    const [row] = await this.sql.query<object>(FIND_USABLE, [clientId]);
    return row ? CLIENT.toEntity(row) : null;
  }

  /** The user of a client that acts for one, or null. */
  async findUserId(clientId: string): Promise<string | null> {
    const [row] = await this.sql.query<Pick<OAuthClientEntity, 'userId'>>(FIND_USER_ID, [clientId]);
    return row?.userId ?? null;
  }

  /** All of them, the newest first. */
  list(): Promise<ListedClient[]> {
    return this.sql.query<ListedClient>(LIST);
  }

  /** False: there is one with this id. */
  async insert(client: ClientSettings & Pick<OAuthClientEntity, 'createdAt'>): Promise<boolean> {
    return (await this.sql.query(INSERT.text, INSERT.values([client]))).length > 0;
  }

  /** Locks the client until the transaction ends. Null for a public or unknown client. */
  async lockSecretHash(clientId: string): Promise<Buffer | null> {
    const [row] = await this.sql.query<Pick<OAuthClientEntity, 'secretHash'>>(LOCK_SECRET, [clientId]);
    return row?.secretHash ?? null;
  }

  /** False: nothing differs. */
  async update(client: ClientSettings): Promise<boolean> {
    return (await this.sql.query(UPDATE.text, UPDATE.values(client))).length > 0;
  }

  /** Returns the user that it acted for; null if it is unknown or was revoked before. */
  async revoke(clientId: string, now: Date): Promise<Pick<OAuthClientEntity, 'userId'> | null> {
    const [revoked] = await this.sql.query<Pick<OAuthClientEntity, 'userId'>>(REVOKE, [clientId, now]);
    return revoked ?? null;
  }
}
