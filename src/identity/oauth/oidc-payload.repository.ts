import { Injectable } from '@nestjs/common';
import { bulkInsert, columnsOf } from '../../platform/database/entity-sql.js';
import { Sql } from '../../platform/database/sql.js';
import { noteChange } from '../../platform/database/unit-of-work.js';
import { OAUTH_SCOPES } from '../../platform/kernel/oauth-scopes.pure.js';
import type { SignIn } from '../../platform/kernel/principal.pure.js';
import type { StoredToken } from './access-token-refusal.pure.js';
import type { AuthenticatedRows } from '../../platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../../platform/integrity/row-authenticator.service.js';
import { JOINED_USER, JoinedUsers } from './people/joined-users.service.js';
import { OAUTH_CLIENTS, OAuthClientEntity } from './oauth-client.entity.js';
import { OIDC_PAYLOADS, OidcPayloadEntity } from './oidc-payload.entity.js';

export type StoredPayload = Pick<OidcPayloadEntity, 'kind' | 'payload' | 'consumedAt'>;
export type NewPayload = Omit<OidcPayloadEntity, 'consumedAt' | 'mac'>;

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

/** A sign-in to a client: its grant. */
export interface SignInSession {
  id: string;
  clientId: string;
  /** Null: the client is gone. */
  clientName: string | null;
  scopes: string[];
  signedInAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}
type Id = Pick<OidcPayloadEntity, 'kind' | 'id'>;
interface SessionRow {
  clientName: string | null;
  lastUsedAt: string | null;
}

/** Kinds whose issue and revocation are recorded in the audit log. */
export const RECORDED_KINDS: ReadonlySet<string> = new Set([
  'AccessToken',
  'ClientCredentials',
  'RefreshToken',
]);
const NEW = ['kind', 'id', 'payload', 'grantId', 'uid', 'expiresAt', 'mac'] as const;
const UPSERT = bulkInsert(
  OidcPayloadEntity,
  NEW,
  `on conflict (kind, id) do update
    set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
      expires_at = excluded.expires_at, mac = excluded.mac
    where oidc_payloads.consumed_at is null`,
);
const UPSERT_SESSION = bulkInsert(
  OidcPayloadEntity,
  NEW,
  `on conflict (kind, uid) where uid is not null do update
    set id = excluded.id, payload = excluded.payload, grant_id = excluded.grant_id,
      expires_at = excluded.expires_at, consumed_at = null, mac = excluded.mac`,
);
const PAYLOAD = columnsOf(OidcPayloadEntity, 'p');
const FIND = `
  select ${PAYLOAD.list} from oidc_payloads p
  where p.kind = $1 and p.id = $2 and (p.expires_at is null or p.expires_at > $3)`;
const FIND_BY_UID = `
  select ${PAYLOAD.list} from oidc_payloads p
  where p.kind = $1 and p.uid = $2 and (p.expires_at is null or p.expires_at > $3)`;
const LOCK_UNUSED = `
  select ${PAYLOAD.list} from oidc_payloads p
  where p.kind = $1 and p.id = $2 and p.consumed_at is null for update`;
