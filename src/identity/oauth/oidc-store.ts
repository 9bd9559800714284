import { Injectable } from '@nestjs/common';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { AuditLog } from '../../platform/integrity/audit-log.service.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { sha256 } from '../../platform/kernel/hmac.pure.js';
import { Sql } from '../../platform/database/sql.js';
import { OAuthClientsService } from './oauth-clients.service.js';
import type { SignInLevel } from './sign-in-level.pure.js';
import { OidcPayloadRepository, RECORDED_KINDS, type StoredPayload } from './oidc-payload.repository.js';

/**
 * Kinds whose ids are credentials: only the SHA-256 is stored. Ids of other kinds are no secrets: an interaction's id
 * is part of its URL and is useless without the signed cookie.
 */
const SECRET_IDS = new Set([
  'AccessToken',
  'ClientCredentials',
  'RefreshToken',
  'AuthorizationCode',
  'Session',
]);

/** A kind that the library does not have. */
const PASSWORD_CHECKED = 'PasswordChecked';
/** Enough time to fetch the phone. */
const PASSWORD_CHECKED_SECONDS = 600;

/** Rows that one run of the purge deletes. */
const PURGE_BATCH = 1_000;

/** The id under which an object of the authorization server is stored. */
export function storedId(kind: string, id: string): string {
  return SECRET_IDS.has(kind) ? sha256(id).toString('base64url') : id;
}

/** Tokens, grants, sessions and codes of the authorization server, in Postgres. */
@Injectable()
export class OidcStore {
  constructor(
    private readonly sql: Sql,
    private readonly payloads: OidcPayloadRepository,
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

  /** Ends a browser session; its cookie becomes invalid. */
  async destroySession(uid: string): Promise<void> {
    await this.payloads.deleteSession(uid);
  }

  /**
   * Signs a user out of every browser and revokes every token of a sign-in, including sign-ins that are not completed.
   * @param keptGrantId the one sign-in that continues: its grant and tokens stay
   */
  async signOut(userId: string, keptGrantId: string | null = null): Promise<void> {
    await this.payloads.deleteSignIns(userId, keptGrantId);
  }

  /**
   * Records that the password was correct in an interaction, before the second factor. It counts as an incomplete
   * sign-in, which {@link signOut} ends.
   */
  async rememberPassword(uid: string, userId: string): Promise<void> {
    await this.upsert(PASSWORD_CHECKED, uid, { accountId: userId }, PASSWORD_CHECKED_SECONDS);
  }

  /** The user whose password was correct in this interaction; null after ten minutes. */
  async findPasswordUser(uid: string): Promise<string | null> {
    return (await this.find(PASSWORD_CHECKED, uid))?.accountId ?? null;
  }

  async forgetPassword(uid: string): Promise<void> {
    await this.destroy(PASSWORD_CHECKED, uid);
  }

  /** The result of a sign-in, for the library: it keeps when and how it was, for the tokens. */
  signedIn(userId: string, acr: SignInLevel) {
    return { login: { accountId: userId, remember: false, ts: this.clock.unixSeconds(), acr } };
  }

  /** Deletes expired rows; returns true while more remain. */
  async purgeExpired(): Promise<boolean> {
    return (await this.payloads.purge(this.clock.now(), PURGE_BATCH)) === PURGE_BATCH;
  }

  private async upsert(kind: string, id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const expiresAt = expiresIn ? new Date(this.clock.now().getTime() + expiresIn * 1_000) : null;
    const stored = {
      kind,
      id: storedId(kind, id),
      payload: withoutSecrets(kind, payload),
      grantId: payload.grantId ?? null,
      uid: payload.uid ?? null,
      expiresAt,
    };
    if (kind === 'Session') return this.payloads.upsertSession(stored);
    if (!RECORDED_KINDS.has(kind)) return this.payloads.upsert(stored);
    await this.sql.transaction(async () => {
      await this.payloads.upsert(stored);
      await this.record('oauth_token.issued', kind, payload);
    });
  }

  private async find(kind: string, id: string): Promise<AdapterPayload | undefined> {
    // Postgres cannot store NUL, and ids of this gateway have only these characters.
    if (!/^[\w~-]{1,128}$/.test(id)) return undefined;
    const stored = await this.payloads.find(kind, storedId(kind, id), this.clock.now());
    return stored ? { ...toPayload(stored), jti: id } : undefined;
  }

  private async findByUid(kind: string, uid: string): Promise<AdapterPayload | undefined> {
    const stored = await this.payloads.findByUid(kind, uid, this.clock.now());
    return stored ? toPayload(stored) : undefined;
  }

  private async destroy(kind: string, id: string): Promise<void> {
    await this.sql.transaction(async () => {
      const gone = await this.payloads.delete(kind, storedId(kind, id));
      if (gone && RECORDED_KINDS.has(kind)) await this.record('oauth_token.revoked', kind, gone.payload);
    });
  }

  /**
   * Uses up a code or refresh token, once. Of two requests that both found it unused, the second one is a replay and
   * ends the whole family (RFC 9700 section 4.14.2).
   */
  private async consume(kind: string, id: string): Promise<void> {
    const stored = storedId(kind, id);
    if (await this.payloads.consume(kind, stored, this.clock.now())) return;
    await this.sql.transaction(async () => {
      const ended = await this.payloads.deleteFamily(kind, stored);
      if (ended) await this.record('oauth_token.replayed', kind, ended.payload);
    });
    throw new errors.InvalidGrant('already used');
  }

  private async revokeByGrantId(kind: string, grantId: string): Promise<void> {
    await this.sql.transaction(async () => {
      const gone = await this.payloads.deleteOfGrant(kind, grantId);
      if (gone && RECORDED_KINDS.has(kind)) await this.record('oauth_token.revoked', kind, gone.payload);
    });
  }

  /** Call it last in the transaction. Neither the token nor its hash is recorded: the grant identifies it. */
  private async record(
    act: 'oauth_token.issued' | 'oauth_token.revoked' | 'oauth_token.replayed',
    kind: string,
    { clientId, accountId, grantId }: AdapterPayload,
  ): Promise<void> {
    const client = clientId ?? 'unknown';
    await this.audit.record({
      act,
      userId: accountId ?? (await this.clients.findUserId(client)),
      target: { kind: 'oauth_client', id: client },
      details: { token: kind, grantId: grantId ?? null },
      actor: { kind: 'oauth_client', id: client },
    });
  }
}

function toPayload({ payload, consumedAt }: StoredPayload): AdapterPayload {
  return consumedAt ? { ...payload, consumed: Math.floor(consumedAt.getTime() / 1_000) } : payload;
}

function withoutSecrets(kind: string, payload: AdapterPayload): AdapterPayload {
  const { jti, ...rest } = payload;
  if (!SECRET_IDS.has(kind)) rest.jti = jti;
  // An interaction stores the id of the session that it began in; nothing reads it.
  if (rest.session) rest.session = { ...rest.session, cookie: undefined };
  return rest;
}
