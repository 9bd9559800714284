import * as oidc from 'openid-client';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { Browser } from './support/browser.js';
import {
  authorizeUrl,
  createClient as createAnyClient,
  createUser,
  fetchTokens,
  PASSWORD,
  signIn,
  statusWith,
} from './support/oauth-api.js';
import { freePort } from './support/free-port.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

const SECRET = 'a secret of more than 24 characters: %+&=';

/** Loopback has no TLS; nothing else is out of the ordinary. */
const PLAIN = { execute: [oidc.allowInsecureRequests] };

/** The library takes it from the address that the browser came back to, and drops a query. */
const REDIRECT_URI = 'https://shop.example/callback';

let gateway: TestGateway;
let issuer: URL;
let user: { id: string; email: string };

// openid-client as its documentation uses it: what it does not find here, other programs miss, too.
beforeAll(async () => {
  const port = await freePort();
  const BASE_URL = `http://127.0.0.1:${port}`;
  gateway = await startTestGateway({ PORT: String(port), BASE_URL });
  issuer = new URL(`${BASE_URL}/api/oauth`);
  user = await createUser(gateway);
});
afterAll(() => gateway.close());

const createClient = (changes: Parameters<typeof createAnyClient>[1] = {}) =>
  createAnyClient(gateway, { redirectUris: [REDIRECT_URI], ...changes });

