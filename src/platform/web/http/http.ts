import { randomUUID } from 'node:crypto';
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import type { DestinationStream } from 'pino';
import type { Config } from '../../../config.js';
import { plainAddress } from '../../kernel/client-address.pure.js';
import { compressPages } from './compress-pages.js';
import { type IsSigned, limitConcurrency } from './concurrency-limit.js';
import { limitConnections } from './connection-limits.js';
import { crossOrigin, isPreflight, OPEN_HEADERS } from './cors.js';
import { GracefulShutdown } from './graceful-shutdown.js';
import { chain } from './middleware-chain.js';
import { errorOfStatus, toErrorBody } from '../errors/error.filter.js';
import { BadRequestError, type GatewayError } from '../../kernel/errors/errors.pure.js';
import { stringifyExact } from '../../kernel/exact-json.pure.js';
import { shownToClient } from './links-for-viewers.js';
import { AnsweredRequests } from '../observability/answered-requests.js';
import { accessLog, createPino, GatewayLogger } from '../observability/logger.js';
import { readMailedLinks } from './mailed-links.js';
import { Meters } from '../../kernel/meters.js';
import { leadToPublicName } from './public-name.js';
import { isLogo, MAX_BODY_BYTES, MAX_LOGO_BODY_BYTES, parseBody, requireJson } from './request-body.js';
import { REQUEST_ID_HEADER, requestContext } from '../../kernel/request-context.js';
import { checkAccept, checkQuery, checkRoute, checkUrl } from './route-check.js';

/** Milliseconds. Keep-alive outlasts the 60 s of usual load balancers, so that they close first. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 };
const HSTS_SECONDS = 31_536_000;

/**
 * API responses are data for programs: they must not execute, be framed, be cached or leak a referrer. The headers are
 * the same for all, so helmet is asked for them once, instead of its dozen functions for each request.
 */
function securityHeaders(production: boolean): RequestHandler {
  const setAll = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        // default-src says nothing about it.
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
      },
    },
    strictTransportSecurity: production ? { maxAge: HSTS_SECONDS } : false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  });
  const headers = new Map<string, string>([
    ['Cache-Control', 'no-store'],
    ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=()'],
  ]);
  const record = { setHeader: (name: string, value: string) => headers.set(name, value), removeHeader() {} };
  setAll({} as Request, record as unknown as Response, (error) => {
    if (error instanceof Error) throw error;
  });
  const entries = [...headers];
  return (_request, response, next) => {
    for (const [name, value] of entries) response.setHeader(name, value);
    next();
  };
}

function unreadable(code: string | undefined): GatewayError {
  if (code === 'HPE_HEADER_OVERFLOW') return errorOfStatus(431);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errorOfStatus(408);
  return new BadRequestError('bad_request', 'The request is not valid HTTP.');
}

/**
 * Requests that Node cannot parse never reach a handler, but get an error in the usual form
 * (specification/errors.md#body).
 */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  const { _httpMessage: pending } = socket as Socket & { _httpMessage?: ServerResponse };
  if (error.code === 'ECONNRESET' || !socket.writable || pending?.headersSent) {
    socket.destroy();
    return;
  }
  const refusal = unreadable(error.code);
  const requestId = randomUUID();
  const body = JSON.stringify(toErrorBody(refusal, requestId));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${requestId}`,
    'Connection: close',
    // The path is unknown, so every origin may read the response; it contains nothing about any user.
    ...Object.entries(OPEN_HEADERS).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  // end() alone would wait for a client that never closes its side.
  socket.destroySoon();
}

/**
 * Express's own `json` throws on a bigint; handlers and the error filter use this one
 * (specification/money.md#exact-integers).
 */
function sendJson(this: Response, body: unknown): Response {
  if (!this.getHeader('Content-Type')) this.setHeader('Content-Type', 'application/json; charset=utf-8');
  return this.send(shownToClient(stringifyExact(body)));
}

/**
 * `If-None-Match: *` matches whenever the resource exists (RFC 9110, section 13.1.2), so Express returns 304 for it on
 * every route. Here only responses with an ETag can be "not modified".
 */
function requireETagForNotModified(app: Pick<Express, 'request'>): void {
  const original = Object.getOwnPropertyDescriptor(express.request, 'fresh')?.get;
  Object.defineProperty(app.request, 'fresh', {
    configurable: true,
    get(this: Request): boolean {
      return this.res?.get('ETag') !== undefined && original?.call(this) === true;
    },
  });
}

/**
 * Preflights do not count: browsers send them on their own and without the token, so they would use up the quota of the
 * address. The response comes from the list of routes, which costs no more than a refusal.
 */
function exceptPreflights(limit: RequestHandler): RequestHandler {
  return (request, response, next) => (isPreflight(request) ? next() : limit(request, response, next));
}

/** Express compares an entry of X-Forwarded-For as it was written, so that a port would hide a trusted proxy. */
function trustEntriesInEveryForm(app: Pick<Express, 'get' | 'set'>): void {
  const isTrusted = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  app.set('trust proxy', (entry: string, hop: number) => isTrusted(plainAddress(entry), hop));
}

/**
 * Everything between the socket and a controller: limits, headers, parsing, errors.
 * @param mountBeforeParsers mounts servers that read their own bodies and write their own responses (`/api/oauth`)
 * @param limit refuses a request before anything of it is read or looked up
 * @param isSigned of {@link limitConcurrency}
 * @param logTo standard output, except in tests
 */
export async function configureHttp(
  app: NestExpressApplication,
  config: Config,
  mountBeforeParsers?: (app: NestExpressApplication) => void,
  limit?: RequestHandler,
  isSigned?: IsSigned,
  logTo?: DestinationStream,
): Promise<void> {
  const log = createPino(config.logLevel, logTo);
  app.useLogger(new GatewayLogger(log));
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('trust proxy', config.trustedProxies.length > 0 ? config.trustedProxies : false);
  const instance = app.getHttpAdapter().getInstance() as Express;
  trustEntriesInEveryForm(instance);
  instance.response.json = sendJson;
  requireETagForNotModified(instance);

  app.use(
    chain(
      requestContext,
      app.get(GracefulShutdown).closeConnections,
      accessLog(log, app.get(Meters), app.get(AnsweredRequests)),
      securityHeaders(config.production),
      compressPages(),
      crossOrigin,
      ...(limit ? [exceptPreflights(limit)] : []),
      checkUrl,
      leadToPublicName(config.baseUrl),
      readMailedLinks,
      limitConcurrency(isSigned),
    ),
  );
  mountBeforeParsers?.(app);
  app.use(chain(checkRoute(app), checkAccept, requireJson));
  app.useBodyParser('raw', { type: isLogo, limit: MAX_LOGO_BODY_BYTES, inflate: false });
  app.useBodyParser('raw', { type: () => true, limit: MAX_BODY_BYTES, inflate: false });
  app.use(chain(parseBody, checkQuery));

  const server = app.getHttpServer() as Server;
  Object.assign(server, TIMEOUTS);
  const isTrusted = instance.get('trust proxy fn') as (address: string, hop: number) => boolean;
  limitConnections(
    server,
    { ...config.connections, firstRequestMs: TIMEOUTS.headersTimeout },
    (address) => isTrusted(address, 0),
    app.get(Meters).droppedConnections,
  );
  server.on('clientError', refuseUnreadable);
}
