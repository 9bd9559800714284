import { Inject, Injectable, Logger } from '@nestjs/common';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { Clock } from '../../platform/kernel/clock.pure.js';
import type { SignIn } from '../../platform/kernel/principal.pure.js';
import { WALLETS_WRITE } from '../../platform/kernel/oauth-scopes.pure.js';
import { ServiceUnavailableError } from '../../platform/kernel/errors/errors.pure.js';
import { UUID } from '../../platform/kernel/ids.pure.js';
import { CONFIG, type Config } from '../../config.js';
import { isAccessToken, isSubject } from './external-token.pure.js';
import { UserRepository } from './people/user.repository.js';

/** Asymmetric only: with HS256 in this list, the issuer's public key would be accepted as the secret. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 Ed25519 EdDSA'.split(' ');
const CLOCK_TOLERANCE_SECONDS = 5;
const FETCH_TIMEOUT_MS = 5_000;
const JWKS_MAX_AGE_MS = 600_000;
/** Minimum interval between two downloads of the key set because of an unknown key id. */
const JWKS_COOLDOWN_MS = 30_000;

/** What a token of the issuer permits, and whose it is. */
export interface ExternalToken {
  userId: string;
  scopes: readonly string[];
  signIn: SignIn;
}

/** Failures of the issuer, not of the token. */
const OUTAGES = new Set([errors.JWKSTimeout.code, errors.JWKSInvalid.code, errors.JOSEError.code]);

type KeySet = ReturnType<typeof createRemoteJWKSet>;

/** Accepts the JWT access tokens of the operator's own identity provider (specification/authentication.md#oauth2). */
@Injectable()
export class ExternalIssuerService {
  private readonly logger = new Logger('ExternalIssuer');
  private keys: Promise<KeySet> | null = null;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly users: UserRepository,
  ) {}

  /**
   * The subject of the token, as the issuer names it, its scopes and its sign-in (RFC 9068, section 2.2.1); null if there is no such issuer or the token is
   * invalid.
   * @throws ServiceUnavailableError when the issuer's keys cannot be read
   */
  async verify(token: string): Promise<ExternalToken | null> {
    const external = this.config.externalIssuer;
    if (!external) return null;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, await this.loadKeys(), {
        // The configuration drops a trailing slash, and some issuers' names end in one.
        issuer: [external.issuer, `${external.issuer}/`],
        audience: external.audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: this.clock.now(),
        requiredClaims: ['exp', 'sub'],
      });
      const userId = isAccessToken(protectedHeader, payload) ? await this.toUserId(payload.sub) : null;
      if (userId === null) return null;
      const { auth_time: authTime, acr } = payload;
      const signIn = {
        authTime: typeof authTime === 'number' ? authTime : null,
        acr: typeof acr === 'string' ? acr : null,
      };
      return { userId, scopes: scopesOf(payload['scope']), signIn };
    } catch (error) {
      if (error instanceof errors.JOSEError && !OUTAGES.has(error.code)) return null;
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn(
        { issuer: external.issuer, error: reason },
        'cannot read the keys of the external issuer',
      );
      throw new ServiceUnavailableError('The identity provider cannot be reached');
    }
  }

  /** Why a JWT is invalid, in words; it does not reveal the values of its claims. */
  explainRefusal(): string {
    const external = this.config.externalIssuer;
    return external
      ? `The JWT is not accepted: it must be signed by the issuer ${external.issuer} for the audience ${external.audience}, and not be expired.`
      : 'The token is a JWT, and this gateway accepts those of no identity provider; get an access token at POST /api/oauth/token.';
  }

  /** The issuer must not name a user of this gateway: its subjects and our ids are one name space. */
  private async toUserId(subject: string | undefined): Promise<string | null> {
    if (subject === undefined || !isSubject(subject)) return null;
    const id = subject.toLowerCase();
    if (!UUID.test(id) || !(await this.users.exists(id))) return subject;
    this.logger.warn({ userId: id }, 'the external issuer named a user of this gateway as a subject');
    return null;
  }

  private loadKeys(): Promise<KeySet> {
    this.keys ??= this.discoverKeysUrl()
      .then((url) =>
        createRemoteJWKSet(url, {
          timeoutDuration: FETCH_TIMEOUT_MS,
          cooldownDuration: JWKS_COOLDOWN_MS,
          cacheMaxAge: JWKS_MAX_AGE_MS,
        }),
      )
      .catch((error: unknown) => {
        // Not cached: the next token causes another attempt.
        this.keys = null;
        throw error;
      });
    return this.keys;
  }

  /** The configured address, or the one in the issuer's metadata; never one from a token. */
  private async discoverKeysUrl(): Promise<URL> {
    const external = this.config.externalIssuer;
    if (!external) throw new Error('no external issuer is configured');
    if (external.jwksUrl) return new URL(external.jwksUrl);
    const response = await fetch(`${external.issuer}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
      redirect: 'error',
    });
    if (!response.ok) throw new Error(`the issuer's metadata returned ${response.status}`);
    const metadata = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown };
    if (metadata.issuer !== external.issuer && metadata.issuer !== `${external.issuer}/`)
      throw new Error("the issuer's metadata names another issuer");
    const url = new URL(String(metadata.jwks_uri));
    if (url.protocol !== 'https:' && url.protocol !== new URL(external.issuer).protocol)
      throw new Error("the issuer's keys are not served over https");
    return url;
  }
}

/**
 * The issuer decides by the audience who may use the API; only what {@link WALLETS_WRITE} protects must be named.
 * @param claim `scope` of RFC 9068, section 2.2.3: names separated by spaces
 */
function scopesOf(claim: unknown): string[] {
  const isGranted = typeof claim === 'string' && claim.split(' ').includes(WALLETS_WRITE);
  return isGranted ? ['*', WALLETS_WRITE] : ['*'];
}
