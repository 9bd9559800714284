import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { DestinationStream } from 'pino';
import type { Config } from '../../config.js';
import { crossOrigin, isPreflight, OPEN_HEADERS } from './cors.js';
import { GracefulShutdown } from './graceful-shutdown.js';
import { errorOfStatus, toErrorBody } from '../errors/error.filter.js';
import { BadRequestError, type GatewayError } from '../errors/errors.pure.js';
import { stringifyExact } from './exact-json.pure.js';
import { accessLog, createPino, GatewayLogger } from '../observability/logger.js';
import { Meters } from '../observability/meters.pure.js';
import { MAX_BODY_BYTES, parseBody, requireJson } from './request-body.js';
import type { RouteName } from '../errors/near-route.pure.js';
import { REQUEST_ID_HEADER, requestContext } from './request-context.js';
import { checkAccept, checkQuery, checkRoute, checkUrl } from './route-check.js';

/** Milliseconds. Keep-alive outlasts the 60 s of usual load balancers, so that they close first. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 };
const HSTS_SECONDS = 31_536_000;

/** API responses are data for programs: they must not execute, be framed, be cached or leak a referrer. */
function securityHeaders(production: boolean) {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    strictTransportSecurity: production ? { maxAge: HSTS_SECONDS } : false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  });
}

function unreadable(code: string | undefined): GatewayError {
  if (code === 'HPE_HEADER_OVERFLOW') return errorOfStatus(431);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errorOfStatus(408);
  return new BadRequestError('bad_request', 'The request is not valid HTTP.');
}

/** Requests that Node cannot parse never reach a handler, yet get an error of our form (specification/errors.md#body). */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  const { _httpMessage: pending } = socket as Socket & { _httpMessage?: ServerResponse };
  if (error.code === 'ECONNRESET' || !socket.writable || pending?.headersSent) {
    socket.destroy();
    return;
  }
  const answer = unreadable(error.code);
  const requestId = randomUUID();
  const body = JSON.stringify(toErrorBody(answer, requestId));
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${requestId}`,
    'Connection: close',
    // Nobody knows which path it was; the answer says nothing about anybody.
    ...Object.entries(OPEN_HEADERS).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Only ending it would wait for a client that never closes its side.
  socket.destroySoon();
}

/**
 * Express's own `json` throws on a bigint; this one serves handlers and the filter alike
 * (specification/money.md#exact-integers).
 */
function sendJson(this: Response, body: unknown): Response {
  if (!this.getHeader('Content-Type')) this.setHeader('Content-Type', 'application/json; charset=utf-8');
  return this.send(stringifyExact(body));
}

/**
 * `If-None-Match: *` asks whether there is anything at all (RFC 9110, section 13.1.2), and Express says 304 to
 * it on every route. Only answers that carry an ETag are ever "not modified" here.
 */
function answerNotModifiedOnlyWithETag(prototype: Request): void {
  const original = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(prototype) as object, 'fresh')?.get;
  Object.defineProperty(prototype, 'fresh', {
    configurable: true,
    get(this: Request): boolean {
      return this.res?.get('ETag') !== undefined && original?.call(this) === true;
    },
  });
}

/**
 * Preflights are free: browsers make them unasked and without the token, so they would use up the quota of the
 * address. They are answered from the list of routes, which costs no more than a refusal.
 */
function exceptPreflights(limit: RequestHandler): RequestHandler {
  return (request, response, next) => (isPreflight(request) ? next() : limit(request, response, next));
}

/**
 * Everything between the socket and a controller: limits, headers, parsing, errors.
 * @param mountBeforeParsers mounts servers that read their own bodies and answer by themselves (`/api/oauth`), and
 *   names their routes
 * @param limit refuses a request before anything of it is read or looked up
 * @param logTo only tests give another than standard output
 */
export async function configureHttp(
  app: NestExpressApplication,
  config: Config,
  mountBeforeParsers?: (app: NestExpressApplication) => readonly RouteName[],
  limit?: RequestHandler,
  logTo?: DestinationStream,
): Promise<void> {
  const log = createPino(config.logLevel, logTo);
  app.useLogger(new GatewayLogger(log));
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('trust proxy', config.trustedProxies.length > 0 ? config.trustedProxies : false);
  const express = app.getHttpAdapter().getInstance() as { request: Request; response: Response };
  express.response.json = sendJson;
  answerNotModifiedOnlyWithETag(express.request);

  app.use(requestContext, app.get(GracefulShutdown).closeConnections, accessLog(log, app.get(Meters)));
  app.use(securityHeaders(config.production));
  app.use((_request: IncomingMessage, response: ServerResponse, next: () => void) => {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=()');
    next();
  });
  app.use(crossOrigin);
  if (limit) app.use(exceptPreflights(limit));
  app.use(checkUrl);
  const mounted = mountBeforeParsers?.(app) ?? [];
  app.use(checkRoute(app, mounted), checkAccept, requireJson);
  app.useBodyParser('raw', { type: () => true, limit: MAX_BODY_BYTES, inflate: false });
  app.use(parseBody, checkQuery);

  const server = app.getHttpServer() as Server;
  Object.assign(server, TIMEOUTS);
  server.on('clientError', answerUnreadable);
}
