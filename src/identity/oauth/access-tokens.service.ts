import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/security/auth.js';
import { Clock } from '../../platform/runtime/clock.pure.js';
import { Sql } from '../../platform/database/sql.js';
import { ExternalIssuerService } from './external-issuer.service.js';
import { refusalOfAccessToken, type StoredToken } from './access-token-refusal.pure.js';
import { storedId } from './oidc-store.js';

export type OAuthPrincipal = Extract<Principal, { kind: 'oauth' }>;

/** The form of our access tokens: 256 bits, base64url. */
const OPAQUE = /^[A-Za-z0-9_-]{43}$/;
/** Three base64url parts; the third may be empty (alg none), and is refused later. */
const JWT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;
const JWT_MAX_LENGTH = 8_192;

/** Resolves access tokens to principals. */
@Injectable()
export class AccessTokensService {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly externalIssuer: ExternalIssuerService,
  ) {}

  /** Null if the token is unknown, expired or revoked, or its user is disabled. */
  async findPrincipal(token: string): Promise<OAuthPrincipal | null> {
    if (OPAQUE.test(token)) return this.findOpaque(token);
    if (token.length > JWT_MAX_LENGTH || !JWT.test(token)) return null;
    const userId = await this.externalIssuer.verify(token);
    // The issuer's clients are not ours: the subject is the principal.
    return userId === null ? null : { kind: 'oauth', userId, clientId: null, grantId: null };
  }

  /**
   * One statement, on every request. A token of a sign-in lives as long as its grant does, so that a revoked
   * family is gone even where a token was written at the same moment.
   */
  private async findOpaque(token: string): Promise<OAuthPrincipal | null> {
    const [row] = await this.sql.query<{ user_id: string; client_id: string; grant_id: string | null }>(
      `select u.id as user_id, c.client_id, t.grant_id
         from oidc_payloads t
         join oauth_clients c on c.client_id = t.payload->>'clientId' and c.revoked_at is null
         join users u on u.disabled_at is null
          and u.id = case t.kind when 'AccessToken' then (t.payload->>'accountId')::uuid else c.user_id end
        where t.kind in ('AccessToken', 'ClientCredentials') and t.id = $1 and t.expires_at > $2
          and '*' = any (string_to_array(t.payload->>'scope', ' '))
          and (t.kind = 'ClientCredentials' or exists (
            select from oidc_payloads g where g.kind = 'Grant' and g.id = t.grant_id and g.expires_at > $2))`,
      [storedId('AccessToken', token), this.clock.now()],
    );
    if (!row) return null;
    return { kind: 'oauth', userId: row.user_id, clientId: row.client_id, grantId: row.grant_id };
  }

  /**
   * Why a token that has our form is invalid, for a client that presents all of it. A single statement, run only after
   * {@link findPrincipal} returned null.
   */
  async explainRefusal(token: string): Promise<string> {
    if (!OPAQUE.test(token)) return this.externalIssuer.explainRefusal();
    // The secret ids of all kinds are hashed alike.
    const [stored] = await this.sql.query<StoredToken>(
      `select t.kind, t.expires_at as "expiresAt", c.client_id is null or c.revoked_at is not null as "isClientGone",
              coalesce(u.disabled_at is not null, false) as "isUserDisabled"
         from oidc_payloads t
         left join oauth_clients c on c.client_id = t.payload->>'clientId'
         left join users u on u.id = coalesce((t.payload->>'accountId')::uuid, c.user_id)
        where t.kind in ('AccessToken', 'ClientCredentials', 'RefreshToken', 'AuthorizationCode') and t.id = $1`,
      [storedId('AccessToken', token)],
    );
    return refusalOfAccessToken(stored ?? null, this.clock.now());
  }
}
