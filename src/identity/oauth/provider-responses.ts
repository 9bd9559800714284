import type { EventEmitter } from 'node:events';
import { Logger } from '@nestjs/common';
import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { type AddressedRequest, clientAddress } from '../../platform/kernel/client-address.pure.js';
import { type GatewayError, ServiceUnavailableError } from '../../platform/kernel/errors/errors.pure.js';
import type { BruteForceThrottle } from '../../platform/web/rate-limiting/brute-force-throttle.service.js';
import { refusalOf } from '../../platform/web/rate-limiting/rate-limit.pure.js';
import type { RateLimits } from '../../platform/web/rate-limiting/rate-limits.service.js';
import { REQUEST_ID_HEADER } from '../../platform/kernel/request-context.js';
import { isTransient } from '../../platform/database/database-errors.pure.js';
import { describeMistake, type OAuthMistake } from './oauth-mistakes.js';
import { type OAuthErrorBody, oauthErrorOf } from './oauth-request.js';

type Next = () => Promise<void>;

/** Dependencies of the handlers below. */
export interface ResponseParts {
  failures: BruteForceThrottle;
  limits: RateLimits;
  /** The user that a client's own tokens act for. */
  findUserId: (clientId: string) => Promise<string | null>;
}

/** Wraps the library's responses: headers, rate limits, error texts, and fields that it omits. */
export function decorateResponses(provider: Provider, parts: ResponseParts): void {
  const logger = new Logger('OAuth');
  provider.on('server_error', (ctx, error) => {
    if (isTransient(error)) {
      logger.warn({ err: error }, 'unavailable');
      refuseUnavailable(ctx);
    } else logger.error({ err: error }, 'oauth failed');
  });
  for (const event of ['grant.error', 'revocation.error', 'introspection.error', 'userinfo.error'])
    (provider as EventEmitter).on(event, explain);
  provider.use(countTokenRequests(parts.limits));
  provider.use(refuseDuringOutages);
  provider.use(harden);
  provider.use(countRefusals(parts.failures));
  provider.use(complete(parts.findUserId));
  provider.use(spendGuessedCode(provider));
}

/**
 * A wrong code verifier uses the code up: a code that was intercepted is good for one guess
 * (specification/authentication.md#oauth2).
 */
function spendGuessedCode(provider: Provider) {
  return async (ctx: KoaContextWithOIDC, next: Next): Promise<void> => {
    await next();
    const { client, params } = ctx.oidc ?? {};
    const { error, error_description: text } = (ctx.body ?? {}) as Partial<OAuthErrorBody>;
    if (ctx.path !== '/token' || error !== 'invalid_grant' || !text?.includes('code_verifier')) return;
    const code = await provider.AuthorizationCode.find(String(params?.['code']));
    if (code && code.clientId === client?.clientId) await code.destroy();
  };
}

/** Adds a remedy to a refusal that the library has already written. */
function explain(ctx: KoaContextWithOIDC, error: errors.OIDCProviderError): void {
  const body: unknown = ctx.body;
  if (typeof body !== 'object' || body === null || !('error_description' in body)) return;
  body.error_description = describeMistake(mistakeOf(ctx, error));
}

/** The library's error with what is known about the request. */
export function mistakeOf(ctx: KoaContextWithOIDC, error: errors.OIDCProviderError): OAuthMistake {
  const { client, params = {} } = ctx.oidc;
  const { redirect_uri: sent, client_secret: inBody } = params;
  return {
    error: error.error,
    description: error.error_description ?? '',
    detail: error.error_detail,
    secret: ctx.headers.authorization === undefined ? (inBody ? 'body' : 'none') : 'header',
    grantTypes: client?.grantTypes,
    redirect:
      typeof sent === 'string' && client ? { sent, registered: client.redirectUris ?? [] } : undefined,
  };
}

