import { canParseUrl } from '../../platform/web/contract/url.pure.js';

/** A refusal of the authorization server, with the facts that explain it. */
export interface OAuthMistake {
  /** RFC 6749 section 5.2. */
  error: string;
  /** The library's text for people; the same for several causes of some errors. */
  description: string;
  /** The cause, which the library does not send. */
  detail?: string | undefined;
  /** Where the client sent its secret. */
  secret?: 'header' | 'body' | 'none';
  /** Of the client, once it is identified. */
  grantTypes?: readonly string[] | undefined;
  /** The redirect URI of the request, and the registered ones. */
  redirect?: { sent: string; registered: readonly string[] } | undefined;
}

const BOTH_WAYS =
  'by HTTP Basic authentication (curl -u id:secret) or as client_id and client_secret in the body';

/** Texts by the library's description. */
const BY_DESCRIPTION: Record<string, string> = {
  'unsupported grant_type requested':
    'grant_type must be authorization_code, refresh_token or client_credentials',
  "missing required parameter 'grant_type'":
    'grant_type is missing: authorization_code, refresh_token or client_credentials',
  'client authentication must only be provided using one mechanism':
    'the secret was sent twice: send it by HTTP Basic authentication or in the body, not both',
  'no client authentication mechanism provided': `no client: send id and secret ${BOTH_WAYS}; a client without a secret sends client_id alone`,
  'invalid authorization header value format':
    'the Authorization header must be Basic base64(client_id:client_secret); bearer tokens are for the API',
  'client_id mismatch': 'client_id in the body differs from the one in the Authorization header',
  'requested scope is not allowed':
    'an operator has not granted this scope to the client; create-oauth-client --scope makes one that has it',
  'client is invalid': 'client_id is unknown here, or the client was revoked',
  'access token missing openid scope':
    'the access token lacks the scope openid: ask for it when the sign-in begins',
  'no access token provided': 'send the access token of a sign-in as Authorization: Bearer <token>',
  'invalid token provided':
    'the access token is unknown, expired or revoked, or of a server (client_credentials), for which no user signed in',
};

const SIGN_IN_AGAIN = 'the person has to sign in again';

/** Texts by cause: the library's description is "grant request is invalid" for all of them. */
const BY_DETAIL: Record<string, string> = {
  'authorization code not found':
    'the code is unknown: a code is good for a minute and for one use, and must not be changed on its way',
  'authorization code is expired': 'the code has expired: a code is good for a minute',
  'authorization code already consumed':
    'the code was used before; the tokens that it gave were revoked, and ' + SIGN_IN_AGAIN,
  'authorization code redirect_uri mismatch':
    'redirect_uri is not the one of the authorization request; they are compared letter by letter',
  'code_verifier must be provided':
    'code_verifier is missing: send what code_challenge was made of (PKCE, RFC 7636)',
  'code_verifier does not match code_challenge':
    'code_verifier does not fit: code_challenge must be BASE64URL(SHA256(code_verifier)) without padding',
  'refresh token not found': `the refresh token is unknown, expired or revoked: ${SIGN_IN_AGAIN}`,
  'refresh token is expired': `the refresh token has expired: ${SIGN_IN_AGAIN}`,
  'refresh token already used': `the refresh token was used before, so all tokens of its sign-in were revoked: keep the new one of every response; ${SIGN_IN_AGAIN}`,
  'already used': `it was used twice at the same moment, so all tokens of its sign-in were revoked: ${SIGN_IN_AGAIN}`,
  'client mismatch': 'the code or refresh token was given to another client',
  'grant not found': `the sign-in that this came from has ended: ${SIGN_IN_AGAIN}`,
  'grant is expired': `the sign-in that this came from has ended: ${SIGN_IN_AGAIN}`,
};

/** The cause and the remedy, for `error_description`: ASCII without quotes (RFC 6749 section 5.2). */
export function describeMistake(mistake: OAuthMistake): string {
  const { error, description, detail, secret, grantTypes, redirect } = mistake;
  if (error === 'invalid_client' && secret !== undefined) return describeClient(secret);
  if (error === 'invalid_redirect_uri' && redirect) return describeRedirect(redirect);
  if (description === 'requested grant type is not allowed for this client' && grantTypes)
    return `this client may use ${grantTypes.join(' and ')} only; create-oauth-client makes one for other grants`;
  return (
    (error === 'invalid_grant' && detail !== undefined && BY_DETAIL[detail]) ||
    BY_DESCRIPTION[description] ||
    description
  );
}

/** The same for existing and unknown clients, so that client ids cannot be enumerated. */
function describeClient(secret: 'header' | 'body' | 'none'): string {
  if (secret === 'none')
    return `client_id is unknown, or its secret is missing: send id and secret ${BOTH_WAYS}`;
  const encoding =
    secret === 'header' ? '; in the header, both are form-encoded first (RFC 6749 section 2.3.1)' : '';
  return `client_id is unknown, or the secret is wrong, or the client has none and must not send one${encoding}`;
}

const PARTS = {
  scheme: ({ protocol }: URL) => protocol,
  'user name': ({ username, password }: URL) => `${username}:${password}`,
  host: ({ hostname }: URL) => hostname,
  port: ({ port }: URL) => port,
  path: ({ pathname }: URL) => pathname,
  query: ({ search }: URL) => search,
  fragment: ({ hash }: URL) => hash,
};

/** Says which parts differ, but not the registered address: anyone can make this request. */
function describeRedirect({ sent, registered }: { sent: string; registered: readonly string[] }): string {
  const beginning = 'redirect_uri is none of those registered for this client';
  if (registered.length === 0) return `${beginning}: it has none, so users cannot sign in with it`;
  if (!canParseUrl(sent)) return `${beginning}: it is not an absolute address`;
  const [nearest = []] = registered
    .filter((one) => canParseUrl(one))
    .map((one) => differences(new URL(sent), new URL(one)))
    .sort((a, b) => a.length - b.length);
  const parts = nearest.length === 0 ? ['spelling'] : nearest;
  return `${beginning}: it differs in its ${parts.join(', ')} from the nearest one; they are compared letter by letter`;
}

function differences(sent: URL, registered: URL): string[] {
  const parts = Object.entries(PARTS).filter(([, read]) => read(sent) !== read(registered));
  return parts.map(([name, read]) => name + nuance(read(sent), read(registered)));
}

function nuance(sent: string, registered: string): string {
  if (sent.toLowerCase() === registered.toLowerCase()) return ' (capital letters)';
  if (sent === `${registered}/`) return ' (a slash too many at its end)';
  if (`${sent}/` === registered) return ' (a slash missing at its end)';
  return '';
}
