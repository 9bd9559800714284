import type { EventEmitter } from 'node:events';
import { Logger } from '@nestjs/common';
import {
  type Configuration,
  errors,
  interactionPolicy,
  type JWK,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';
import type { Clock } from '../../platform/kernel/clock.pure.js';
import { IDENTITY_SCOPES, OAUTH_SCOPES } from '../../platform/kernel/oauth-scopes.pure.js';
import type { BruteForceThrottle } from '../../platform/web/rate-limiting/brute-force-throttle.service.js';
import type { RateLimits } from '../../platform/web/rate-limiting/rate-limits.service.js';
import type { Config } from '../../config.js';
import { DASHBOARD_CLIENT_ID } from './dashboard-client.pure.js';
import {
  ACCESS_TOKEN_TTL,
  INTERACTION_SECONDS,
  REFRESH_TOKEN_TTL,
  sessionSeconds,
} from './lifetimes.pure.js';
import { describeMistake } from './oauth-mistakes.js';
import { secretMatches } from './oauth-clients.service.js';
import type { OAuthClientsService } from './oauth-clients.service.js';
import { needsNewSignIn, SIGN_IN_LEVELS } from './sign-in-level.pure.js';
import type { OidcStore } from './oidc-store.js';
import { decorateResponses, mistakeOf } from './provider-responses.js';
import { languageOf } from './sign-in-language.js';
import { badRequestPage, type SignInPage } from './sign-in-pages.pure.js';
import type { UsersService } from './people/users.service.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

const NO_PKCE =
  'PKCE is required: send code_challenge, BASE64URL(SHA256(code_verifier)), and code_challenge_method=S256';

/** The page to sign out on; the library has no part in it. */
export const SIGN_OUT = '/sign-out';
/** The page of one-time links. */
export const ACCESS_LINK = '/access-link';
/** Where a link for a new password is asked for; only where the gateway sends mail. */
export const FORGOTTEN_PASSWORD = '/forgotten-password';

/** Paths below the issuer (specification/authentication.md#oauth2) and the methods that they take. */
export const OAUTH_ROUTES: Record<string, readonly string[]> = {
  '/authorize': ['GET', 'HEAD'],
  '/token': ['POST', 'OPTIONS'],
  '/revoke': ['POST', 'OPTIONS'],
  '/introspect': ['POST', 'OPTIONS'],
  '/userinfo': ['GET', 'HEAD', 'POST', 'OPTIONS'],
  '/jwks': ['GET', 'HEAD', 'OPTIONS'],
  [SIGN_OUT]: ['GET', 'HEAD', 'POST'],
  [ACCESS_LINK]: ['GET', 'HEAD', 'POST'],
  [FORGOTTEN_PASSWORD]: ['GET', 'HEAD', 'POST'],
  '/.well-known/openid-configuration': ['GET', 'HEAD', 'OPTIONS'],
  '/.well-known/oauth-authorization-server': ['GET', 'HEAD', 'OPTIONS'],
};

export interface ProviderParts {
  config: Config;
  store: OidcStore;
  clients: OAuthClientsService;
  users: UsersService;
  signingKeys: JWK[];
  cookieKeys: Buffer[];
  failures: BruteForceThrottle;
  limits: RateLimits;
  clock: Clock;
}

/** The public URL of the authorization server. */
export function issuerUrl(config: Config): URL {
  return new URL(`${config.baseUrl}/api/oauth`);
}

/**
 * The authorization server: oidc-provider with everything disabled that specification/authentication.md#oauth2 does
 * not list.
 */
export function createProvider(parts: ProviderParts): Provider {
  const issuer = issuerUrl(parts.config);
  const provider = new Provider(issuer.href, configuration(parts, issuer));
  // Every request is rewritten to the issuer's URL before it arrives here (oauth-request.ts), headers included.
  provider.proxy = true;
  const { prototype } = provider.Client as unknown as { prototype: ClientWithSecret };
  prototype.compareClientSecret = function (presented) {
    return secretMatches(this.clientSecret, presented);
  };
  const logger = new Logger('OAuth');
  // Koa's own handler would print to the console.
  (provider as EventEmitter).on('error', (error: Error) => logger.error({ err: error }, 'oauth failed'));
  decorateResponses(provider, {
    failures: parts.failures,
    limits: parts.limits,
    findUserId: (clientId) => parts.clients.findUserId(clientId),
  });
  return provider;
}

type Grant = InstanceType<Provider['Grant']>;

interface ClientWithSecret {
  clientSecret?: string;
  compareClientSecret(this: ClientWithSecret, presented: string): boolean;
}

function configuration(
  { store, clients, users, signingKeys, cookieKeys, clock }: ProviderParts,
  issuer: URL,
): Configuration {
  const isSecure = issuer.protocol === 'https:';
  const cookie = {
    httpOnly: true,
    sameSite: 'lax',
    signed: true,
    secure: isSecure,
    overwrite: true,
  } as const;
  /** A client may inspect its own tokens only, and only while the user that they act for is active. */
  const isOwnLiveToken = async (clientId: string, token: { clientId?: string; accountId?: string }) => {
    const userId = token.accountId ?? (await clients.findUserId(clientId));
    return token.clientId === clientId && userId !== null && (await users.findActive(userId)) !== null;
  };
  return {
    adapter: (kind) => store.adapter(kind),
    jwks: { keys: signingKeys },
    routes: {
      authorization: '/authorize',
      token: '/token',
      revocation: '/revoke',
      introspection: '/introspect',
      userinfo: '/userinfo',
      jwks: '/jwks',
    },
    scopes: [...OAUTH_SCOPES, ...IDENTITY_SCOPES],
    acrValues: [...SIGN_IN_LEVELS],
    claims: { openid: ['sub', 'auth_time', 'acr'], email: ['email', 'email_verified'], profile: ['name'] },
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    pkce: {
      // Called only without a code_challenge; the library's own error does not say what to do.
      required: () => {
        throw new errors.InvalidRequest(NO_PKCE);
      },
    },
    allowOmittingSingleRegisteredRedirectUri: false,
    cookies: {
      keys: cookieKeys,
      // The prefixes make browsers refuse such a cookie without TLS, and `__Host-` from any other host (RFC 6265bis). The
      // two that the library binds to a path say which sign-in is meant; who may go on with it says BrowserBinding.
      names: isSecure
        ? {
            session: '__Host-oauth_session',
            interaction: '__Secure-oauth_interaction',
            resume: '__Secure-oauth_resume',
          }
        : { session: 'oauth_session', interaction: 'oauth_interaction', resume: 'oauth_resume' },
      long: cookie,
      short: cookie,
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: true },
      revocation: {
        enabled: true,
        // Another client's token returns 200 like an unknown one, and stays valid.
        allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
      },
      introspection: {
        enabled: true,
        allowedPolicy: async (_ctx, client, token) => isOwnLiveToken(client.clientId, token),
      },
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_TTL,
      ClientCredentials: HOUR,
      AuthorizationCode: MINUTE,
      IdToken: HOUR,
      Interaction: INTERACTION_SECONDS,
      Session: (_ctx, session) => sessionSeconds(session.loginTs, clock.unixSeconds()),
      Grant: 2 * REFRESH_TOKEN_TTL,
      RefreshToken: (ctx) => {
        const rotated = ctx.oidc.entities.RotatedRefreshToken;
        return rotated ? Math.max(1, rotated.remainingTTL) : REFRESH_TOKEN_TTL;
      },
    },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    // Tokens outlive the browser session that they were granted in.
    expiresWithSession: async () => false,
    loadExistingGrant,
    extraTokenClaims: (ctx) => signInClaims(ctx),
    findAccount: async (_ctx, sub, token) => {
      const user = await users.findActive(sub);
      if (!user) return undefined;
      const { email, name } = user;
      // Email addresses are not verified here, and clients must not assume that they are.
      const signIn = token && 'extra' in token ? token.extra : {};
      const claims = { sub, email, email_verified: false, ...(name !== null && { name }), ...signIn };
      return { accountId: sub, claims: async () => claims };
    },
    interactions: {
      policy: signInPolicy(clock),
      url: (_ctx, interaction) => `${issuer.href}/interaction/${interaction.uid}`,
    },
    renderError: (ctx, out, error) => {
      const description =
        error instanceof errors.OIDCProviderError
          ? describeMistake({ ...mistakeOf(ctx, error), secret: undefined })
          : out.error_description;
      const text = [out.error, description].filter(Boolean).join(': ');
      writeTo(ctx, badRequestPage(languageOf(ctx.req), ctx.status, text));
    },
  };
}

