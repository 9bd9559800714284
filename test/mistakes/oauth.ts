import { basic } from '../support/oauth-api.js';
import { bearer, type Mistake, type Sent } from './mistake.js';
import type { MistakesHarness } from './mistakes-harness.js';

const form = (fields: Record<string, string>, headers: Record<string, string> = {}): Sent => ({
  method: 'POST',
  path: '/api/oauth/token',
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body: new URLSearchParams(fields).toString(),
});

const credentials = ({ owner }: MistakesHarness) => ({
  client_id: owner.clientId,
  client_secret: owner.clientSecret,
});

const authorize = (harness: MistakesHarness, changes: Record<string, string | null>): Sent => {
  const query = {
    response_type: 'code',
    client_id: harness.publicClientId,
    redirect_uri: 'https://shop.example/callback?from=gateway',
    state: 's',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...changes,
  };
  const kept = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null);
  return { method: 'GET', path: `/api/oauth/authorize?${new URLSearchParams(kept).toString()}` };
};

export const OAUTH: Mistake[] = [
  {
    title: 'a token is requested without a grant type',
    request: (harness) => form(credentials(harness)),
  },
  {
    title: 'a token is requested with user name and password',
    request: (harness) =>
      form({ grant_type: 'password', username: 'me@example.com', password: 'x', ...credentials(harness) }),
  },
  {
    title: 'a wrong client secret',
    request: (harness) =>
      form({ grant_type: 'client_credentials', ...credentials(harness), client_secret: 'wrong' }),
  },
  {
    title: 'no client secret',
    request: ({ owner }) => form({ grant_type: 'client_credentials', client_id: owner.clientId }),
  },
  {
    title: 'the clientId of the application as the OAuth client',
    request: ({ application, owner }) =>
      form({
        grant_type: 'client_credentials',
        client_id: application.clientId,
        client_secret: owner.clientSecret,
      }),
  },
  {
    title: 'a client token as the credentials',
    request: ({ application }) => ({
      ...form({ grant_type: 'client_credentials' }),
      headers: {
        ...bearer(application.clientToken),
        'content-type': 'application/x-www-form-urlencoded',
      },
    }),
  },
  {
    title: 'credentials twice, in header and body',
    request: (harness) =>
      form(
        { grant_type: 'client_credentials', ...credentials(harness) },
        basic(harness.owner.clientId, harness.owner.clientSecret),
      ),
  },
  {
    title: "a client token's scope for an OAuth2 token",
    request: (harness) =>
      form({ grant_type: 'client_credentials', ...credentials(harness), scope: 'payments.create' }),
  },
  {
    title: 'client credentials of a public client',
    request: ({ publicClientId }) => form({ grant_type: 'client_credentials', client_id: publicClientId }),
  },
  {
    title: 'a token is requested by GET',
    request: () => ({ method: 'GET', path: '/api/oauth/token?grant_type=client_credentials' }),
  },
  {
    title: 'a token is requested with credentials in the query',
    request: (harness) => ({
      method: 'POST',
      path: `/api/oauth/token?${new URLSearchParams({ grant_type: 'client_credentials', ...credentials(harness) }).toString()}`,
    }),
  },
  {
    title: 'a token is requested with a multipart body',
    request: () => ({
      method: 'POST',
      path: '/api/oauth/token',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x--',
    }),
  },
  {
    title: 'a code that does not exist, or was used',
    request: ({ publicClientId }) =>
      form({
        grant_type: 'authorization_code',
        client_id: publicClientId,
        redirect_uri: 'https://shop.example/callback?from=gateway',
        code: 'x'.repeat(43),
        code_verifier: 'v'.repeat(43),
      }),
  },
  {
    title: 'a refresh token that does not exist, or was used',
    request: ({ publicClientId }) =>
      form({ grant_type: 'refresh_token', client_id: publicClientId, refresh_token: 'x'.repeat(43) }),
  },
  {
    title: 'an authorization without PKCE',
    request: (harness) => authorize(harness, { code_challenge: null, code_challenge_method: null }),
  },
  {
    title: 'an authorization with another redirect_uri than the registered one',
    request: (harness) => authorize(harness, { redirect_uri: 'https://shop.example/callback' }),
  },
  {
    title: 'an authorization of an unknown client',
    request: (harness) => authorize(harness, { client_id: 'no-such-client' }),
  },
  {
    title: 'an authorization with the implicit grant',
    request: (harness) => authorize(harness, { response_type: 'token' }),
  },
];
