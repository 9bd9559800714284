import { Injectable } from '@nestjs/common';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { AuditLog } from '../../platform/audit/audit-log.service.js';
import { Clock } from '../../platform/runtime/clock.pure.js';
import { sha256 } from '../../platform/security/hmac.pure.js';
import { type Queryable, Sql } from '../../platform/database/sql.js';
import { OAuthClientsService } from './oauth-clients.service.js';

/**
 * Whoever knows such an id can act with it, so only its SHA-256 is stored. The others are no secrets: an
 * interaction's id is in its address and worth nothing without the signed cookie.
 */
const SECRET_IDS = new Set([
  'AccessToken',
  'ClientCredentials',
  'RefreshToken',
  'AuthorizationCode',
  'Session',
]);

/** A kind of our own among the library's. */
const PASSWORD_CHECKED = 'PasswordChecked';
/** Time to find the telephone. */
const PASSWORD_CHECKED_SECONDS = 600;

/** Kinds whose issue and revocation are written to the audit log. */
const TOKENS = new Set(['AccessToken', 'ClientCredentials', 'RefreshToken']);

const UPSERT = `
  insert into oidc_payloads (kind, id, payload, grant_id, uid, expires_at) values ($1, $2, $3, $4, $5, $6)
  on conflict (kind, id) do update
    set payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at`;

/** Rows that one turn of the purge deletes. */
const PURGE_BATCH = 1_000;

interface PayloadRow {
  payload: AdapterPayload;
  consumed_at: Date | null;
}

/** The id under which a thing of the authorization server is stored. */
export function storedId(kind: string, id: string): string {
  return SECRET_IDS.has(kind) ? sha256(id).toString('base64url') : id;
}

