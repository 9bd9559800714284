import { Injectable } from '@nestjs/common';
import { bulkInsert, columnsOf } from '../../platform/database/entity-sql.js';
import { Sql } from '../../platform/database/sql.js';
import { OAUTH_SCOPES } from '../../platform/security/oauth-scopes.pure.js';
import type { SignIn } from '../../platform/security/auth.js';
import type { StoredToken } from './access-token-refusal.pure.js';
import { OidcPayloadEntity } from './oidc-payload.entity.js';

export type StoredPayload = Pick<OidcPayloadEntity, 'kind' | 'payload' | 'consumedAt'>;
export type NewPayload = Pick<OidcPayloadEntity, 'kind' | 'id' | 'payload' | 'grantId' | 'uid' | 'expiresAt'>;

/** Whom an access token stands for. */
export interface TokenOwner {
  userId: string;
  clientId: string;
  grantId: string | null;
  /** Those of the API and of the standard protocols. */
  scopes: readonly string[];
  /** Null: a server's token, without a user. */
  signIn: SignIn | null;
}

const NEW = ['kind', 'id', 'payload', 'grantId', 'uid', 'expiresAt'] as const;
const UPSERT = bulkInsert(
  OidcPayloadEntity,
  NEW,
  `on conflict (kind, id) do update
    set payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at`,
);
const UPSERT_SESSION = bulkInsert(
  OidcPayloadEntity,
  NEW,
  `on conflict (kind, uid) where uid is not null do update
    set id = excluded.id, payload = excluded.payload, expires_at = excluded.expires_at`,
);
const PAYLOAD = columnsOf(OidcPayloadEntity, 'p', ['kind', 'payload', 'consumedAt']);
const FIND = `
  select ${PAYLOAD.list} from oidc_payloads p
  where p.kind = $1 and p.id = $2 and (p.expires_at is null or p.expires_at > $3)`;
const FIND_BY_UID = `
  select ${PAYLOAD.list} from oidc_payloads p
  where p.kind = $1 and p.uid = $2 and (p.expires_at is null or p.expires_at > $3)`;
const CONSUME = `
  update oidc_payloads set consumed_at = $3
  where kind = $1 and id = $2 and consumed_at is null returning kind`;
const DELETE = `delete from oidc_payloads p where p.kind = $1 and p.id = $2 returning ${PAYLOAD.list}`;
const DELETE_OF_GRANT = `
  delete from oidc_payloads p where p.kind = $1 and p.grant_id = $2 returning ${PAYLOAD.list}`;
const DELETE_FAMILY = `
  with family as (select grant_id from oidc_payloads where kind = $1 and id = $2)
  delete from oidc_payloads p using family f
  where p.grant_id = f.grant_id or (p.kind = 'Grant' and p.id = f.grant_id)
  returning ${PAYLOAD.list}`;
const DELETE_SESSION = `delete from oidc_payloads where kind = 'Session' and uid = $1`;
const DELETE_SIGN_INS = `
  delete from oidc_payloads
  where (payload->>'accountId' = $1 or payload->'session'->>'accountId' = $1
      or payload->'result'->'login'->>'accountId' = $1)
    and not coalesce((kind = 'Grant' and id = $2)
      or (kind in ('AccessToken', 'RefreshToken') and grant_id = $2), false)`;
const PURGE = `
  delete from oidc_payloads where ctid = any (array(
    select ctid from oidc_payloads where expires_at < $1 limit $2 for update skip locked
  )) returning kind`;

// A token of a sign-in lives as long as its grant does, so that the tokens of a revoked grant are invalid even if one
// was written at the same moment.
const FIND_OWNER = `
  select u.id as "userId", c.client_id as "clientId", t.grant_id as "grantId",
    string_to_array(t.payload->>'scope', ' ') as scopes,
    case t.kind when 'AccessToken' then jsonb_build_object(
      'authTime', t.payload->'extra'->'auth_time', 'acr', t.payload->'extra'->'acr') end as "signIn"
  from oidc_payloads t
  join oauth_clients c on c.client_id = t.payload->>'clientId' and c.revoked_at is null
  join users u on u.disabled_at is null
    and u.id = case t.kind when 'AccessToken' then (t.payload->>'accountId')::uuid else c.user_id end
  where t.kind in ('AccessToken', 'ClientCredentials') and t.id = $1 and t.expires_at > $2
    and string_to_array(t.payload->>'scope', ' ') && $3::text[]
    and (t.kind = 'ClientCredentials' or exists (
      select from oidc_payloads g where g.kind = 'Grant' and g.id = t.grant_id and g.expires_at > $2))`;
