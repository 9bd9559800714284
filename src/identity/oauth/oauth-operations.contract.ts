import { header, htmlResponse, LIMITED } from '../../platform/web/contract/headers.js';
import { exampleOf, titleOf } from '../../platform/web/contract/contract.js';
import {
  only,
  ref,
  type Schema,
  type Schemas,
  text,
  wholeNumber,
} from '../../platform/web/contract/json-schema.js';
import type { Operation, Parameter, Paths } from '../../platform/web/contract/openapi-types.js';
import {
  EXAMPLE_ACCESS_TOKEN,
  JwkContract,
  JwksContract,
  OAuthErrorContract,
  OAuthIntrospectionContract,
  OAuthMetadataContract,
  OAuthTokensContract,
  OAuthUnavailableContract,
  OAuthUserInfoContract,
} from './oauth.contract.js';
import { BAD_CLIENT, error, FAILED, json, jsonOf, OAUTH_TAG as TAG, PAGE_FAILED } from './oauth-responses.js';
import { REDIRECT, signInPaths } from './sign-in-operations.contract.js';

/*
 * The operations of the authorization server. oidc-provider serves them without controllers, so that they are data in
 * the form of OpenAPI, not decorators.
 */

/** The schemas that {@link oauthPaths} refers to. */
export const oauthContracts = [
  JwkContract,
  JwksContract,
  OAuthErrorContract,
  OAuthIntrospectionContract,
  OAuthMetadataContract,
  OAuthTokensContract,
  OAuthUnavailableContract,
  OAuthUserInfoContract,
];

/** HTTP basic authentication, or credentials in the body, or only the id of a public client. */
const CLIENT: Operation['security'] = [{ oauthClient: [] }, {}];

const credentials: Schemas = {
  client_id: text('The client, unless it authenticates by header.'),
  client_secret: text('Its secret, unless it authenticates by header or has none.'),
};

/**
 * A form. The same as JSON is read as well, but not documented: of two kinds of one body some generators make a client
 * that cannot be loaded (decision 0838).
 */
function body(properties: Schemas, required: readonly string[], example: unknown): Operation['requestBody'] {
  const schema: Schema = { type: 'object', properties: { ...properties, ...credentials }, required };
  return { required: true, content: { 'application/x-www-form-urlencoded': { schema, example } } };
}

function query(name: string, description: string, more: Partial<Parameter> = {}): Parameter {
  return { name, in: 'query', description, schema: { type: 'string' }, ...more };
}

function metadata(id: string, summary: string, description: string): Operation {
  return {
    operationId: id,
    tags: [TAG],
    summary,
    description,
    security: [],
    responses: {
      200: jsonOf(OAuthMetadataContract, 'The features of the server.'),
      400: error('The request is malformed.', 'invalid_request'),
      ...FAILED,
    },
  };
}

function userInfo(id: string, summary: string): Operation {
  const refusal = (
    description: string,
    code: string,
    challenge: Parameters<typeof header>[0] = 'WWWAuthenticate',
  ) => {
    const response = error(description, code);
    return { ...response, headers: { ...response.headers, 'WWW-Authenticate': header(challenge) } };
  };
  return {
    operationId: id,
    tags: [TAG],
    summary,
    description:
      'With the access token of a sign-in that asked for the scope `openid`; `email` and `profile` add claims.',
    security: [{ oauth2: ['openid'] }],
    responses: {
      200: jsonOf(OAuthUserInfoContract, 'Who signed in.'),
      400: refusal('The request is malformed.', 'invalid_request', 'WWWAuthenticateSometimes'),
      401: refusal('The token is missing, unknown, expired or revoked.', 'invalid_token'),
      403: refusal('The token lacks the scope `openid`.', 'insufficient_scope'),
      ...FAILED,
    },
  };
}