/** A sign-in from the discovery to the tokens. */
async function signInWith(config: oidc.Configuration, scope: string) {
  const verifier = oidc.randomPKCECodeVerifier();
  const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const back = await signIn(new Browser(gateway), user.email, url.href);
  return oidc.authorizationCodeGrant(config, back, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
}

/** What every user's claims say of how they signed in (specification/authentication.md). */
const SIGN_IN = { acr: 'pwd', auth_time: expect.any(Number) as number };

describe('an OpenID Connect client', () => {
  it('works with a generic library without special options: discovery, sign-in, userinfo, refresh and revocation', async () => {
    const clientId = await createClient({ secret: SECRET });
    const config = await oidc.discovery(issuer, clientId, SECRET, undefined, PLAIN);
    const tokens = await signInWith(config, '* openid email profile offline_access');
    const subject = tokens.claims()?.sub ?? '';
    expect(subject).toBe(user.id);
    expect(await oidc.fetchUserInfo(config, tokens.access_token, subject)).toEqual({
      sub: user.id,
      email: user.email,
      email_verified: false,
      ...SIGN_IN,
    });
    expect(await oidc.tokenIntrospection(config, tokens.access_token)).toMatchObject({
      active: true,
      client_id: clientId,
      sub: user.id,
      // The refresh token comes anyway; the library grants this scope only where consent is asked for anew.
      scope: '* openid email profile',
      exp: expect.any(Number) as number,
    });
    expect(await statusWith(gateway, tokens.access_token)).toBe(200);

    const next = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(await statusWith(gateway, next.access_token)).toBe(200);
    await oidc.tokenRevocation(config, next.refresh_token ?? '');
    expect(await statusWith(gateway, next.access_token)).toBe(401);
    expect(await oidc.tokenIntrospection(config, next.access_token)).toEqual({ active: false });
  });

  it("works without a secret, and gets the user's name if there is one", async () => {
    await gateway.sql.query('update users set name = $2 where id = $1', [user.id, 'Ada <Lovelace>']);
    const config = await oidc.discovery(issuer, await createClient(), undefined, oidc.None(), PLAIN);
    const tokens = await signInWith(config, 'openid profile');
    expect(await oidc.fetchUserInfo(config, tokens.access_token, user.id)).toEqual({
      sub: user.id,
      name: 'Ada <Lovelace>',
      ...SIGN_IN,
    });
    // A user's identity gives no access to their data.
    expect(await statusWith(gateway, tokens.access_token)).toBe(401);
  });

  it.each([
    ['openid', ['sub']],
    ['openid email', ['email', 'email_verified', 'sub']],
    ['* openid', ['sub']],
  ])('gets with the scope %s: %j', async (scope, claims) => {
    const clientId = await createClient();
    const config = await oidc.discovery(issuer, clientId, undefined, oidc.None(), PLAIN);
    const tokens = await signInWith(config, scope);
    const seen = await oidc.fetchUserInfo(config, tokens.access_token, user.id);
    expect(Object.keys(seen).sort()).toEqual([...Object.keys(SIGN_IN), ...claims]);
  });
});

describe('a server', () => {
  it('gets a token, and introspection names the user it acts for', async () => {
    const clientId = await createClient({
      secret: SECRET,
      userId: user.id,
      grantTypes: ['client_credentials'],
      redirectUris: [],
    });
    const config = await oidc.discovery(issuer, clientId, SECRET, undefined, PLAIN);
    const { access_token: token } = await oidc.clientCredentialsGrant(config);
    const { exp, iat, ...rest } = await oidc.tokenIntrospection(config, token);
    expect(rest).toEqual({
      active: true,
      client_id: clientId,
      sub: user.id,
      scope: '*',
      iss: issuer.href,
      token_type: 'Bearer',
    });
    expect(Number(exp) - Number(iat)).toBe(3_600);
    await oidc.tokenRevocation(config, token);
    expect(await oidc.tokenIntrospection(config, token)).toEqual({ active: false });
  });
});

describe('userinfo', () => {
  const ask = async (init: RequestInit = {}) => {
    const response = await fetch(`${issuer.href}/userinfo`, init);
    const { headers, status } = response;
    const body = (await response.json()) as Record<string, unknown>;
    return { status, body, challenge: headers.get('www-authenticate'), cache: headers.get('cache-control') };
  };
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const newToken = async (scope: string) => {
    const clientId = await createClient();
    const config = await oidc.discovery(issuer, clientId, undefined, oidc.None(), PLAIN);
    return (await signInWith(config, scope)).access_token;
  };

  it('requires a valid token, and its challenge says what is wrong', async () => {
    const none = await ask();
    expect([none.status, none.body['error']]).toEqual([401, 'invalid_token']);
    expect(none.challenge).toMatch(/^Bearer realm="/);
    expect(none.challenge).not.toContain('error=');
    expect(none.body['error_description']).toContain('Authorization: Bearer');
    const unknown = await ask(bearer('x'.repeat(43)));
    expect([unknown.status, unknown.body['error']]).toEqual([401, 'invalid_token']);
    expect(unknown.challenge).toContain('error="invalid_token"');
    expect(unknown.body['error_description']).toContain('expired or revoked');
    const withoutOpenId = await fetchTokens(gateway, await createAnyClient(gateway), user.email, '*');
    const lacking = await ask(bearer(String(withoutOpenId['access_token'])));
    expect([lacking.status, lacking.body['error']]).toEqual([403, 'insufficient_scope']);
    expect(lacking.challenge).toContain('scope="openid"');
    expect(lacking.body['error_description']).toContain('lacks the scope openid');
  });

  it('refuses a token in the query, and accepts POST like GET', async () => {
    const token = await newToken('openid');
    const url = `${issuer.href}/userinfo?access_token=${token}`;
    expect((await fetch(url)).status).toBe(400);
    const posted = await ask({ method: 'POST', ...bearer(token) });
    expect([posted.status, posted.body, posted.cache]).toEqual([
      200,
      { sub: user.id, ...SIGN_IN },
      'no-store',
    ]);
  });

  it('returns nothing about a disabled user', async () => {
    const { id, email } = await createUser(gateway);
    const before = user;
    user = { id, email };
    const token = await newToken('openid email').finally(() => (user = before));
    expect((await ask(bearer(token))).status).toBe(200);
    await gateway.get(UsersService).disable(id);
    expect((await ask(bearer(token))).status).toBe(401);
  });
});

describe('the consent page', () => {
  it.each([
    ['openid email', ['see your email address'], ['change your payments', 'see your name']],
    ['*', ['see, create and change your payments'], ['see your email address']],
  ])('lists what the scope %s allows, and nothing else', async (scope, included, excluded) => {
    const config = await oidc.discovery(issuer, await createClient(), undefined, oidc.None(), PLAIN);
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope,
      code_challenge: await oidc.calculatePKCECodeChallenge(oidc.randomPKCECodeVerifier()),
      code_challenge_method: 'S256',
    });
    const browser = new Browser(gateway);
    const login = await browser.follow(await browser.get(url));
    const { body } = await browser.follow(
      await browser.submit(login.url, { email: user.email, password: PASSWORD, decision: 'allow' }),
    );
    expect(body).toContain('Allow access?');
    for (const text of included) expect(body).toContain(text);
    for (const text of excluded) expect(body).not.toContain(text);
  });

  it.each<[string, ('authorization_code' | 'refresh_token')[]]>([
    ['30 days', ['authorization_code', 'refresh_token']],
    ['60 minutes', ['authorization_code']],
  ])('says that the access lasts %s', async (duration, grantTypes) => {
    const clientId = await createClient({ grantTypes });
    const browser = new Browser(gateway);
    const login = await browser.follow(
      await browser.get(authorizeUrl(clientId, { redirect_uri: REDIRECT_URI })),
    );
    const { body } = await browser.follow(
      await browser.submit(login.url, { email: user.email, password: PASSWORD }),
    );
    expect(body).toContain(`It keeps this access for ${duration} after you sign in`);
  });
});
