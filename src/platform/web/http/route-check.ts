import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { handleOptions, isPreflight } from './cors.js';
import { errorOfStatus } from '../errors/error.filter.js';
import { GatewayError, NotFoundError, ValidationError } from '../../kernel/errors/errors.pure.js';
import { isCleanText } from '../contract/text-forms.pure.js';
import { WORKBOOK_TYPE } from '../contract/operation.js';

/** Bytes; checkout links, the longest URLs of this gateway, stay below 300. */
const MAX_URL_BYTES = 8 * 1024;
/** The most forms of paths that are remembered. */
const MAX_FORMS = 2_000;
const UUID_FORM = '00000000-0000-0000-0000-000000000000';
const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const WHERE_ROUTES_ARE = 'GET /api/openapi.json lists every route, and /api/docs shows them to people.';
const ALL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** How Express stores its routes; test/http-edge.e2e-spec.ts fails if that changes. */
interface Layer {
  match(path: string): unknown;
  route?: { path: string; methods: Record<string, boolean> };
}

/** Of two templates that fit one path the more literal one is greater: it has the first word where the other has `:id`. */
export function literalness(template: string): string {
  return template.replace(/[^/]+/g, (segment) => (segment.startsWith(':') ? '0' : '1'));
}

/**
 * The methods that the routes of this path accept, e.g. GET, HEAD and PUT; none for an unknown path. Where several
 * templates fit, the most literal one counts (OpenAPI 3.1, "Path Templating Matching"): `checkout` is no payment's id.
 */
function allowedMethods(layers: readonly Layer[], path: string): Set<string> {
  const routes = layers.flatMap((layer) => (layer.route && layer.match(path) ? [layer.route] : []));
  const [best] = routes
    .map((route) => literalness(route.path))
    .sort()
    .reverse();
  const methods = new Set<string>();
  for (const route of routes)
    if (literalness(route.path) === best)
      for (const method of Object.keys(route.methods)) methods.add(method.toUpperCase());
  // Express handles HEAD with GET's handler.
  return methods.has('GET') ? methods.add('HEAD') : methods;
}

/**
 * {@link allowedMethods}, remembered: every route has to be compared. No route has an id in its own name, so paths that
 * differ in ids alone have the same routes.
 */
function rememberedMethods(layers: readonly Layer[]): (path: string) => Set<string> {
  const known = new Map<string, Set<string>>();
  return (path) => {
    const form = path.replace(UUIDS, UUID_FORM);
    let methods = known.get(form);
    if (!methods) {
      methods = allowedMethods(layers, path);
      if (known.size >= MAX_FORMS) known.clear();
      if (methods.size > 0) known.set(form, methods);
    }
    return methods;
  };
}

/** 414, and 404 for a path that is not text: ill-formed percent-encoding, NUL. */
export function checkUrl(request: Request, _response: Response, next: NextFunction): void {
  if (Buffer.byteLength(request.url) > MAX_URL_BYTES) throw errorOfStatus(414);
  if (!isTextPath(request.path)) throw new NotFoundError();
  next();
}

function isTextPath(path: string): boolean {
  try {
    return isCleanText(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/**
 * Returns 404 and 405 before a body is read or a token is checked, and handles OPTIONS. Whatever serves requests
 * outside of Nest's routes has to be mounted before this.
 */
export function checkRoute(app: NestExpressApplication) {
  const { router } = app.getHttpAdapter().getInstance() as unknown as { router: { stack: Layer[] } };
  const methodsOf = rememberedMethods(router.stack);
  return (request: Request, response: Response, next: NextFunction): void => {
    const methods = methodsOf(request.path);
    // A refused preflight would hide the response from the script; after this one it can read the 404.
    if (methods.size === 0 && isPreflight(request)) return handleOptions(request, response, ALL_METHODS);
    if (methods.size === 0) throw new NotFoundError('not_found', 'Not found', WHERE_ROUTES_ARE);
    if (methods.has(request.method)) return next();
    const allowed = [...methods, 'OPTIONS'];
    if (request.method !== 'OPTIONS')
      throw new GatewayError('method_not_allowed', 'Method not allowed', {
        headers: { Allow: allowed.join(', ') },
        hint: `This address takes ${[...methods].filter((method) => method !== 'HEAD').join(', ')} only.`,
      });
    handleOptions(request, response, allowed);
  };
}

/** Server-sent events, whose clients accept nothing else; a refusal is JSON nevertheless. */
const STREAM = /^\/api\/(changes|[a-z-]+\/stream)\/?$/i;

/** Files, which a client may ask for by their media type. */
const EXPORT = /^\/api\/([a-z-]+\/export|reports\/month)\/?$/i;

/** 406 for a client that does not accept JSON; pages outside of /api/ decide themselves. */
export function checkAccept(request: Request, _response: Response, next: NextFunction): void {
  const types = [
    'application/json',
    ...(STREAM.test(request.path) ? ['text/event-stream'] : []),
    ...(EXPORT.test(request.path) ? ['text/csv', 'application/jsonl', WORKBOOK_TYPE] : []),
  ];
  if (request.path.startsWith('/api/') && !request.accepts(types)) throw errorOfStatus(406);
  next();
}

/** 422 for query text that Postgres cannot store. Ill-formed percent-encoding reads as U+FFFD. */
export function checkQuery(request: Request, _response: Response, next: NextFunction): void {
  // The simple query parser returns only strings and lists of strings.
  const query = request.query as Record<string, string | string[]>;
  for (const [name, value] of Object.entries(query)) {
    const text = [name, value].flat().join('');
    if (isCleanText(text) && !text.includes('\uFFFD')) continue;
    const field = isCleanText(name) ? name : 'query';
    throw ValidationError.of(field, `The ${field} field must not contain invalid characters.`);
  }
  next();
}
