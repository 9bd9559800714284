import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Provider } from 'oidc-provider';
import { cookieValue } from '../../platform/web/http/cookies.pure.js';
import { handleOptions } from '../../platform/web/http/cors.js';
import { toGatewayError } from '../../platform/web/errors/error.filter.js';
import { RateLimits } from '../../platform/web/rate-limiting/rate-limits.service.js';
import { bearerToken } from '../../platform/web/rate-limiting/rate-limit-category.pure.js';
import { REQUEST_ID_HEADER } from '../../platform/kernel/request-context.js';
import { AccessLinkPage } from './access-link-page.js';
import { BrowserBinding } from './browser-binding.service.js';
import { DASHBOARD_CLIENT_ID } from './dashboard-client.pure.js';
import { DashboardClient } from './dashboard-client.service.js';
import { Interactions, send } from './interactions.js';
import { OAuthClientsService } from './oauth-clients.service.js';
import {
  addressedTo,
  clientIdOf,
  oauthErrorOf,
  type OAuthErrorBody,
  OAuthRequestError,
  readForm,
  withAuthorizationDefaults,
  withTokenDefaults,
} from './oauth-request.js';
import { ACCESS_LINK, FORGOTTEN_PASSWORD, OAUTH_ROUTES, SIGN_OUT } from './oidc-provider.js';
import { oversizedParameter } from './parameter-sizes.pure.js';
import { languageOf } from './sign-in-language.js';
import { badRequestPage, failurePage } from './sign-in-pages.pure.js';
import { SignOut } from './sign-out.js';

type Next = (error?: unknown) => void;

/** 429 and 503: temporary errors, which have their own form here. */
const TEMPORARY = new Set([429, 503]);
const RESUME = /^\/authorize\/([\w-]+)$/;
const INTERACTION = /^\/interaction\/([\w-]+)$/;

/** Everything below `/api/oauth`. */
@Injectable()
export class OAuthServer {
  private readonly logger = new Logger('OAuth');
  private readonly issuer: URL;
  private readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>;

  constructor(
    private readonly provider: Provider,
    private readonly interactions: Interactions,
    private readonly signOut: SignOut,
    private readonly accessLink: AccessLinkPage,
    private readonly binding: BrowserBinding,
    private readonly limits: RateLimits,
    private readonly clients: OAuthClientsService,
    private readonly dashboard: DashboardClient,
  ) {
    this.issuer = new URL(provider.issuer);
    this.serve = provider.callback();
    provider.on('interaction.started', ({ req, res, oidc }) => {
      const uid = oidc.entities.Interaction?.uid;
      if (uid !== undefined) binding.begin(req, res, uid);
    });
  }

  /** @param request its URL is below the issuer, e.g. `/token`. Unknown paths are passed to `next`. Never throws. */
  async handle(request: IncomingMessage, response: ServerResponse, next: Next): Promise<void> {
    const { path } = splitTarget(request);
    try {
      this.limits.requireAdmission();
      await this.route(request, response, next);
    } catch (error) {
      if (error instanceof OAuthRequestError) {
        this.limits.settleTokenRequest(response, 'refused');
        if (isPage(path) && request.headers.accept?.includes('text/html')) {
          const text = `${error.error}: ${error.description}`;
          return send(response, badRequestPage(languageOf(request), 400, text));
        }
        return refuse(response, 400, { error: error.error, error_description: error.description });
      }
      const { refusal } = toGatewayError(error);
      if (!methodsOf(path) || !TEMPORARY.has(refusal.status)) return next(error);
      if (refusal.status === 503) this.logger.warn({ err: error }, 'unavailable');
      for (const [name, value] of Object.entries(refusal.extra.headers ?? {}))
        response.setHeader(name, value);
      if (isPage(path) && request.headers.accept?.includes('text/html'))
        send(
          response,
          failurePage(
            languageOf(request),
            refusal.status === 429 ? 'too_many' : 'unavailable',
            refusal.extra.headers,
          ),
        );
      else
        refuse(
          response,
          refusal.status,
          oauthErrorOf(refusal, String(response.getHeader(REQUEST_ID_HEADER) ?? '')),
        );
    }
  }

