import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { plainPath } from '../rate-limiting/rate-limit-category.pure.js';

/** Paths for programs; RFC 8414 puts one of them outside of /api. */
const PROGRAMS = /^\/(api|\.well-known\/oauth-authorization-server\/api\/oauth)(\/|$)/;
/** Pages, some of which use cookies; and introspection, which is for servers that can keep a secret. */
const SAME_ORIGIN = /^\/api\/(docs|oauth\/(access-link|authorize|interaction|introspect|sign-out))(\/|$)/;

/** Seconds that a browser may cache the response to a preflight; Chromium's maximum. */
const MAX_AGE = 7_200;

/**
 * Headers that a script may send. A list instead of `*`, so that a foreign page in a browser of a trusted network
 * cannot send X-Forwarded-For. Tracing libraries add traceparent and tracestate to every request.
 */
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'X-Account',
  'X-Request-Id',
  'X-Requested-With',
  'traceparent',
  'tracestate',
].join(', ');

/** Headers that a script may read in addition to those that browsers always expose. */
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
 * The same for every origin, so that no `Vary` is needed and no cache can confuse origins. With `*` and without
 * Access-Control-Allow-Credentials, browsers refuse every response to a request with cookies.
 */
export const OPEN_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': ANSWER_HEADERS,
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Whether scripts of any origin may call a path (specification/conventions.md#cors). @param path as received */
export function isOpenToOrigins(path: string): boolean {
  const plain = plainPath(path);
  return PROGRAMS.test(plain) && !SAME_ORIGIN.test(plain);
}

/** Runs before anything that can refuse a request: a script can read a refusal only if it has these headers. */
export function crossOrigin(request: Request, response: Response, next: NextFunction): void {
  if (isOpenToOrigins(request.path)) {
    for (const [name, value] of Object.entries(OPEN_HEADERS)) response.setHeader(name, value);
    // Responses that every origin may read must not depend on who is signed in here.
    delete request.headers.cookie;
  }
  next();
}

/** A preflight, which browsers send before the request itself (CORS protocol, WHATWG Fetch section 3.3.2). */
export function isPreflight({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}

/** @param methods those of the path, OPTIONS included */
export function handleOptions(
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
