import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Provider } from 'oidc-provider';
import { CONFIG, type Config } from '../config.js';
import { Interactions } from './interactions.js';
import {
  addressedTo,
  OAuthRequestError,
  readForm,
  withAuthorizationDefaults,
  withTokenDefaults,
} from './oauth-request.js';
import { issuerUrl, OAUTH_ROUTES } from './oidc-provider.js';

type Next = (error?: unknown) => void;

const RESUME = /^\/authorize\/[\w-]+$/;
const INTERACTION = /^\/interaction\/([\w-]+)$/;
const FORM_ENDPOINTS = ['/token', '/revoke', '/introspect'];

/** Everything below `/api/oauth`. */
@Injectable()
export class OAuthServer {
  private readonly issuer: URL;
  private readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>;

  constructor(
    @Inject(CONFIG) config: Config,
    provider: Provider,
    private readonly interactions: Interactions,
  ) {
    this.issuer = issuerUrl(config);
    this.serve = provider.callback();
  }

  /** @param request its URL is below the issuer, e.g. `/token`. Unknown paths go on to `next`. */
  async handle(request: IncomingMessage, response: ServerResponse, next: Next): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://below');
    const [, uid] = INTERACTION.exec(url.pathname) ?? [];
    const methods = uid ? ['GET', 'HEAD', 'POST'] : allowedMethods(url.pathname);
    if (!methods) return next();
    if (!methods.includes(request.method ?? '')) {
      response.setHeader('Allow', methods.join(', '));
      return refuse(response, 405, 'invalid_request', `use ${methods.join(' or ')}`);
    }
    try {
      if (uid) await this.interactions.handle(request, response, uid);
      else await this.forward(request, response, url);
    } catch (error) {
      if (error instanceof OAuthRequestError) refuse(response, 400, error.error, error.description);
      else next(error);
    }
  }

  private async forward(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    let form = null;
    if (request.method === 'POST' && FORM_ENDPOINTS.includes(url.pathname)) {
      form = await readForm(request);
      if (!form && request.headers['content-type'])
        throw new OAuthRequestError('send application/x-www-form-urlencoded or application/json');
      if (form && url.pathname === '/token') withTokenDefaults(form);
    }
    if (url.pathname === '/authorize') withAuthorizationDefaults(url.searchParams);
    await this.serve(addressedTo(this.issuer, request, `${url.pathname}${url.search}`, form), response);
  }
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

/** Puts the authorization server in front of the body parsers, which must not touch its requests. */
export function mountOAuth(app: NestExpressApplication): void {
  const server = app.get(OAuthServer, { strict: false });
  const handle = (request: IncomingMessage, response: ServerResponse, next: Next) => {
    server.handle(request, response, next).catch(next);
  };
  app.use('/api/oauth', handle);
  // RFC 8414 section 3.1 puts the well-known part in front of the issuer's path.
  app.use(
    '/.well-known/oauth-authorization-server/api/oauth',
    (request: IncomingMessage, response: ServerResponse, next: Next) => {
      if (new URL(request.url ?? '/', 'http://below').pathname !== '/') return next();
      request.url = '/.well-known/oauth-authorization-server';
      handle(request, response, next);
    },
  );
}