const CONSUME = `update oidc_payloads set consumed_at = $3, mac = $4 where kind = $1 and id = $2`;
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
      or (kind in ('AccessToken', 'RefreshToken') and grant_id = $2), false)
  returning kind, id`;
// The sign-ins of a user, from the index oidc_payloads_grants; a token is as old as its sign-in or younger.
const GRANT = columnsOf(OidcPayloadEntity, 'g');
const LIST_SESSIONS = `
  select ${GRANT.list}, c.name as "clientName",
    (select max((t.payload->>'iat')::bigint) from oidc_payloads t where t.grant_id = g.id) as "lastUsedAt"
  from oidc_payloads g left join oauth_clients c on c.client_id = g.payload->>'clientId' and c.revoked_at is null
  where g.kind = 'Grant' and g.payload->>'accountId' = $1 and g.expires_at > $2
    and exists (select from oidc_payloads t
      where t.grant_id = g.id and t.kind in ('AccessToken', 'RefreshToken') and t.expires_at > $2
        and t.consumed_at is null)
  order by (g.payload->>'iat')::bigint desc, g.id`;
/** With its tokens, and with the browser sessions that could get new ones without a password. */
const DELETE_GRANT = `
  with ended as (
    delete from oidc_payloads g where g.kind = 'Grant' and g.payload->>'accountId' = $1 and g.id = $2
    returning g.id, g.payload->>'clientId' as "clientId"
  ), tokens as (
    delete from oidc_payloads t using ended where t.grant_id = ended.id
  ), browsers as (
    delete from oidc_payloads s using ended where s.kind = 'Session' and s.payload->>'accountId' = $1
      and exists (select from jsonb_each(s.payload->'authorizations') a where a.value->>'grantId' = ended.id)
    returning s.id
  )
  select "clientId", array(select id from browsers) as "sessionIds" from ended`;
const PURGE = `
  delete from oidc_payloads where ctid = any (array(
    select ctid from oidc_payloads where expires_at < $1 limit $2 for update skip locked
  )) returning kind`;

const TOKEN = columnsOf(OidcPayloadEntity, 't', [...OIDC_PAYLOADS.fields, 'mac']);
const CLIENT = columnsOf(OAuthClientEntity, 'c', [...OAUTH_CLIENTS.fields, 'mac'], 'client_');
// The row may be forged: what it holds need not have the form of an id.
const OWNER = `
  left join oauth_clients c on c.client_id = t.payload->>'clientId'
  left join users u on u.id = case
    when t.payload->>'accountId' is null then c.user_id
    when t.payload->>'accountId' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (t.payload->>'accountId')::uuid end`;
// A token of a sign-in lives as long as its grant does, so that the tokens of a revoked grant are invalid even if one
// was written at the same moment.
const FIND_TOKEN = `
  select ${TOKEN.list}, ${CLIENT.list}, ${JOINED_USER} from oidc_payloads t ${OWNER}
  where t.kind in ('AccessToken', 'ClientCredentials') and t.id = $1 and t.expires_at > $2
    and string_to_array(t.payload->>'scope', ' ') && $3::text[]
    and (t.kind = 'ClientCredentials' or exists (
      select from oidc_payloads g where g.kind = 'Grant' and g.id = t.grant_id and g.expires_at > $2))`;
const EXPLAIN = `
  select ${TOKEN.list}, ${CLIENT.list}, ${JOINED_USER} from oidc_payloads t ${OWNER}
  where t.kind in ('AccessToken', 'ClientCredentials', 'RefreshToken', 'AuthorizationCode') and t.id = $1`;

/** Tokens, grants, sessions and codes of the authorization server (oidc_payloads). Ids are as they are stored. */
@Injectable()
export class OidcPayloadRepository {
  private readonly authenticated: AuthenticatedRows<OidcPayloadEntity, (typeof OIDC_PAYLOADS.fields)[number]>;
  private readonly authenticatedClients: AuthenticatedRows<
    OAuthClientEntity,
    (typeof OAUTH_CLIENTS.fields)[number]
  >;

  constructor(
    private readonly sql: Sql,
    authenticator: RowAuthenticator,
    private readonly users: JoinedUsers,
  ) {
    this.authenticated = authenticator.register(OIDC_PAYLOADS);
    this.authenticatedClients = authenticator.of(OAUTH_CLIENTS);
  }

  async upsert(payload: NewPayload): Promise<void> {
    await this.sql.query(UPSERT.text, UPSERT.values([this.withMac(payload)]));
  }

  /** A session gets a new id at every sign-in and keeps its uid. */
  async upsertSession(payload: NewPayload): Promise<void> {
    await this.sql.query(UPSERT_SESSION.text, UPSERT_SESSION.values([this.withMac(payload)]));
  }

  /** Null also if it has expired, or the gateway did not write it as it is. */
  async find(kind: string, id: string, now: Date): Promise<StoredPayload | null> {
    return this.authenticated.authentic(await this.one(FIND, [kind, id, now]));
  }

  /** As {@link find}. */
  async findByUid(kind: string, uid: string, now: Date): Promise<StoredPayload | null> {
    return this.authenticated.authentic(await this.one(FIND_BY_UID, [kind, uid, now]));
  }

  /** Marks it as used, once. False: it is unknown or was used before. */
  async consume(kind: string, id: string, now: Date): Promise<boolean> {
    return this.sql.transaction(async () => {
      const stored = this.authenticated.authentic(await this.one(LOCK_UNUSED, [kind, id]));
      if (!stored) return false;
      const mac = this.authenticated.mac(stored, { consumedAt: now });
      await this.sql.query(CONSUME, [kind, id, now, mac]);
      return true;
    });
  }

  /** Returns what was deleted, or null. */
  delete(kind: string, id: string): Promise<StoredPayload | null> {
    return this.deleted(DELETE, [kind, id]);
  }

  /** Deletes the objects of one kind that belong to a grant, and returns one of them, or null. */
  deleteOfGrant(kind: string, grantId: string): Promise<StoredPayload | null> {
    return this.deleted(DELETE_OF_GRANT, [kind, grantId]);
  }

  /** Deletes the grant of an object with everything that belongs to it, and returns one of them, or null. */
  deleteFamily(kind: string, id: string): Promise<StoredPayload | null> {
    return this.deleted(DELETE_FAMILY, [kind, id], (one) => one === 'Grant' || RECORDED_KINDS.has(one));
  }

  async deleteSession(uid: string): Promise<void> {
    await this.sql.query(DELETE_SESSION, [uid]);
  }

  /** Deletes what stands for a sign-in of a user, except for the tokens of `keptGrantId`. */
  async deleteSignIns(userId: string, keptGrantId: string | null): Promise<void> {
    const gone = await this.sql.query<Id>(DELETE_SIGN_INS, [userId, keptGrantId]);
    // Without its grant a token is worth nothing.
    for (const { kind, id } of gone) if (kind === 'Grant' || kind === 'Session') noteDeletion(kind, id);
  }

  /** The sign-ins of a user that can still be used, the newest first. */
  async listSessions(userId: string, now: Date): Promise<SignInSession[]> {
    const rows = await this.sql.query<SessionRow>(LIST_SESSIONS, [userId, now]);
    return rows.flatMap((row) => {
      const grant = this.authenticated.authentic(GRANT.toEntity(row));
      if (!grant?.expiresAt) return [];
      const { iat = 0, clientId = '' } = grant.payload;
      // Of a grant: the library's types do not have it.
      const { openid } = grant.payload as { openid?: { scope?: string } };
      const scopes = openid?.scope?.split(' ') ?? [];
      const signedInAt = new Date(iat * 1_000);
      return {
        id: grant.id,
        clientId,
        clientName: row.clientName,
        scopes,
        signedInAt,
        lastUsedAt: row.lastUsedAt === null ? signedInAt : new Date(Number(row.lastUsedAt) * 1_000),
        expiresAt: grant.expiresAt,
      };
    });
  }

  /** Deletes a grant of a user with everything that belongs to it; returns its client, or null: there is none. */
  async deleteGrant(userId: string, grantId: string): Promise<string | null> {
    const [row] = await this.sql.query<{ clientId: string; sessionIds: string[] }>(DELETE_GRANT, [
      userId,
      grantId,
    ]);
    if (!row) return null;
    noteDeletion('Grant', grantId);
    for (const id of row.sessionIds) noteDeletion('Session', id);
    return row.clientId;
  }

  /** Deletes up to `limit` expired rows and returns how many. */
  async purge(now: Date, limit: number): Promise<number> {
    return (await this.sql.query(PURGE, [now, limit])).length;
  }

  /** Null if the token is not valid, its client revoked or its user disabled. A single statement, on every request. */
  async findTokenOwner(id: string, now: Date): Promise<TokenOwner | null> {
    const [row] = await this.sql.query<object>(FIND_TOKEN, [id, now, OAUTH_SCOPES]);
    const token = this.authenticated.authentic(row && TOKEN.toEntity(row));
    if (!row || !token) return null;
    const client = this.authenticatedClients.authentic(CLIENT.toEntity(row));
    if (client?.revokedAt !== null || this.users.stateOf(row) !== 'active') return null;
    const userId = token.kind === 'AccessToken' ? token.payload.accountId : client.userId;
    if (!userId) return null;
    return {
      userId,
      clientId: client.clientId,
      grantId: token.grantId,
      scopes: token.payload.scope?.split(' ') ?? [],
      signIn: token.kind === 'AccessToken' ? signInOf(token.payload.extra) : null,
    };
  }

  /** What is known of a token or code; null if nothing authentic is stored under this id. */
  async findTokenState(id: string): Promise<StoredToken | null> {
    const [row] = await this.sql.query<object>(EXPLAIN, [id]);
    const token = row && TOKEN.toEntity(row);
    if (!row || !token?.expiresAt || !this.authenticated.matches(token)) return null;
    const client = CLIENT.toEntity(row);
    return {
      kind: token.kind as StoredToken['kind'],
      expiresAt: token.expiresAt,
      isClientGone: !this.authenticatedClients.matches(client) || client.revokedAt !== null,
      user: this.users.stateOf(row),
    };
  }

  private withMac(payload: NewPayload): NewPayload & Pick<OidcPayloadEntity, 'mac'> {
    return { ...payload, mac: this.authenticated.mac({ ...payload, consumedAt: null }) };
  }

  /** Those whose end is recorded in the audit log are listed there. */
  private async deleted(
    text: string,
    values: readonly unknown[],
    isListed = (kind: string) => RECORDED_KINDS.has(kind),
  ): Promise<StoredPayload | null> {
    const gone = (await this.sql.query<object>(text, values)).map((row) => PAYLOAD.toEntity(row));
    for (const { kind, id } of gone) if (isListed(kind)) noteDeletion(kind, id);
    return gone[0] ?? null;
  }

  private async one(text: string, values: readonly unknown[]): Promise<OidcPayloadEntity | null> {
    const [row] = await this.sql.query<object>(text, values);
    return row ? PAYLOAD.toEntity(row) : null;
  }
}

function noteDeletion(kind: string, id: string): void {
  noteChange({ table: 'oidc_payloads', key: [kind, id] });
}

/** When and how the user signed in; null where the token does not say. */
function signInOf(extra: Record<string, unknown> | undefined): SignIn {
  const { auth_time: authTime, acr } = extra ?? {};
  return {
    authTime: typeof authTime === 'number' ? authTime : null,
    acr: typeof acr === 'string' ? acr : null,
  };
}