const EXPLAIN = `
  select t.kind, t.expires_at as "expiresAt", c.client_id is null or c.revoked_at is not null as "isClientGone",
    coalesce(u.disabled_at is not null, false) as "isUserDisabled"
  from oidc_payloads t
  left join oauth_clients c on c.client_id = t.payload->>'clientId'
  left join users u on u.id = coalesce((t.payload->>'accountId')::uuid, c.user_id)
  where t.kind in ('AccessToken', 'ClientCredentials', 'RefreshToken', 'AuthorizationCode') and t.id = $1`;

/** Tokens, grants, sessions and codes of the authorization server (oidc_payloads). Ids are as they are stored. */
@Injectable()
export class OidcPayloadRepository {
  constructor(private readonly sql: Sql) {}

  async upsert(payload: NewPayload): Promise<void> {
    await this.sql.query(UPSERT.text, UPSERT.values([payload]));
  }

  /** A session gets a new id at every sign-in and keeps its uid. */
  async upsertSession(payload: NewPayload): Promise<void> {
    await this.sql.query(UPSERT_SESSION.text, UPSERT_SESSION.values([payload]));
  }

  /** Null also if it has expired. */
  find(kind: string, id: string, now: Date): Promise<StoredPayload | null> {
    return this.one(FIND, [kind, id, now]);
  }

  /** Null also if it has expired. */
  findByUid(kind: string, uid: string, now: Date): Promise<StoredPayload | null> {
    return this.one(FIND_BY_UID, [kind, uid, now]);
  }

  /** Marks it as used, once. False: it is unknown or was used before. */
  async consume(kind: string, id: string, now: Date): Promise<boolean> {
    return (await this.sql.query(CONSUME, [kind, id, now])).length > 0;
  }

  /** Returns what was deleted, or null. */
  delete(kind: string, id: string): Promise<StoredPayload | null> {
    return this.one(DELETE, [kind, id]);
  }

  /** Deletes the objects of one kind that belong to a grant, and returns one of them, or null. */
  deleteOfGrant(kind: string, grantId: string): Promise<StoredPayload | null> {
    return this.one(DELETE_OF_GRANT, [kind, grantId]);
  }

  /** Deletes the grant of an object with everything that belongs to it, and returns one of them, or null. */
  deleteFamily(kind: string, id: string): Promise<StoredPayload | null> {
    return this.one(DELETE_FAMILY, [kind, id]);
  }

  async deleteSession(uid: string): Promise<void> {
    await this.sql.query(DELETE_SESSION, [uid]);
  }

  /** Deletes what stands for a sign-in of a user, except for the tokens of `keptGrantId`. */
  async deleteSignIns(userId: string, keptGrantId: string | null): Promise<void> {
    await this.sql.query(DELETE_SIGN_INS, [userId, keptGrantId]);
  }

  /** Deletes up to `limit` expired rows and returns how many. */
  async purge(now: Date, limit: number): Promise<number> {
    return (await this.sql.query(PURGE, [now, limit])).length;
  }

  /** Null if the token is not valid, its client revoked or its user disabled. A single statement, on every request. */
  async findTokenOwner(id: string, now: Date): Promise<TokenOwner | null> {
    const [owner] = await this.sql.query<TokenOwner>(FIND_OWNER, [id, now, OAUTH_SCOPES]);
    return owner ?? null;
  }

  /** What is known of a token or code; null if nothing is stored under this id. */
  async findTokenState(id: string): Promise<StoredToken | null> {
    const [stored] = await this.sql.query<StoredToken>(EXPLAIN, [id]);
    return stored ?? null;
  }

  private async one(text: string, values: readonly unknown[]): Promise<StoredPayload | null> {
    const [row] = await this.sql.query<object>(text, values);
    return row ? PAYLOAD.toEntity(row) : null;
  }
}