  private async route(request: IncomingMessage, response: ServerResponse, next: Next): Promise<void> {
    const { path, query } = splitTarget(request);
    const methods = methodsOf(path);
    if (!methods || (path === FORGOTTEN_PASSWORD && !this.accessLink.forgotten.isOffered)) return next();
    if (!methods.includes(request.method ?? '')) {
      response.setHeader('Allow', methods.join(', '));
      const description = `use ${methods.join(' or ')}`;
      return refuse(response, 405, { error: 'invalid_request', error_description: description });
    }
    const [, uid] = INTERACTION.exec(path) ?? [];
    const [, ended] = RESUME.exec(path) ?? [];
    const isOthers = (uid && !this.binding.isOf(request, uid)) || (ended && !this.goesOn(request, ended));
    if (isOthers) return send(response, failurePage(languageOf(request), 'expired'));
    if (uid) return this.interactions.handle(request, response, uid);
    if (ended) this.binding.end(response, ended);
    if (path === SIGN_OUT) return this.signOut.handle(request, response);
    if (path === FORGOTTEN_PASSWORD) return this.accessLink.forgotten.handle(request, response);
    if (path === ACCESS_LINK) return this.accessLink.handle(request, response, query.get('token') ?? '');
    if (request.method === 'OPTIONS') return handleOptions(request, response, methods);
    requireSizes(query);
    if (path === '/authorize' && query.get('client_id') === DASHBOARD_CLIENT_ID)
      await this.dashboard.ensure();
    const parameters = path === '/authorize' ? withAuthorizationDefaults(query) : query;
    const target = parameters.size > 0 ? `${path}?${parameters.toString()}` : path;
    const form = request.method === 'POST' ? await this.readForm(request, response, path) : null;
    // As on every other route, a malformed header counts as no token: 401, where the library would return 400
    // (specification/authentication.md#401-and-403).
    if (path === '/userinfo' && bearerToken(request.headers.authorization) === null)
      delete request.headers.authorization;
    return this.serve(addressedTo(this.issuer, request, target, form), response);
  }

  /** Whether this browser may go on after a sign-in page: it began that sign-in, and no other one is meant. */
  private goesOn(request: IncomingMessage, uid: string): boolean {
    const meant = cookieValue(request.headers.cookie, this.provider.cookieName('resume'));
    return meant === uid && this.binding.isOf(request, uid);
  }

  private async readForm(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<URLSearchParams | null> {
    const form = await readForm(request);
    if (!form && request.headers['content-type'])
      throw new OAuthRequestError('send application/x-www-form-urlencoded or application/json');
    if (form) requireSizes(form);
    if (path !== '/token') return form;
    const clientId = clientIdOf(request.headers.authorization, form);
    this.limits.admitTokenRequest(request, response, clientId);
    return form && withTokenDefaults(form, () => this.clients.findDefaultScopes(clientId));
  }
}

/** @throws OAuthRequestError */
function requireSizes(parameters: URLSearchParams): void {
  const problem = oversizedParameter(parameters);
  if (problem !== null) throw new OAuthRequestError(problem);
}

/** Also accepts the absolute form that proxies may send (RFC 9112 section 3.2.2); Express does not strip the origin. */
function splitTarget({ url = '/' }: IncomingMessage): { path: string; query: URLSearchParams } {
  const target = url.replace(/^https?:\/\/[^/?]*/i, '');
  const [path = '/'] = target.split('?', 1);
  return { path, query: new URLSearchParams(target.slice(path.length)) };
}

function methodsOf(path: string): readonly string[] | null {
  if (INTERACTION.test(path)) return ['GET', 'HEAD', 'POST'];
  if (Object.hasOwn(OAUTH_ROUTES, path)) return OAUTH_ROUTES[path] ?? null;
  return RESUME.test(path) ? ['GET', 'HEAD'] : null;
}

/** The pages that users see in their browser. */
function isPage(path: string): boolean {
  const isNamed = ['/authorize', SIGN_OUT, ACCESS_LINK, FORGOTTEN_PASSWORD].includes(path);
  return isNamed || RESUME.test(path) || INTERACTION.test(path);
}

/** RFC 6749 section 5.2. */
function refuse(response: ServerResponse, status: number, refusal: OAuthErrorBody): void {
  const body = JSON.stringify(refusal);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
}

/** Puts the authorization server in front of the body parsers, which must not touch its requests. */
export function mountOAuth(app: NestExpressApplication): void {
  const server = app.get(OAuthServer, { strict: false });
  const handle = (request: IncomingMessage, response: ServerResponse, next: Next) =>
    void server.handle(request, response, next);
  app.use('/api/oauth', handle);
  // RFC 8414 section 3.1 puts the well-known part in front of the issuer's path.
  app.use(
    '/.well-known/oauth-authorization-server/api/oauth',
    (request: IncomingMessage, response: ServerResponse, next: Next) => {
      if (splitTarget(request).path !== '/') return next();
      request.url = '/.well-known/oauth-authorization-server';
      handle(request, response, next);
    },
  );
}
