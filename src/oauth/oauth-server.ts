import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Provider } from 'oidc-provider';
import { answerOptions } from '../common/cors.js';
import type { RouteName } from '../common/near-route.js';
import { RateLimits } from '../common/rate-limits.service.js';
import { CONFIG, type Config } from '../config.js';
import { Interactions } from './interactions.js';
import {
  addressedTo,
  clientIdOf,
  OAuthRequestError,
  readForm,
  withAuthorizationDefaults,
  withTokenDefaults,
} from './oauth-request.js';
import { issuerUrl, OAUTH_ROUTES } from './oidc-provider.js';

type Next = (error?: unknown) => void;

const RESUME = /^\/authorize\/[\w-]+$/;
const INTERACTION = /^\/interaction\/([\w-]+)$/;

/** Everything below `/api/oauth`. */
@Injectable()
export class OAuthServer {
  private readonly issuer: URL;
  private readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>;

  constructor(
    @Inject(CONFIG) config: Config,
    provider: Provider,
    private readonly interactions: Interactions,
    private readonly limits: RateLimits,
  ) {
    this.issuer = issuerUrl(config);
    this.serve = provider.callback();
  }

  /** @param request its URL is below the issuer, e.g. `/token`. Unknown paths go on to `next`. Never throws. */
  async handle(request: IncomingMessage, response: ServerResponse, next: Next): Promise<void> {
    try {
      await this.route(request, response, next);
    } catch (error) {
      if (error instanceof OAuthRequestError) refuse(response, 400, error.error, error.description);
      else next(error);
    }
  }

  private async route(request: IncomingMessage, response: ServerResponse, next: Next): Promise<void> {
    const { path, query } = splitTarget(request);
    const [, uid] = INTERACTION.exec(path) ?? [];
    const methods = uid ? ['GET', 'HEAD', 'POST'] : allowedMethods(path);
    if (!methods) return next();
    if (!methods.includes(request.method ?? '')) {
      response.setHeader('Allow', methods.join(', '));
      return refuse(response, 405, 'invalid_request', `use ${methods.join(' or ')}`);
    }
    if (uid) return this.interactions.handle(request, response, uid);
    if (request.method === 'OPTIONS') return answerOptions(request, response, methods);
    const parameters = path === '/authorize' ? withAuthorizationDefaults(query) : query;
    const target = parameters.size > 0 ? `${path}?${parameters.toString()}` : path;
    const form = request.method === 'POST' ? await readTokenForm(request, path) : null;
    if (path === '/token' && request.method === 'POST')
      this.limits.takeClient(request, response, clientIdOf(request.headers.authorization, form));
    return this.serve(addressedTo(this.issuer, request, target, form), response);
  }
}

/** Also of the absolute form that proxies may send (RFC 9112 section 3.2.2); Express leaves its beginning in place. */
function splitTarget({ url = '/' }: IncomingMessage): { path: string; query: URLSearchParams } {
  const target = url.replace(/^https?:\/\/[^/?]*/i, '');
  const [path = '/'] = target.split('?', 1);
  return { path, query: new URLSearchParams(target.slice(path.length)) };
}

async function readTokenForm(request: IncomingMessage, path: string): Promise<URLSearchParams | null> {
  const form = await readForm(request);
  if (!form && request.headers['content-type'])
    throw new OAuthRequestError('send application/x-www-form-urlencoded or application/json');
  return form && path === '/token' ? withTokenDefaults(form) : form;
}

function allowedMethods(path: string): readonly string[] | null {
  if (Object.hasOwn(OAUTH_ROUTES, path)) return OAUTH_ROUTES[path] ?? null;
  return RESUME.test(path) ? ['GET', 'HEAD'] : null;
}

/** RFC 6749 section 5.2. */
function refuse(response: ServerResponse, status: number, error: string, description: string): void {
  const body = JSON.stringify({ error, error_description: description });
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
}

/**
 * Puts the authorization server in front of the body parsers, which must not touch its requests.
 * @returns the routes that it serves
 */
export function mountOAuth(app: NestExpressApplication): RouteName[] {
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
  return Object.entries(OAUTH_ROUTES).flatMap(([path, [method = 'GET']]) => ({
    method,
    template: `/api/oauth${path}`,
  }));
}
