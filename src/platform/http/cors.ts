import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { plainPath } from '../rate-limiting/rate-limit-category.pure.js';

/** Programs call these; RFC 8414 puts one of them outside of /api. */
const PROGRAMS = /^\/(api|\.well-known\/oauth-authorization-server\/api\/oauth)(\/|$)/;
/** Pages, some of which have cookies; and introspection, which is for servers that can keep a secret. */
const SAME_ORIGIN = /^\/api\/(docs|oauth\/(authorize|interaction|introspect))(\/|$)/;

/** Seconds that a browser may keep the answer to a preflight; Chromium takes no more than this. */
const MAX_AGE = 7_200;

/**
 * What a script may send. A list and not `*`: a browser inside a trusted network must not be able to write
 * X-Forwarded-For for a foreign page. traceparent and tracestate are what tracing libraries add to every request.
 */
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'X-Request-Id',
  'X-Requested-With',
  'traceparent',
  'tracestate',
].join(', ');

/** What a script may read besides the few headers that browsers always show. */
const ANSWER_HEADERS = [
  'X-Request-Id',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'ETag',
  'Idempotency-Replayed',
  'X-Ignored-Fields',
  'WWW-Authenticate',
  'Allow',
  'Deprecation',
  'Sunset',
].join(', ');

/**
 * The same for every origin, so that no `Vary` is needed and no cache can mix origins up. `*` without
 * Access-Control-Allow-Credentials makes browsers refuse every answer to a request that carries cookies.
 */
export const OPEN_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': ANSWER_HEADERS,
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Whether scripts of any origin may call a path (specification/conventions.md#cors). @param path as it came */
export function isOpenToOrigins(path: string): boolean {
  const plain = plainPath(path);
  return PROGRAMS.test(plain) && !SAME_ORIGIN.test(plain);
}

/** Before anything that can refuse a request: a script reads the refusal only if it has these headers, too. */
export function crossOrigin(request: Request, response: Response, next: NextFunction): void {
  if (isOpenToOrigins(request.path)) {
    for (const [name, value] of Object.entries(OPEN_HEADERS)) response.setHeader(name, value);
    // So that no answer which every origin may read can ever depend on who is signed in here.
    delete request.headers.cookie;
  }
  next();
}

/** A browser's question before the request itself (CORS protocol, WHATWG Fetch section 3.3.2). */
export function isPreflight({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}

/** @param methods those of the path, OPTIONS included */
export function answerOptions(
  request: IncomingMessage,
  response: ServerResponse,
  methods: Iterable<string>,
): void {
  const allow = [...methods].join(', ');
  response.setHeader('Allow', allow);
  if (isPreflight(request) && response.hasHeader('Access-Control-Allow-Origin')) {
    response.setHeader('Access-Control-Allow-Methods', allow);
    response.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
    response.setHeader('Access-Control-Max-Age', String(MAX_AGE));
  }
  response.writeHead(204);
  response.end();
}
