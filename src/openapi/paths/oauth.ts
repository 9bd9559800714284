import { header, LIMITED } from '../headers.js';
import type { Operation, Parameter, Paths, Response } from '../openapi-types.js';
import { BAD_CLIENT, error, FAILED, json, PAGE_FAILED } from '../oauth-answers.js';
import { htmlPage } from '../operation.js';
import { ref, type Schema, type Schemas, text } from '../../platform/contract/json-schema.js';
import { EXAMPLE_TOKENS } from '../schemas/service.js';

const TAG = 'OAuth2';
/** Who the client is: HTTP basic authentication, or its credentials in the body, or only its id for a public one. */
const CLIENT: Operation['security'] = [{ oauthClient: [] }, {}];

const credentials: Schemas = {
  client_id: text('The client, unless it authenticates by header.'),
  client_secret: text('Its secret, unless it authenticates by header or has none.'),
};

/** A form and, for the convenience of JSON clients, the same as JSON. */
function body(properties: Schemas, required: readonly string[], example: unknown): Operation['requestBody'] {
  const schema: Schema = { type: 'object', properties: { ...properties, ...credentials }, required };
  return {
    required: true,
    content: {
      'application/x-www-form-urlencoded': { schema, example },
      'application/json': { schema, example },
    },
  };
}

function query(name: string, description: string, more: Partial<Parameter> = {}): Parameter {
  return { name, in: 'query', description, schema: { type: 'string' }, ...more };
}

const UID: Parameter = {
  name: 'uid',
  in: 'path',
  required: true,
  description: 'The sign-in under way.',
  schema: { type: 'string', pattern: '^[\\w-]+$' },
  example: 'Yb3mV6c1Qf0',
};

const REDIRECT: Response = {
  description: 'On to the next page, or back to the client with `code` or `error`.',
  headers: {
    ...LIMITED,
    Location: { description: 'Where to go.', required: true, schema: { type: 'string' } },
  },
  content: { 'text/html': { schema: { type: 'string' } } },
};

function page(id: string, summary: string, description: string, more: Partial<Operation> = {}): Operation {
  return {
    operationId: id,
    tags: [TAG],
    summary,
    description,
    security: [],
    parameters: [UID],
    responses: {
      200: htmlPage('The page.'),
      303: REDIRECT,
      400: {
        description: 'The sign-in has ended, belongs to another browser, or the form is malformed.',
        headers: LIMITED,
        content: {
          'text/html': { schema: { type: 'string' } },
          'application/json': { schema: ref('OAuthError') },
        },
      },
      ...PAGE_FAILED,
      // The pages are ours: what fails in them is answered as everywhere else.
      500: { $ref: '#/components/responses/ServerError' },
    },
    'x-internal': true,
    ...more,
  };
}

function metadata(id: string, summary: string, description: string): Operation {
  const base = 'https://pay.example/api/oauth';
  const example = {
    issuer: base,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    revocation_endpoint: `${base}/revoke`,
    introspection_endpoint: `${base}/introspect`,
    userinfo_endpoint: `${base}/userinfo`,
    jwks_uri: `${base}/jwks`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    scopes_supported: ['*', 'openid', 'email', 'profile', 'offline_access'],
    claims_supported: ['sub', 'email', 'email_verified', 'name'],
  };
  return {
    operationId: id,
    tags: [TAG],
    summary,
    description,
    security: [],
    responses: { 200: json('What the server can do.', ref('OAuthMetadata'), example), ...FAILED },
  };
}

function userInfo(id: string, summary: string): Operation {
  const refusal = (
    description: string,
    code: string,
    challenge: Parameters<typeof header>[0] = 'WWWAuthenticate',
  ) => {
    const answer = error(description, code);
    return { ...answer, headers: { ...answer.headers, 'WWW-Authenticate': header(challenge) } };
  };
  return {
    operationId: id,
    tags: [TAG],
    summary,
    description:
      'With the access token of a sign-in that asked for the scope `openid`; `email` and `profile` add claims.',
    security: [{ oauth2: ['openid'] }],
    responses: {
      200: json('Who signed in.', ref('OAuthUserInfo'), {
        sub: '0190f6a0-0000-7000-8000-000000000000',
        email: 'merchant@example.com',
        email_verified: false,
        name: 'Merchant',
      }),
      400: refusal('The request is malformed.', 'invalid_request', 'WWWAuthenticateSometimes'),
      401: refusal('The token is missing, unknown, expired or revoked.', 'invalid_token'),
      403: refusal('The token lacks the scope `openid`.', 'insufficient_scope'),
      ...FAILED,
    },
  };
}