/** Tokens, grants, sessions and codes of the authorization server, in Postgres. */
@Injectable()
export class OidcStore {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly clients: OAuthClientsService,
    private readonly audit: AuditLog,
  ) {}

  /** The storage adapter that oidc-provider uses for one kind of object. */
  adapter(kind: string): Adapter {
    return {
      upsert: (id, payload, expiresIn) => this.upsert(kind, id, payload, expiresIn),
      find: (id) => (kind === 'Client' ? this.clients.findMetadata(id) : this.find(kind, id)),
      findByUid: (uid) => this.findByUid(kind, uid),
      findByUserCode: async () => undefined,
      destroy: (id) => this.destroy(kind, id),
      consume: (id) => this.consume(kind, id),
      revokeByGrantId: (grantId) => this.revokeByGrantId(kind, grantId),
    };
  }

  /** Ends a sign-in; its cookie is invalid from now on. */
  async destroySession(uid: string): Promise<void> {
    await this.sql.query(`delete from oidc_payloads where kind = 'Session' and uid = $1`, [uid]);
  }

  /**
   * Signs every browser of a user out and revokes every token that stands for a sign-in, also of sign-ins that
   * are only half done.
   * @param keptGrantId the one sign-in that goes on: its grant and tokens stay
   */
  async signOut(tx: Queryable, userId: string, keptGrantId: string | null = null): Promise<void> {
    await tx.query(
      `delete from oidc_payloads
        where (payload->>'accountId' = $1 or payload->'session'->>'accountId' = $1
            or payload->'result'->'login'->>'accountId' = $1)
          and not coalesce((kind = 'Grant' and id = $2)
            or (kind in ('AccessToken', 'RefreshToken') and grant_id = $2), false)`,
      [userId, keptGrantId],
    );
  }

  /**
   * Notes that the password was right in an interaction, whose second factor is still to come. Counts as a
   * sign-in, half done: {@link signOut} ends it.
   */
  async rememberPassword(uid: string, userId: string): Promise<void> {
    await this.upsert(PASSWORD_CHECKED, uid, { accountId: userId }, PASSWORD_CHECKED_SECONDS);
  }

  /** Whose password was right in this interaction; null after ten minutes. */
  async findPasswordUser(uid: string): Promise<string | null> {
    return (await this.find(PASSWORD_CHECKED, uid))?.accountId ?? null;
  }

  async forgetPassword(uid: string): Promise<void> {
    await this.destroy(PASSWORD_CHECKED, uid);
  }

  /** Deletes expired rows; returns true while more remain. */
  async purgeExpired(): Promise<boolean> {
    const deleted = await this.sql.query(
      `delete from oidc_payloads where ctid = any (array(
         select ctid from oidc_payloads where expires_at < $1 limit $2 for update skip locked
       )) returning kind`,
      [this.clock.now(), PURGE_BATCH],
    );
    return deleted.length === PURGE_BATCH;
  }

  private async upsert(kind: string, id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const expiresAt = expiresIn ? new Date(this.clock.now().getTime() + expiresIn * 1_000) : null;
    const values = [
      kind,
      storedId(kind, id),
      JSON.stringify(withoutSecrets(kind, payload)),
      payload.grantId ?? null,
      payload.uid ?? null,
      expiresAt,
    ];
    // A session gets a new id at every sign-in and keeps its uid.
    if (kind === 'Session') {
      await this.sql.query(
        `insert into oidc_payloads (kind, id, payload, grant_id, uid, expires_at) values ($1, $2, $3, $4, $5, $6)
         on conflict (kind, uid) where uid is not null do update
            set id = excluded.id, payload = excluded.payload, expires_at = excluded.expires_at`,
        values,
      );
      return;
    }
    if (!TOKENS.has(kind)) {
      await this.sql.query(UPSERT, values);
      return;
    }
    await this.sql.transaction(async (tx) => {
      await tx.query(UPSERT, values);
      await this.record(tx, 'oauth_token.issued', kind, payload);
    });
  }

  private async find(kind: string, id: string): Promise<AdapterPayload | undefined> {
    // Postgres cannot take NUL, and no id of ours has anything but these.
    if (!/^[\w~-]{1,128}$/.test(id)) return undefined;
    const [row] = await this.sql.query<PayloadRow>(
      `select payload, consumed_at from oidc_payloads
        where kind = $1 and id = $2 and (expires_at is null or expires_at > $3)`,
      [kind, storedId(kind, id), this.clock.now()],
    );
    return row && { ...toPayload(row), jti: id };
  }

  private async findByUid(kind: string, uid: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.sql.query<PayloadRow>(
      `select payload, consumed_at from oidc_payloads
        where kind = $1 and uid = $2 and (expires_at is null or expires_at > $3)`,
      [kind, uid, this.clock.now()],
    );
    return row && toPayload(row);
  }

  private async destroy(kind: string, id: string): Promise<void> {
    await this.sql.transaction(async (tx) => {
      const [gone] = await tx.query<PayloadRow>(
        'delete from oidc_payloads where kind = $1 and id = $2 returning payload, consumed_at',
        [kind, storedId(kind, id)],
      );
      if (gone && TOKENS.has(kind)) await this.record(tx, 'oauth_token.revoked', kind, gone.payload);
    });
  }

  /**
   * Spends a code or refresh token, once. Two requests that both found it unspent meet here: the second
   * one is a replay and ends the whole family (RFC 9700 section 4.14.2).
   */
  private async consume(kind: string, id: string): Promise<void> {
    const consumed = await this.sql.query(
      `update oidc_payloads set consumed_at = $3
        where kind = $1 and id = $2 and consumed_at is null returning kind`,
      [kind, storedId(kind, id), this.clock.now()],
    );
    if (consumed.length > 0) return;
    await this.sql.transaction(async (tx) => {
      const ended = await tx.query<{ kind: string; payload: AdapterPayload }>(
        `with family as (select grant_id from oidc_payloads where kind = $1 and id = $2)
         delete from oidc_payloads p using family f
          where p.grant_id = f.grant_id or (p.kind = 'Grant' and p.id = f.grant_id)
         returning p.kind, p.payload`,
        [kind, storedId(kind, id)],
      );
      const [one] = ended;
      if (one) await this.record(tx, 'oauth_token.replayed', kind, one.payload);
    });
    throw new errors.InvalidGrant('already used');
  }

  private async revokeByGrantId(kind: string, grantId: string): Promise<void> {
    await this.sql.transaction(async (tx) => {
      const [gone] = await tx.query<PayloadRow>(
        'delete from oidc_payloads where kind = $1 and grant_id = $2 returning payload, consumed_at',
        [kind, grantId],
      );
      if (gone && TOKENS.has(kind)) await this.record(tx, 'oauth_token.revoked', kind, gone.payload);
    });
  }

  /** As the last statement of its transaction. Neither the token nor its hash is written down: the grant names it. */
  private async record(
    tx: Queryable,
    act: 'oauth_token.issued' | 'oauth_token.revoked' | 'oauth_token.replayed',
    kind: string,
    { clientId, accountId, grantId }: AdapterPayload,
  ): Promise<void> {
    const client = clientId ?? 'unknown';
    await this.audit.record(tx, {
      act,
      userId: accountId ?? (await this.clients.findUserId(client, tx)),
      target: { kind: 'oauth_client', id: client },
      details: { token: kind, grantId: grantId ?? null },
      actor: { kind: 'oauth_client', id: client },
    });
  }
}

function toPayload({ payload, consumed_at }: PayloadRow): AdapterPayload {
  return consumed_at ? { ...payload, consumed: Math.floor(consumed_at.getTime() / 1_000) } : payload;
}

function withoutSecrets(kind: string, payload: AdapterPayload): AdapterPayload {
  const { jti, ...rest } = payload;
  if (!SECRET_IDS.has(kind)) rest.jti = jti;
  // An interaction stores the id of the session that it began in; nothing reads it.
  if (rest.session) rest.session = { ...rest.session, cookie: undefined };
  return rest;
}