export const oauthPaths: Paths = {
  '/api/oauth/authorize': {
    get: {
      operationId: 'authorize',
      tags: [TAG],
      summary: 'Begin a sign-in (RFC 6749, section 4.1)',
      description: 'Send the browser there. PKCE with S256 is required (RFC 7636).',
      security: [],
      parameters: [
        query('response_type', 'Always `code`.', {
          required: true,
          schema: only('code'),
        }),
        query('client_id', 'The client.', { required: true, example: 'dashboard' }),
        query('redirect_uri', 'One of those registered for the client.', {
          required: true,
          schema: { type: 'string', format: 'uri' },
          example: 'https://app.example/callback',
        }),
        query('code_challenge', 'BASE64URL(SHA256(code_verifier)).', {
          required: true,
          schema: { type: 'string', minLength: 43, maxLength: 43 },
          example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        }),
        query('code_challenge_method', 'Always `S256`.', {
          required: true,
          schema: only('S256'),
        }),
        query('state', 'Returned unchanged; protects against forged responses.', { example: 'af0ifjsldkj' }),
        query(
          'scope',
          'Separated by spaces; `*`, unless set. `*`: the API, except for `wallets:write`. `openid`, `email`, `profile`: ' +
            'who signed in.',
          { example: '* openid email' },
        ),
        query('nonce', 'Returned in the `id_token`.'),
        query(
          'max_age',
          'Seconds since the sign-in; an older session signs in again. Only together with the scope `openid`.',
          { schema: wholeNumber(0), example: 300 },
        ),
        query(
          'acr_values',
          '`mfa`: with the second factor, if the user has one. Only together with the scope `openid`.',
          { example: 'mfa' },
        ),
        query('prompt', '`login`, `consent` or `none` (OpenID Connect).'),
        query('login_hint', 'The email address to sign in with.'),
        query('response_mode', '`query` or `form_post`.', {
          schema: { type: 'string', enum: ['query', 'form_post'] },
        }),
      ],
      responses: {
        200: htmlResponse('A form that sends the response to the client, with `response_mode=form_post`.'),
        303: REDIRECT,
        400: {
          description: 'Unknown client or redirect address, so that there is no address to return to.',
          headers: LIMITED,
          content: {
            'text/html': { schema: { type: 'string' } },
            'application/json': { schema: ref(titleOf(OAuthErrorContract)) },
          },
        },
        ...PAGE_FAILED,
      },
    },
  },
  ...signInPaths,
  '/api/oauth/token': {
    post: {
      operationId: 'createToken',
      tags: [TAG],
      summary: 'Get tokens (RFC 6749, section 3.2)',
      description: 'With a code, with a refresh token, or with the credentials of a server.',
      security: CLIENT,
      requestBody: body(
        {
          grant_type: text('The kind of credential.', {
            enum: ['authorization_code', 'refresh_token', 'client_credentials'],
          }),
          code: text('With `authorization_code`: the code.'),
          redirect_uri: text('With `authorization_code`: the address of the authorization request.', {
            format: 'uri',
          }),
          code_verifier: text('With `authorization_code`: the string that the challenge was computed from.', {
            minLength: 43,
            maxLength: 128,
          }),
          refresh_token: text('With `refresh_token`: the token, which works once.'),
          scope: text('Fewer scopes than granted, separated by spaces.'),
        },
        ['grant_type'],
        {
          grant_type: 'client_credentials',
          client_id: 'shop-server',
          client_secret: '3q2-7wAAAAD_example_secret',
        },
      ),
      responses: {
        200: jsonOf(OAuthTokensContract, 'The tokens.'),
        400: error('The code, token or credentials are invalid.', 'invalid_grant'),
        401: BAD_CLIENT,
        ...FAILED,
      },
    },
  },
  '/api/oauth/revoke': {
    post: {
      operationId: 'revokeToken',
      tags: [TAG],
      summary: 'Revoke a token (RFC 7009)',
      description: 'The response for an unknown token is the same.',
      security: CLIENT,
      requestBody: body(
        { token: text('The token.'), token_type_hint: text('`access_token` or `refresh_token`.') },
        ['token'],
        { token: EXAMPLE_ACCESS_TOKEN, client_id: 'dashboard' },
      ),
      responses: {
        200: json('The token is invalid now.', { type: 'object', properties: {} }, {}),
        400: error('The request is malformed.', 'invalid_request'),
        401: BAD_CLIENT,
        ...FAILED,
      },
    },
  },
  '/api/oauth/introspect': {
    post: {
      operationId: 'introspectToken',
      tags: [TAG],
      summary: 'Ask about a token (RFC 7662)',
      description: 'For clients that have a secret, about their own tokens.',
      security: CLIENT,
      requestBody: body(
        { token: text('The token.'), token_type_hint: text('`access_token` or `refresh_token`.') },
        ['token'],
        {
          token: EXAMPLE_ACCESS_TOKEN,
          client_id: 'shop-server',
          client_secret: '3q2-7wAAAAD_example_secret',
        },
      ),
      responses: {
        200: jsonOf(OAuthIntrospectionContract, 'The state of the token.'),
        400: error('The request is malformed.', 'invalid_request'),
        401: BAD_CLIENT,
        ...FAILED,
      },
    },
  },
  '/api/oauth/userinfo': {
    get: userInfo('getUserInfo', 'Who signed in (OpenID Connect)'),
    post: userInfo('postUserInfo', 'Who signed in, by POST'),
  },
  '/api/oauth/jwks': {
    get: {
      operationId: 'getSigningKeys',
      tags: [TAG],
      summary: 'Public keys (RFC 7517)',
      description: 'The keys that `id_token`s are signed with.',
      security: [],
      responses: {
        200: {
          description: 'The keys.',
          headers: LIMITED,
          content: {
            'application/jwk-set+json': {
              schema: ref(titleOf(JwksContract)),
              example: exampleOf(JwksContract, 'response'),
            },
          },
        },
        400: error('The request is malformed.', 'invalid_request'),
        ...FAILED,
      },
    },
  },
  '/api/oauth/.well-known/openid-configuration': {
    get: metadata(
      'getOpenIdConfiguration',
      'Discovery (OpenID Connect)',
      'At the place that OpenID Connect Discovery names, below the issuer.',
    ),
  },
  '/api/oauth/.well-known/oauth-authorization-server': {
    get: metadata(
      'getOAuthMetadata',
      'Discovery (RFC 8414)',
      'The same document, for clients that append the well-known path to the issuer.',
    ),
  },
  '/.well-known/oauth-authorization-server/api/oauth': {
    get: metadata(
      'getOAuthMetadataOfIssuer',
      'Discovery where RFC 8414 looks for it',
      'The same document, where RFC 8414 puts it: the well-known path, then that of the issuer.',
    ),
  },
};