/** When and how the user of a token signed in; a refreshed token has the time of the first one. */
function signInClaims({ oidc }: KoaContextWithOIDC) {
  const source = oidc.entities.AuthorizationCode ?? oidc.entities.RefreshToken;
  return source && { auth_time: source.authTime, acr: source.acr };
}

/**
 * The library's policy; in addition, a session whose user is deleted or disabled does not count as signed in, and a
 * request may ask for a level of the sign-in. `max_age` is compared by our own clock.
 */
function signInPolicy(clock: Clock): interactionPolicy.DefaultPolicy {
  const { Check, base } = interactionPolicy;
  const policy = base();
  const isGone = ({ oidc }: KoaContextWithOIDC) => Boolean(oidc.session?.accountId) && !oidc.account;
  const check = new Check('user_gone', 'the user is gone', 'login_required', (ctx) =>
    isGone(ctx) ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
  );
  const isTooWeak = ({ oidc }: KoaContextWithOIDC) =>
    Boolean(oidc.session?.accountId) &&
    !oidc.result?.login &&
    needsNewSignIn(requestOf(oidc), signInOf(oidc), clock.unixSeconds());
  const level = new Check('max_age', 'the sign-in is too old or too weak', 'login_required', (ctx) =>
    isTooWeak(ctx) ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
  );
  const checks = policy.get('login')?.checks;
  checks?.remove('max_age');
  checks?.add(level);
  checks?.add(check);
  return policy;
}

