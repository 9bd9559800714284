import { ERROR_SCHEMA } from '../errors.js';
import { count, flag, list, object, ref, type Schemas, text } from '../../platform/contract/json-schema.js';

export const EXAMPLE_TOKENS = {
  access_token: 'mN3xq0Jt8c1Vb5Lw7yKZr2Hf6Pd9Sg4Ua0Ei1Oq_TnX',
  token_type: 'Bearer',
  expires_in: 3600,
  scope: '*',
};

const endpoint = (description: string) => text(description, { format: 'uri' });
const names = (description: string) => list(description, { type: 'string' });

export const serviceSchemas: Schemas = {
  OAuthTokens: object(
    'OAuthTokens',
    'Tokens (RFC 6749, section 5.1); not wrapped in `data`.',
    {
      access_token: text('Send it as `Authorization: Bearer <token>`.'),
      token_type: { type: 'string', const: 'Bearer', description: 'How to send it.' },
      expires_in: count('Seconds until it ends.'),
      scope: text('What was granted, separated by spaces.'),
      refresh_token: text('Gets the next pair; works once.'),
      id_token: text('Who signed in (OpenID Connect), with the scope `openid`.'),
    },
    ['refresh_token', 'id_token', 'scope'],
  ),
  OAuthError: object(
    'OAuthError',
    'What went wrong (RFC 6749, section 5.2).',
    {
      error: text('Stable, for programs, e.g. `invalid_client`.'),
      error_description: text('For people.'),
      scope: text('The scope that was refused.'),
    },
    ['error_description', 'scope'],
  ),
  OAuthUnavailable: {
    ...ERROR_SCHEMA,
    title: 'OAuthUnavailable',
    description: 'Wait, then try again: for clients of OAuth (RFC 6749) and of this API alike.',
    properties: {
      error: text('What OAuth calls it.', { const: 'temporarily_unavailable' }),
      error_description: text('For people.'),
      ...ERROR_SCHEMA.properties,
    },
    required: ['error', 'error_description', ...(ERROR_SCHEMA.required ?? [])],
  },
  OAuthIntrospection: object(
    'OAuthIntrospection',
    'What a token is worth (RFC 7662); an unknown or ended one is only `active: false`.',
    {
      active: flag('The token is good.'),
      scope: text('What it may do.'),
      client_id: text('Whose it is.'),
      sub: text('The user that it acts for, also of a token by `client_credentials`.'),
      token_type: text('How it is sent.'),
      exp: count('When it ends, in Unix seconds.'),
      iat: count('When it was made, in Unix seconds.'),
      iss: endpoint('Who made it.'),
      aud: text('Whom it is for.'),
    },
    ['scope', 'client_id', 'sub', 'token_type', 'exp', 'iat', 'iss', 'aud'],
  ),
  OAuthUserInfo: object(
    'OAuthUserInfo',
    'Who signed in (OpenID Connect Core, section 5.3).',
    {
      sub: text('The user; stays the same.'),
      email: text('With the scope `email`: the address that they sign in with.'),
      email_verified: flag('With the scope `email`: always false, because nobody has verified the address.'),
      name: text('With the scope `profile`: what the user calls themselves, if they said so.'),
    },
    ['email', 'email_verified', 'name'],
  ),
  OAuthMetadata: {
    ...object('OAuthMetadata', 'What the authorization server can do (RFC 8414, OpenID Connect Discovery).', {
      issuer: endpoint('Its name.'),
      authorization_endpoint: endpoint('Where to send the browser.'),
      token_endpoint: endpoint('Where to get tokens.'),
      revocation_endpoint: endpoint('Where to end them.'),
      introspection_endpoint: endpoint('Where to ask about them.'),
      userinfo_endpoint: endpoint('Where to ask who signed in.'),
      jwks_uri: endpoint('Its public keys.'),
      response_types_supported: names('Always `code`.'),
      grant_types_supported: names('How tokens are had.'),
      code_challenge_methods_supported: names('Always `S256` (RFC 7636).'),
      token_endpoint_auth_methods_supported: names('How clients prove who they are.'),
      scopes_supported: names('What can be asked for.'),
      claims_supported: names('What can be known of who signed in.'),
    }),
    // The standards define dozens of members, and which of them appear is the library's affair.
    additionalProperties: true,
  },
  Jwks: object('Jwks', 'Public keys (RFC 7517).', { keys: list('The keys.', ref('Jwk')) }),
  Jwk: {
    ...object('Jwk', 'A public key (RFC 7517).', {
      kty: text('Its type.'),
      kid: text('Its id.'),
      alg: text('The algorithm that it is for.'),
      use: text('What it is for.'),
    }),
    additionalProperties: { type: 'string' },
  },
};