const interaction = page(
  'showSignInPage',
  'The sign-in and consent pages',
  'Where `authorize` sends the browser. Programs never call it.',
);

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
          schema: { type: 'string', const: 'code' },
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
          schema: { type: 'string', const: 'S256' },
        }),
        query('state', 'Comes back unchanged; guards against forged answers.', { example: 'af0ifjsldkj' }),
        query(
          'scope',
          'Separated by spaces; `*`, unless set. `*`: the API. `openid`, `email`, `profile`: who signed in.',
          { example: '* openid email' },
        ),
        query('nonce', 'Comes back in the `id_token`.'),
        query('prompt', '`login`, `consent` or `none` (OpenID Connect).'),
        query('login_hint', 'The email address to sign in with.'),
        query('response_mode', '`query` or `form_post`.', {
          schema: { type: 'string', enum: ['query', 'form_post'] },
        }),
      ],
      responses: {
        200: htmlPage('A form that brings the answer back to the client, with `response_mode=form_post`.'),
        303: REDIRECT,
        400: {
          description: 'Client or redirect address are not good: nobody to go back to.',
          headers: LIMITED,
          content: {
            'text/html': { schema: { type: 'string' } },
            'application/json': { schema: ref('OAuthError') },
          },
        },
        ...PAGE_FAILED,
      },
    },
  },
  '/api/oauth/authorize/{uid}': {
    get: page(
      'resumeAuthorization',
      'Go on after a sign-in page',
      'Sends the browser to the next page, or back to the client with a code.',
    ),
  },
  '/api/oauth/interaction/{uid}': {
    get: interaction,
    post: page('submitSignInPage', 'Sign in, or agree', 'What the form of the page sends.', {
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              properties: {
                email: text('Who signs in.'),
                password: text('Their password.', { format: 'password' }),
                code: text(
                  'With a second factor: the code of the authenticator app, or a recovery code.',
                  {},
                ),
                decision: text('`restart`: sign in as somebody else, instead of with a second factor.', {
                  enum: ['allow', 'deny', 'restart'],
                }),
              },
            },
            example: { email: 'merchant@example.com', password: 'correct horse battery', decision: 'allow' },
          },
        },
      },
      responses: {
        ...interaction.responses,
        403: htmlPage('The form was sent from another site.'),
        422: htmlPage('Email address, password or code are not correct.'),
        429: {
          description: 'Too many requests, or too many wrong codes.',
          headers: { ...LIMITED, 'Retry-After': header('RetryAfterSometimes') },
          content: PAGE_FAILED[429].content,
        },
        503: {
          ...PAGE_FAILED[503],
          description: 'Too many people are signing in at the moment; or try again later.',
          headers: { ...LIMITED, 'Retry-After': header('RetryAfterSometimes') },
        },
      },
    }),
  },
  '/api/oauth/token': {
    post: {
      operationId: 'createToken',
      tags: [TAG],
      summary: 'Get tokens (RFC 6749, section 3.2)',
      description: 'For a code, for a refresh token, or for the credentials of a server.',
      security: CLIENT,
      requestBody: body(
        {
          grant_type: text('What is given for the tokens.', {
            enum: ['authorization_code', 'refresh_token', 'client_credentials'],
          }),
          code: text('With `authorization_code`: the code.'),
          redirect_uri: text('With `authorization_code`: the address of the authorization request.', {
            format: 'uri',
          }),
          code_verifier: text('With `authorization_code`: what the challenge was made of.', {
            minLength: 43,
            maxLength: 128,
          }),
          refresh_token: text('With `refresh_token`: the token, which ends.'),
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
        200: json('The tokens.', ref('OAuthTokens'), EXAMPLE_TOKENS),
        400: error('What was given is not good.', 'invalid_grant'),
        401: BAD_CLIENT,
        ...FAILED,
      },
    },
  },
  '/api/oauth/revoke': {
    post: {
      operationId: 'revokeToken',
      tags: [TAG],
      summary: 'End a token (RFC 7009)',
      description: 'Unknown tokens answer the same.',
      security: CLIENT,
      requestBody: body(
        { token: text('The token.'), token_type_hint: text('`access_token` or `refresh_token`.') },
        ['token'],
        { token: EXAMPLE_TOKENS.access_token, client_id: 'dashboard' },
      ),
      responses: {
        200: json('The token is good for nothing.', { type: 'object', properties: {} }, {}),
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
          token: EXAMPLE_TOKENS.access_token,
          client_id: 'shop-server',
          client_secret: '3q2-7wAAAAD_example_secret',
        },
      ),
      responses: {
        200: json('What it is worth.', ref('OAuthIntrospection'), {
          active: true,
          client_id: 'shop-server',
          exp: 1768476000,
          iat: 1768472400,
          iss: 'https://pay.example/api/oauth',
          scope: '*',
          sub: '0190f6a0-0000-7000-8000-000000000000',
          token_type: 'Bearer',
        }),
        400: error('The request is malformed.', 'invalid_request'),
        401: BAD_CLIENT,
        ...FAILED,
      },
    },
  },
  '/api/oauth/userinfo': {
    get: userInfo('getUserInfo', 'Who signed in (OpenID Connect)'),
    post: userInfo('postUserInfo', 'Who signed in, asked by POST'),
  },
  '/api/oauth/jwks': {
    get: {
      operationId: 'getSigningKeys',
      tags: [TAG],
      summary: 'Public keys (RFC 7517)',
      description: 'What `id_token`s are signed with.',
      security: [],
      responses: {
        200: {
          description: 'The keys.',
          headers: LIMITED,
          content: {
            'application/jwk-set+json': {
              schema: ref('Jwks'),
              example: {
                keys: [
                  {
                    kty: 'EC',
                    use: 'sig',
                    alg: 'ES256',
                    kid: 'sWqk2v0',
                    crv: 'P-256',
                    x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
                    y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
                  },
                ],
              },
            },
          },
        },
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