function requestOf({ params = {} }: KoaContextWithOIDC['oidc']) {
  const { acr_values: acrValues, max_age: maxAge } = params;
  return {
    acrValues: typeof acrValues === 'string' ? acrValues : undefined,
    maxAge: maxAge === undefined ? undefined : Number(maxAge),
  };
}

function signInOf({ session }: KoaContextWithOIDC['oidc']) {
  return { authTime: session?.loginTs ?? null, acr: session?.acr ?? null };
}

/** Consent is requested again if its grant could expire before a new refresh token does. */
async function loadExistingGrant(ctx: KoaContextWithOIDC) {
  const { session, client, result, provider } = ctx.oidc;
  const grantId = result?.consent?.grantId ?? (client && session?.grantIdFor(client.clientId));
  const grant = grantId ? await provider.Grant.find(grantId) : undefined;
  const usable = grant && grant.remainingTTL > REFRESH_TOKEN_TTL ? grant : undefined;
  return client?.clientId === DASHBOARD_CLIENT_ID ? ownGrant(ctx, usable) : usable;
}

/** The gateway's own dashboard has what the user has; signing in to it asks for no consent. */
async function ownGrant({ oidc }: KoaContextWithOIDC, existing: Grant | undefined) {
  const { provider, session, client, requestParamOIDCScopes } = oidc;
  if (!session?.accountId || !client) return undefined;
  const grant = existing ?? new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope([...requestParamOIDCScopes].join(' '));
  await grant.save();
  return grant;
}

function writeTo(ctx: KoaContextWithOIDC, page: SignInPage): void {
  ctx.status = page.status;
  ctx.set(page.headers);
  ctx.body = page.body;
}
