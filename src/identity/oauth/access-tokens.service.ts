import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/kernel/principal.pure.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { ExternalIssuerService } from './external-issuer.service.js';
import { refusalOfAccessToken } from './access-token-refusal.pure.js';
import { OidcPayloadRepository } from './oidc-payload.repository.js';
import { storedId } from './oidc-store.js';

export type OAuthPrincipal = Extract<Principal, { kind: 'oauth' }>;

/** The form of this gateway's access tokens: 256 bits, base64url. */
const OPAQUE = /^[A-Za-z0-9_-]{43}$/;
/** Three base64url parts; the third may be empty (alg none), and is refused later. */
const JWT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;
const JWT_MAX_LENGTH = 8_192;

/** Resolves access tokens to principals. */
@Injectable()
export class AccessTokensService {
  constructor(
    private readonly payloads: OidcPayloadRepository,
    private readonly clock: Clock,
    private readonly externalIssuer: ExternalIssuerService,
  ) {}

  /** Null if the token is unknown, expired or revoked, or its user is disabled. */
  async findPrincipal(token: string): Promise<OAuthPrincipal | null> {
    if (OPAQUE.test(token)) return this.findOpaque(token);
    if (token.length > JWT_MAX_LENGTH || !JWT.test(token)) return null;
    const verified = await this.externalIssuer.verify(token);
    // The issuer's clients are not registered here: the subject is the principal.
    return verified && { kind: 'oauth', clientId: null, grantId: null, ...verified };
  }

  private async findOpaque(token: string): Promise<OAuthPrincipal | null> {
    const owner = await this.payloads.findTokenOwner(storedId('AccessToken', token), this.clock.now());
    return owner && { kind: 'oauth', ...owner };
  }

  /**
   * Why a well-formed token is invalid, for a client that presents all of it. A single statement, run only after
   * {@link findPrincipal} returned null.
   */
  async explainRefusal(token: string): Promise<string> {
    if (!OPAQUE.test(token)) return this.externalIssuer.explainRefusal();
    // The secret ids of all kinds are hashed alike.
    const stored = await this.payloads.findTokenState(storedId('AccessToken', token));
    return refusalOfAccessToken(stored, this.clock.now());
  }
}