/** The refusal in RFC 6749's form, with its headers; pages keep their text. */
function refuse(ctx: KoaContextWithOIDC, refusal: GatewayError): void {
  ctx.status = refusal.status;
  ctx.set(refusal.extra.headers ?? {});
  if (!ctx.response.is('html'))
    ctx.body = oauthErrorOf(refusal, String(ctx.res.getHeader(REQUEST_ID_HEADER) ?? ''));
}

/** Errors that the library would report as a server error; nothing of the response has been sent yet. */
function refuseUnavailable(ctx: KoaContextWithOIDC): void {
  refuse(ctx, new ServiceUnavailableError());
}

/** For failures outside of the library's own routes. */
async function refuseDuringOutages(ctx: KoaContextWithOIDC, next: Next): Promise<void> {
  try {
    await next();
  } catch (error) {
    if (!(error instanceof Error && isTransient(error))) throw error;
    refuseUnavailable(ctx);
  }
}

/**
 * Sets headers on every response and limits introspection to confidential clients
 * (specification/authentication.md#oauth2).
 */
async function harden(ctx: KoaContextWithOIDC, next: Next): Promise<void> {
  // The empty script-src lets the library add the hash of its one script, for response_mode=form_post.
  ctx.set(
    'Content-Security-Policy',
    "default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'",
  );
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('X-Frame-Options', 'DENY');
  ctx.set('Referrer-Policy', 'no-referrer');
  await next();
  if (ctx.path !== '/introspect') return;
  // The library allows every origin; introspection is for servers (platform/web/http/cors.ts).
  for (const name of ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers']) ctx.remove(name);
  if (ctx.oidc?.client?.clientAuthMethod === 'none') {
    ctx.status = 401;
    ctx.body = {
      error: 'invalid_client',
      error_description: 'introspection is for confidential clients only',
    } satisfies OAuthErrorBody;
  }
}

/**
 * A granted token request counts toward one limit, a refused one toward another
 * (specification/rate-limits.md#what-is-counted).
 */
function countTokenRequests(limits: RateLimits) {
  return async (ctx: KoaContextWithOIDC, next: Next): Promise<void> => {
    let outcome: 'granted' | 'refused' | 'other' = 'other';
    try {
      await next();
      if (ctx.status < 400) outcome = 'granted';
      else if (ctx.status < 500 && ctx.status !== 429) outcome = 'refused';
    } finally {
      if (ctx.path === '/token') limits.settleTokenRequest(ctx.res, outcome);
    }
  };
}

/**
 * A wrong secret or token counts as a failed attempt of the client's address; too many of them are 429
 * (specification/rate-limits.md#what-is-counted).
 */
function countRefusals(failures: BruteForceThrottle) {
  return async (ctx: KoaContextWithOIDC, next: Next): Promise<void> => {
    await next();
    const isToken = ctx.path === '/userinfo';
    if (ctx.status !== 401 || (isToken && ctx.headers.authorization === undefined)) return;
    const address = clientAddress(ctx.req as AddressedRequest);
    const standing = await failures.count(isToken ? 'token' : 'client', address);
    if (!standing || standing.retryAfterSeconds === null) return;
    ctx.remove('WWW-Authenticate');
    refuse(ctx, refusalOf([standing]));
  };
}

/** Adds what clients expect and the library's successful responses lack. */
function complete(findUserId: ResponseParts['findUserId']) {
  return async (ctx: KoaContextWithOIDC, next: Next): Promise<void> => {
    await next();
    if (ctx.status !== 200) return;
    // RFC 7009 does not specify a body, and many clients parse it as JSON.
    if (ctx.path === '/revoke') ctx.body = {};
    if (ctx.path !== '/introspect') return;
    const body = ctx.body as { active?: boolean; sub?: string; client_id?: string };
    if (body.active && body.sub === undefined && body.client_id !== undefined)
      body.sub = (await findUserId(body.client_id)) ?? undefined;
  };
}
