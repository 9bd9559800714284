import type { AccessRule } from '../platform/web/security/auth.js';
import { type OAuthScope, WALLETS_WRITE } from '../platform/kernel/oauth-scopes.pure.js';
import { bearerToken } from '../platform/web/rate-limiting/rate-limit-category.pure.js';
import {
  CLIENT_TOKEN_LENGTH,
  CLIENT_TOKEN_PREFIX,
  isClientToken,
  SHOWN_LENGTH,
} from './client-token.pure.js';

/*
 * Why a request without a valid token is refused, by its form alone: nothing here depends on stored data, so it
 * may be shown to anyone. Sentences are ASCII without quotes, for `error_description` (RFC 6750,
 * section 3).
 */

/** `error` is null where no token was presented at all: RFC 6750, section 3.1 then wants the bare challenge. */
export interface TokenRefusal {
  error: 'invalid_token' | 'invalid_request' | null;
  description: string;
}

/** The credentials of a request; header names in lower case. */
export interface PresentedRequest {
  headers: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
}

export const RIGHT_HEADER = 'Authorization: Bearer <token>';

/** Where other services read tokens from. */
const OTHER_HEADERS = [
  'x-api-key',
  'api-key',
  'apikey',
  'x-apikey',
  'x-auth-token',
  'x-access-token',
  'x-api-token',
  'x-client-token',
  'x-token',
  'x-authorization',
  'access-token',
  'auth-token',
  'authentication',
  'token',
];
const QUERY_NAMES = [
  'access_token',
  'accessToken',
  'token',
  'api_key',
  'apiKey',
  'apikey',
  'api_token',
  'key',
];

/** What template engines, shells and languages print for a missing value. */
const NO_VALUE = /^(undefined|null|none|nil|nan|true|false|\[object object\]|n\/a)$/i;
/** `<TOKEN>`, `{{token}}`, `${TOKEN}`, `$TOKEN`, `%TOKEN%`, `YOUR_TOKEN`, `your-token`, `xxxx`. */
const PLACEHOLDER = /^(<.*>|\{.*\}|\$.+|%.+%|your[-_ ]?.*|(x+|\*+|\.{3,}))$/i;
const UUID_FORM = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const CLIENT_ID_FORM = /^[a-z0-9]{32}$/;
const JWT_FORM = /^[\w-]+\.[\w-]+\.[\w-]*$/;
/** 256 bits in base64url: access tokens, and the other opaque values of the authorization server. */
export const OPAQUE_LENGTH = 43;
const OPAQUE_FORM = /^[\w-]{43}$/;
/** RFC 6750, section 2.1: b64token. */
const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

const invalidRequest = (description: string): TokenRefusal => ({ error: 'invalid_request', description });
const invalidToken = (description: string): TokenRefusal => ({ error: 'invalid_token', description });

/** The tokens that a route accepts, in words. */
export function acceptedBy(rule: AccessRule): string {
  return rule.kind === 'oauth' || rule.kind === 'operator'
    ? 'an OAuth2 access token'
    : 'a client token or an OAuth2 access token';
}

/** Explains why a client token is refused by a route for OAuth2 access tokens. @param path as received */
export function oauthRequired(path: string): string {
  const reason = /^\/api\/payment\/$/i.test(path)
    ? 'The path ends where a payment id belongs; without one it is the list of payments, which takes OAuth2 access tokens only.'
    : 'This endpoint takes OAuth2 access tokens only, and no client token, whatever its scopes.';
  return `${reason} Get an access token at POST /api/oauth/token, for a server with grant_type=client_credentials.`;
}

/** How a client gets an OAuth2 access token with the scope. */
export function howToGetScope(scope: OAuthScope): string {
  return scope === WALLETS_WRITE
    ? `No token has it by default, and * does not include it: a program that people sign in to requests it with scope=${scope}, and for a server an operator grants it with create-oauth-client --scope ${scope}.`
    : `Request another token with scope=${scope}, as far as the operator has granted it to the client.`;
}

