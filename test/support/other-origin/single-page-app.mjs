// Runs in a browser: an app without a server, which signs users in with a third-party client library.
import * as oauth from '/oauth4webapi/index.js';

/** Loopback has no TLS; nothing else is out of the ordinary. */
const PLAIN = { [oauth.allowInsecureRequests]: true };
const PUBLIC = oauth.None();

async function discover(issuer) {
  const url = new URL(issuer);
  return oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, PLAIN));
}

/** Returns the URL to redirect the browser to. */
export async function beginSignIn({ issuer, clientId, redirectUri, scope }) {
  const server = await discover(issuer);
  const [verifier, state, nonce] = [
    oauth.generateRandomCodeVerifier(),
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
  ];
  sessionStorage.setItem(
    'sign-in',
    JSON.stringify({ issuer, clientId, redirectUri, verifier, state, nonce }),
  );
  const url = new URL(server.authorization_endpoint);
  for (const [name, value] of Object.entries({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }))
    url.searchParams.set(name, value);
  return url.href;
}

/** On the page that the browser came back to. */
export async function finishSignIn() {
  const { issuer, clientId, redirectUri, verifier, state, nonce } = JSON.parse(
    sessionStorage.getItem('sign-in'),
  );
  const server = await discover(issuer);
  const client = { client_id: clientId };
  const parameters = oauth.validateAuthResponse(server, client, new URL(location.href), state);
  const tokens = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      server,
      client,
      PUBLIC,
      parameters,
      redirectUri,
      verifier,
      PLAIN,
    ),
    { expectedNonce: nonce, requireIdToken: true },
  );
  return { server, client, tokens, subject: oauth.getValidatedIdTokenClaims(tokens).sub };
}

/** All that such a program does with its tokens, in one go. */
export async function useTokens({ server, client, tokens, subject }) {
  const list = async (token) => {
    const url = new URL('/api/payment-applications', server.issuer);
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    return { status: response.status, body: await response.json() };
  };
  const first = await list(tokens.access_token);
  const person = await oauth.processUserInfoResponse(
    server,
    client,
    subject,
    await oauth.userInfoRequest(server, client, tokens.access_token, PLAIN),
  );
  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, PUBLIC, tokens.refresh_token, PLAIN),
  );
  const second = await list(refreshed.access_token);
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, PUBLIC, refreshed.refresh_token, PLAIN),
  );
  const afterwards = await list(refreshed.access_token);
  return {
    subject,
    email: person.email,
    names: first.body.data.map(({ name }) => name),
    statuses: [first.status, second.status, afterwards.status],
  };
}

/** A mistake of the program: the browser shows it what the server says. */
export async function redeemNonsense({ server, client }) {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: client.client_id,
    redirect_uri: location.origin,
    code_verifier: oauth.generateRandomCodeVerifier(),
    code: 'x',
  });
  const response = await fetch(server.token_endpoint, { method: 'POST', body });
  return { status: response.status, error: (await response.json()).error };
}
