import { Contract } from '../../platform/web/contract/contract.js';
import { Constant, Count, Flag, NestedList, Text, TextList } from '../../platform/web/contract/fields.js';
import { ErrorContract } from '../../platform/web/errors/error.contract.js';

/* Responses of the authorization server, which oidc-provider writes: described here, not presented. */

const BASE = 'https://pay.example/api/oauth';
export const EXAMPLE_ACCESS_TOKEN = 'mN3xq0Jt8c1Vb5Lw7yKZr2Hf6Pd9Sg4Ua0Ei1Oq_TnX';
const EXAMPLE_USER = '0190f6a0-0000-7000-8000-000000000000';

@Contract('OAuthTokens', 'Tokens (RFC 6749, section 5.1); not wrapped in `data`.')
export class OAuthTokensContract {
  @Text({ about: 'Send it as `Authorization: Bearer <token>`.', example: EXAMPLE_ACCESS_TOKEN })
  access_token: string;

  @Constant('Bearer', { about: 'How to send it.' })
  token_type: string;

  @Count({ about: 'Seconds until it expires.', example: 3600 })
  expires_in: number;

  @Text({ optional: true, about: 'The granted scopes, separated by spaces.', example: '*' })
  scope?: string;

  @Text({ optional: true, about: 'Gets the next pair; works once.' })
  refresh_token?: string;

  @Text({ optional: true, about: 'Who signed in (OpenID Connect), with the scope `openid`.' })
  id_token?: string;
}

@Contract('OAuthError', 'What went wrong (RFC 6749, section 5.2).')
export class OAuthErrorContract {
  @Text({ about: 'Stable, for programs, e.g. `invalid_client`.', example: 'invalid_client' })
  error: string;

  @Text({ optional: true, about: 'For people.' })
  error_description?: string;

  @Text({ optional: true, about: 'The scope that was refused.' })
  scope?: string;
}

@Contract(
  'OAuthUnavailable',
  'Wait, then try again. It has the fields of OAuth (RFC 6749) and those of the errors of this API.',
)
export class OAuthUnavailableContract extends ErrorContract {
  @Constant('temporarily_unavailable', { about: 'The error code of OAuth.' })
  error: string;

  @Text({ about: 'For people.', example: 'too many requests: try again in 6 s' })
  error_description: string;
}

@Contract(
  'OAuthIntrospection',
  'The state of a token (RFC 7662); of an unknown or expired one only `active: false`.',
)
export class OAuthIntrospectionContract {
  @Flag({ about: 'The token is valid.', example: true })
  active: boolean;

  @Text({ optional: true, about: 'Its scopes.', example: '*' })
  scope?: string;

  @Text({ optional: true, about: 'The client that it was issued to.', example: 'shop-server' })
  client_id?: string;

  @Text({
    optional: true,
    about: 'The user that it acts for, also of a token by `client_credentials`.',
    example: EXAMPLE_USER,
  })
  sub?: string;

  @Text({ optional: true, about: 'How it is sent.', example: 'Bearer' })
  token_type?: string;

  @Count({ optional: true, about: 'When it expires, in Unix seconds.', example: 1768476000 })
  exp?: number;

  @Count({ optional: true, about: 'When it was issued, in Unix seconds.', example: 1768472400 })
  iat?: number;

  @Text({ optional: true, format: 'uri', about: 'The issuer.', example: BASE })
  iss?: string;

  @Text({ optional: true, about: 'The audience.' })
  aud?: string;

  @Count({ optional: true, about: 'When the user signed in, in Unix seconds.', example: 1768472400 })
  auth_time?: number;

  @Text({ optional: true, about: 'How: `pwd`, or `mfa` with the second factor.', example: 'mfa' })
  acr?: string;
}

@Contract('OAuthUserInfo', 'Who signed in (OpenID Connect Core, section 5.3).')
export class OAuthUserInfoContract {
  @Text({ about: 'The user; never changes.', example: EXAMPLE_USER })
  sub: string;

  @Text({
    optional: true,
    about: 'With the scope `email`: the address that they sign in with.',
    example: 'merchant@example.com',
  })
  email?: string;

  @Flag({
    optional: true,
    about: 'With the scope `email`: always false, because addresses are not verified.',
    example: false,
  })
  email_verified?: boolean;

  @Text({
    optional: true,
    about: 'With the scope `profile`: the name of the user, if they entered one.',
    example: 'Merchant',
  })
  name?: string;

  @Count({ optional: true, about: 'When they signed in, in Unix seconds.', example: 1768472400 })
  auth_time?: number;

  @Text({ optional: true, about: 'How: `pwd`, or `mfa` with the second factor.', example: 'mfa' })
  acr?: string;
}

/** The standards define dozens of members, and the library decides which of them appear. */
@Contract('OAuthMetadata', 'The features of the authorization server (RFC 8414, OpenID Connect Discovery).', {
  additionalProperties: true,
})
export class OAuthMetadataContract {
  @Text({ format: 'uri', about: 'Its name.', example: BASE })
  issuer: string;

  @Text({ format: 'uri', about: 'Where to send the browser.', example: `${BASE}/authorize` })
  authorization_endpoint: string;

  @Text({ format: 'uri', about: 'Where to get tokens.', example: `${BASE}/token` })
  token_endpoint: string;

  @Text({ format: 'uri', about: 'Where to revoke them.', example: `${BASE}/revoke` })
  revocation_endpoint: string;

  @Text({ format: 'uri', about: 'Where to ask about them.', example: `${BASE}/introspect` })
  introspection_endpoint: string;

  @Text({ format: 'uri', about: 'Where to ask who signed in.', example: `${BASE}/userinfo` })
  userinfo_endpoint: string;

  @Text({ format: 'uri', about: 'Its public keys.', example: `${BASE}/jwks` })
  jwks_uri: string;

  @TextList({ about: 'Always `code`.', example: ['code'] })
  response_types_supported: string[];

  @TextList({
    about: 'How to get tokens.',
    example: ['authorization_code', 'refresh_token', 'client_credentials'],
  })
  grant_types_supported: string[];

  @TextList({ about: 'Always `S256` (RFC 7636).', example: ['S256'] })
  code_challenge_methods_supported: string[];

  @TextList({
    about: 'How clients authenticate.',
    example: ['client_secret_basic', 'client_secret_post', 'none'],
  })
  token_endpoint_auth_methods_supported: string[];

  @TextList({
    about: 'The scopes that clients can request.',
    example: ['*', 'openid', 'email', 'profile', 'offline_access'],
  })
  scopes_supported: string[];

  @TextList({
    about: 'The claims about the user who signed in.',
    example: ['sub', 'email', 'email_verified', 'name', 'auth_time', 'acr'],
  })
  claims_supported: string[];
}

@Contract('Jwk', 'A public key (RFC 7517).', { additionalProperties: { type: 'string' } })
export class JwkContract {
  @Text({ about: 'Its type.', example: 'EC' })
  kty: string;

  @Text({ about: 'Its id.', example: 'sWqk2v0' })
  kid: string;

  @Text({ about: 'The algorithm that it is for.', example: 'ES256' })
  alg: string;

  @Text({ about: 'What it is for.', example: 'sig' })
  use: string;
}

@Contract('Jwks', 'Public keys (RFC 7517).')
export class JwksContract {
  @NestedList(() => JwkContract, {
    about: 'The keys.',
    example: [
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
  })
  keys: JwkContract[];
}
