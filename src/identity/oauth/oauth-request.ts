import { IncomingMessage } from 'node:http';
import { type ErrorBody, toErrorBody } from '../../platform/web/errors/error.filter.js';
import type { GatewayError } from '../../platform/kernel/errors/errors.pure.js';
import { findFirst } from '../../platform/kernel/i18n/locale.pure.js';
import { isOAuthScope, OAUTH_SCOPES } from '../../platform/kernel/oauth-scopes.pure.js';
import { isCleanText } from '../../platform/web/contract/text-forms.pure.js';
import { canParseUrl } from '../../platform/web/contract/url.pure.js';

/** Bytes; tokens, codes and secrets need a few hundred. */
const BODY_LIMIT = 32 * 1024;
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** A request that is refused before the authorization server sees it (RFC 6749 section 5.2). */
export class OAuthRequestError extends Error {
  constructor(
    readonly description: string,
    readonly error: 'invalid_request' | 'invalid_scope' = 'invalid_request',
  ) {
    super(description);
  }
}

/** The error in the form that OAuth clients expect (RFC 6749 section 5.2). */
export interface OAuthErrorBody {
  error: string;
  error_description: string;
}

/**
 * A temporary refusal, 429 or 503, in a form that clients of OAuth and of the API understand. RFC 6749 has one name
 * for both (section 4.1.2.1).
 */
export function oauthErrorOf(refusal: GatewayError, requestId: string): OAuthErrorBody & ErrorBody {
  const { status, extra } = refusal;
  const what = status === 429 ? 'too many requests' : 'the gateway is temporarily unavailable';
  const seconds = extra.headers?.['Retry-After'] ?? '5';
  return {
    error: 'temporarily_unavailable',
    error_description: `${what}: try again in ${seconds} s`,
    ...toErrorBody(refusal, requestId),
  };
}

function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_LIMIT) throw new OAuthRequestError('the request body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Converts a JSON object of strings to the form that RFC 6749 specifies; the token endpoint accepts both
 * (specification/authentication.md#oauth2).
 */
export function jsonToForm(text: string): URLSearchParams {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new OAuthRequestError('the request body is not valid JSON');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new OAuthRequestError('the request body must be a JSON object');
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    if (value === null) continue;
    if (typeof value !== 'string') throw new OAuthRequestError(`${name} must be a string`);
    form.append(name, value);
  }
  return form;
}

/** The fields of a posted form or JSON object; null when there is neither. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams | null> {
  const type = mediaType(request);
  if (type === JSON_TYPE) return jsonToForm(await readText(request));
  return type === FORM ? new URLSearchParams(await readText(request)) : null;
}

/**
 * The body for the token endpoint. A server's token that is requested without a scope gets those of its client.
 * @param findScopes the scopes of the client, looked up only where they are needed
 */
export async function withTokenDefaults(
  form: URLSearchParams,
  findScopes: () => Promise<readonly string[]>,
): Promise<URLSearchParams> {
  if (form.get('grant_type') !== 'client_credentials') return form;
  const scopes = form.getAll('scope').flatMap((text) => text.split(' ').filter((scope) => scope !== ''));
  if (scopes.length === 0) form.set('scope', (await findScopes()).join(' '));
  else if (!scopes.every(isOAuthScope))
    throw new OAuthRequestError(`the scopes of a server are ${OAUTH_SCOPES.join(', ')}`, 'invalid_scope');
  return form;
}

/** The client id in the header (RFC 6749 section 2.3.1) or the form, unverified; '' without one. */
export function clientIdOf(authorization: string | undefined, form: URLSearchParams | null): string {
  const [, encoded] = /^Basic +([^ ]+)$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return form?.get('client_id') ?? '';
  const [id = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':', 1);
  return new URLSearchParams(`id=${id.replaceAll('&', '%26')}`).get('id') ?? '';
}

/**
 * Whether a form was sent by a page of the gateway. The cookies are SameSite=Lax, which alone keeps other sites' forms
 * out of current browsers; this keeps them out of the others. Browsers send Origin with every POST, or at least Referer.
 */
export function isSameOrigin({ headers }: IncomingMessage, issuer: string): boolean {
  const from = headers.origin ?? headers.referer;
  return from !== undefined && canParseUrl(from) && new URL(from).origin === new URL(issuer).origin;
}

/** The query of an authorization request; without a scope it requests `*`. `lang` is our short form of `ui_locales`. */
export function withAuthorizationDefaults(query: URLSearchParams): URLSearchParams {
  for (const [name, value] of query)
    if (!isCleanText(name) || !isCleanText(value)) throw new OAuthRequestError('invalid characters');
  if (query.getAll('scope').every((scope) => scope === '')) query.set('scope', '*');
  const language = findFirst([query.get('lang')]);
  if (language !== null) query.set('ui_locales', language);
  return query;
}

/**
 * The request as the authorization server is to see it: sent to the issuer's public address, whatever the Host and
 * X-Forwarded-* headers contain (it derives its addresses and the cookies' Secure flag from them), and not parsed yet.
 * @param target path and query below the issuer, e.g. `/token`
 */
export function addressedTo(
  issuer: URL,
  request: IncomingMessage,
  target: string,
  form: URLSearchParams | null,
): IncomingMessage {
  const body = Buffer.from(form?.toString() ?? '');
  const {
    'transfer-encoding': _chunked,
    'x-forwarded-host': _host,
    // Which origins may read a response is decided in platform/web/http/cors.ts, not per client.
    origin: _origin,
    ...headers
  } = request.headers;
  const addressed = Object.assign(new IncomingMessage(request.socket), {
    ...('ip' in request && { ip: request.ip }),
    method: request.method,
    url: target,
    originalUrl: `${issuer.pathname}${target}`,
    httpVersion: request.httpVersion,
    httpVersionMajor: request.httpVersionMajor,
    httpVersionMinor: request.httpVersionMinor,
    headers: {
      ...headers,
      host: issuer.host,
      'x-forwarded-proto': issuer.protocol.slice(0, -1),
      ...(form && { 'content-type': FORM }),
      // Only the authorization endpoint is for browsers. For any other request that accepts HTML the library would
      // render its errors as a page, where RFC 6749, section 5.2 requires JSON.
      ...(!target.startsWith('/authorize') && { accept: 'application/json' }),
      'content-length': String(body.length),
    },
    complete: true,
  });
  addressed.push(body);
  addressed.push(null);
  return addressed;
}