/** Why no bearer token can be read from the request; null where there is one. */
export function refusalOfRequest(
  { headers, query }: PresentedRequest,
  rule: AccessRule,
): TokenRefusal | null {
  const { authorization } = headers;
  if (typeof authorization === 'string') {
    return bearerToken(authorization) === null ? invalidRequest(wrongScheme(authorization)) : null;
  }
  const otherHeader = OTHER_HEADERS.find((name) => headers[name] !== undefined);
  if (otherHeader !== undefined)
    return invalidRequest(`A token in the header ${otherHeader} is not read; send ${RIGHT_HEADER}.`);
  const parameter = QUERY_NAMES.find((name) => query[name] !== undefined);
  if (parameter !== undefined)
    return invalidRequest(
      `A token in the address (${parameter}) is not read, because addresses end up in logs; send ${RIGHT_HEADER}.`,
    );
  return {
    error: null,
    description: `The request has no Authorization header; send ${RIGHT_HEADER} with ${acceptedBy(rule)}.`,
  };
}

function wrongScheme(authorization: string): string {
  const [scheme = '', ...rest] = authorization.trim().split(/\s+/);
  if (scheme === '') return `The Authorization header is empty; send ${RIGHT_HEADER}.`;
  if (/^bearer$/i.test(scheme)) {
    if (rest.length === 0)
      return 'No token follows the word Bearer; the variable that should hold the token may not be set.';
    if (rest.length === 1) return `Exactly one space must separate Bearer and the token: ${RIGHT_HEADER}.`;
    if (/^bearer$/i.test(rest[0] ?? ''))
      return 'The word Bearer appears twice; the variable may already contain it.';
    return `The token contains white space; send ${RIGHT_HEADER}.`;
  }
  if (/^bearer[:=]/i.test(scheme))
    return `The word Bearer is followed by a space, not by a colon: ${RIGHT_HEADER}.`;
  if (/^basic$/i.test(scheme))
    return `Basic authentication is not accepted here; send ${RIGHT_HEADER}. The id and secret of an OAuth2 client are exchanged for a token at POST /api/oauth/token.`;
  if (rest.length === 0) return `The word Bearer is missing before the token: ${RIGHT_HEADER}.`;
  return /^[a-z-]{1,20}$/i.test(scheme)
    ? `The scheme ${scheme} is not accepted; send ${RIGHT_HEADER}.`
    : `The Authorization header is malformed; send ${RIGHT_HEADER}.`;
}

/** Why this text cannot be a token of this gateway, by its form; null where it could be one. */
export function refusalOfForm(token: string): TokenRefusal | null {
  const description = wrongForm(token);
  return description === null ? null : invalidToken(description);
}

function wrongForm(token: string): string | null {
  if (NO_VALUE.test(token))
    return 'The token is the printed form of a missing value; the variable that should hold it is not set.';
  if (PLACEHOLDER.test(token)) return 'The token is a placeholder; put a real token in its place.';
  if (/^["'`\u2018-\u201f]|["'`\u2018-\u201f]$/.test(token))
    return `The token is in quotation marks; send it without: ${RIGHT_HEADER}.`;
  if (!B64TOKEN.test(token))
    return 'The token contains characters that no token has, such as an escaped line feed or percent-encoding; send it exactly as it was shown.';
  if (token.startsWith(CLIENT_TOKEN_PREFIX) && token.length !== OPAQUE_LENGTH) return wrongClientToken(token);
  if (token.startsWith('whsec_'))
    return 'This is a webhook secret, which verifies webhooks; requests need a client token or an OAuth2 access token.';
  if (UUID_FORM.test(token))
    return 'This is an id, not a token; a token is shown once, when it is created. If it is lost, create another one.';
  if (CLIENT_ID_FORM.test(token))
    return 'This looks like a clientId, which names an application and opens nothing; requests need a client token or an OAuth2 access token.';
  if (OPAQUE_FORM.test(token) || JWT_FORM.test(token)) return null;
  return `This does not have the form of a token: client tokens have ${CLIENT_TOKEN_LENGTH} characters and begin with ${CLIENT_TOKEN_PREFIX}, OAuth2 access tokens have ${OPAQUE_LENGTH}. The secret of an OAuth2 client is exchanged for a token at POST /api/oauth/token.`;
}

function wrongClientToken(token: string): string | null {
  if (isClientToken(token)) return null;
  const { length } = token;
  if (length === SHOWN_LENGTH)
    return 'This is only the beginning of a client token, which lists show; the whole token was shown once, when it was created. If it is lost, create another one.';
  if (length < CLIENT_TOKEN_LENGTH)
    return `The client token was cut off: it has ${length} of ${CLIENT_TOKEN_LENGTH} characters.`;
  if (length > CLIENT_TOKEN_LENGTH)
    return `Something follows the client token: it has ${length} characters in place of ${CLIENT_TOKEN_LENGTH}.`;
  return 'The client token is mistyped: its checksum does not match.';
}
