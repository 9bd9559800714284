import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { Principal } from '../../platform/security/auth.js';
import { Clock } from '../../platform/runtime/clock.pure.js';
import { Sql } from '../../platform/database/sql.js';
import { hashClientToken, isClientToken } from './client-token.pure.js';
import { refusalOfClientToken, type StoredClientToken } from './client-token-refusal.pure.js';

export type ClientPrincipal = Extract<Principal, { kind: 'client' }>;

/**
 * `lastUsedAt` is this coarse (specification/authentication.md#client-tokens), so that a busy token costs no write a
 * request.
 */
const LAST_USED_INTERVAL_MS = 60_000;

interface PrincipalRow {
  id: string;
  application_id: string;
  user_id: string;
  scopes: string[];
  last_used_at: Date | null;
}

/** Resolves client tokens to principals. */
@Injectable()
export class ClientTokenPrincipalsService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('ClientTokens');
  /** Writes of `lastUsedAt` under way, by token id. */
  private readonly touches = new Map<string, Promise<void>>();

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** Null if the token is unknown, expired or revoked, or its application or user is disabled. */
  async findPrincipal(token: string): Promise<ClientPrincipal | null> {
    if (!isClientToken(token)) return null;
    // A user id that is no UUID belongs to an external issuer and has no row in users. The case keeps the
    // cast away from it and the index on users.id in use.
    const [row] = await this.sql.query<PrincipalRow>(
      `select t.id, t.application_id, t.user_id, t.scopes, t.last_used_at
         from client_tokens t
         join payment_applications a on a.id = t.application_id and a.deleted_at is null
         left join users u on u.id = case
              when t.user_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then t.user_id::uuid end
        where t.token_hash = $1 and t.revoked_at is null and (t.expires_at is null or t.expires_at > $2)
          and u.disabled_at is null`,
      [hashClientToken(token), this.clock.now()],
    );
    if (!row) return null;
    this.touch(row);
    return {
      kind: 'client',
      userId: row.user_id,
      applicationId: row.application_id,
      tokenId: row.id,
      scopes: row.scopes,
    };
  }

  /**
   * Why a well-formed token is invalid, for a client that presents all of it. A single statement, run only after
   * {@link findPrincipal} returned null.
   */
  async explainRefusal(token: string): Promise<string> {
    const [stored] = await this.sql.query<StoredClientToken>(
      `select t.expires_at as "expiresAt", t.revoked_at as "revokedAt", a.deleted_at as "applicationDeletedAt",
              a.id as "applicationId", coalesce(u.disabled_at is not null, false) as "isUserDisabled"
         from client_tokens t
         join payment_applications a on a.id = t.application_id
         left join users u on u.id = case
              when t.user_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then t.user_id::uuid end
        where t.token_hash = $1`,
      [hashClientToken(token)],
    );
    return refusalOfClientToken(stored ?? null, this.clock.now());
  }

  /** Waits for the writes under way. */
  async flush(): Promise<void> {
    await Promise.all(this.touches.values());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  /** Never waited for: the request goes on, and a lost write only makes `lastUsedAt` older than it could be. */
  private touch({ id, last_used_at }: PrincipalRow): void {
    const now = this.clock.now();
    const due = new Date(now.getTime() - LAST_USED_INTERVAL_MS);
    if (this.touches.has(id) || (last_used_at && last_used_at > due)) return;
    const write = this.sql
      .query(
        'update client_tokens set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)',
        [id, now, due],
      )
      .then(() => undefined)
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        this.logger.warn({ tokenId: id, error: reason }, 'lastUsedAt not written');
      })
      .finally(() => this.touches.delete(id));
    this.touches.set(id, write);
  }
}
