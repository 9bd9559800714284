import { Injectable } from '@nestjs/common';
import { bulkInsert, columnsOf } from '../../platform/database/entity-sql.js';
import { namedStatement } from '../../platform/database/named-statement.pure.js';
import { Sql } from '../../platform/database/sql.js';
import type { AuthenticatedRows } from '../../platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../../platform/integrity/row-authenticator.service.js';
import { JOINED_USER, JoinedUsers } from './people/joined-users.service.js';
import { OAUTH_CLIENTS, OAuthClientEntity } from './oauth-client.entity.js';

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
  select ${CLIENT.list}, ${JOINED_USER} from oauth_clients c left join users u on u.id = c.user_id
  where c.client_id = $1 and c.revoked_at is null`;
const FIND = `select ${CLIENT.list} from oauth_clients c where c.client_id = $1`;
const LOCK = `${FIND} for update`;
const LIST_OF_USER = `
  select ${CLIENT.list} from oauth_clients c
  where c.user_id = $1 and c.revoked_at is null order by c.created_at desc, c.client_id`;
const LISTED = columnsOf(OAuthClientEntity, 'c', ['clientId', 'name', 'scopes', 'createdAt', 'revokedAt']);
const LIST = `
  select ${LISTED.list}, u.email from oauth_clients c left join users u on u.id = c.user_id
  order by c.created_at desc, c.client_id`;

const INSERT = bulkInsert(
  OAuthClientEntity,
  ['clientId', 'name', 'userId', 'grantTypes', 'redirectUris', 'scopes', 'secretHash', 'createdAt', 'mac'],
  'on conflict do nothing returning client_id',
);
const UPDATE = namedStatement<ClientSettings & Pick<OAuthClientEntity, 'mac'>>(`
  update oauth_clients c
  set name = :name, user_id = :userId, grant_types = :grantTypes, redirect_uris = :redirectUris,
    scopes = :scopes, secret_hash = :secretHash, mac = :mac
  where c.client_id = :clientId
    and (c.name, c.user_id, c.grant_types, c.redirect_uris, c.scopes, c.secret_hash, c.mac)
      is distinct from
        (:name::text, :userId::uuid, :grantTypes::text[], :redirectUris::text[], :scopes::text[], :secretHash::bytea,
          :mac::text)
  returning c.client_id`);
const REVOKE = `
  update oauth_clients set revoked_at = $2, mac = $3
  where client_id = $1 and revoked_at is null returning user_id as "userId"`;

/** Registered OAuth2 clients (oauth_clients). A row that the gateway did not write is as unknown. */
@Injectable()
export class OAuthClientRepository {
  private readonly authenticated: AuthenticatedRows<OAuthClientEntity, (typeof OAUTH_CLIENTS.fields)[number]>;

  constructor(
    private readonly sql: Sql,
    authenticator: RowAuthenticator,
    private readonly users: JoinedUsers,
  ) {
    this.authenticated = authenticator.register(OAUTH_CLIENTS);
  }

  /** Null if it is unknown or revoked, or acts for a disabled user. */
  async findUsable(clientId: string): Promise<OAuthClientEntity | null> {
    const [row] = await this.sql.query<object>(FIND_USABLE, [clientId]);
    const client = this.authenticated.authentic(row && CLIENT.toEntity(row));
    if (!row || !client) return null;
    return client.userId === null || this.users.stateOf(row) === 'active' ? client : null;
  }

  /** The user of a client that acts for one, or null. */
  async findUserId(clientId: string): Promise<string | null> {
    const client = await this.read(FIND, clientId);
    return client?.userId ?? null;
  }

  /** Those that act for a user and are not revoked, the newest first. */
  async listOfUser(userId: string): Promise<OAuthClientEntity[]> {
    const rows = await this.sql.query<object>(LIST_OF_USER, [userId]);
    return rows.flatMap((row) => this.authenticated.authentic(CLIENT.toEntity(row)) ?? []);
  }

  /** All of them, the newest first. */
  list(): Promise<ListedClient[]> {
    return this.sql.query<ListedClient>(LIST);
  }

  /** False: there is one with this id. */
  async insert(client: ClientSettings & Pick<OAuthClientEntity, 'createdAt'>): Promise<boolean> {
    const row = { ...client, revokedAt: null };
    const mac = this.authenticated.macOf(row);
    const isNew = (await this.sql.query(INSERT.text, INSERT.values([{ ...client, mac }]))).length > 0;
    if (isNew) this.authenticated.changed(row);
    return isNew;
  }

  /** Locks the client until the transaction ends. Null if it is unknown. */
  lock(clientId: string): Promise<OAuthClientEntity | null> {
    return this.read(LOCK, clientId);
  }

  /** False: nothing differs. @param before as {@link lock} returned it in this transaction */
  async update(before: OAuthClientEntity, client: ClientSettings): Promise<boolean> {
    const row = { ...client, revokedAt: before.revokedAt };
    const mac = this.authenticated.macOf(row);
    const differs = (await this.sql.query(UPDATE.text, UPDATE.values({ ...client, mac }))).length > 0;
    if (differs) this.authenticated.changed(row);
    return differs;
  }

  /** Returns the user that it acted for; null if it is unknown or was revoked before. Call it in a transaction. */
  async revoke(clientId: string, now: Date): Promise<Pick<OAuthClientEntity, 'userId'> | null> {
    const client = await this.lock(clientId);
    if (!client) return null;
    const mac = this.authenticated.macOf(client, { revokedAt: now });
    const [revoked] = await this.sql.query<Pick<OAuthClientEntity, 'userId'>>(REVOKE, [clientId, now, mac]);
    if (revoked) this.authenticated.changed(client);
    return revoked ?? null;
  }

  private async read(text: string, clientId: string): Promise<OAuthClientEntity | null> {
    const [row] = await this.sql.query<object>(text, [clientId]);
    return this.authenticated.authentic(row && CLIENT.toEntity(row));
  }
}
