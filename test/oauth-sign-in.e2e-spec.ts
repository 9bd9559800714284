import { createHash } from 'node:crypto';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { type Answer, Browser } from './support/browser.js';
import {
  authorizeUrl,
  createClient,
  createUser,
  fetchTokens,
  newPkce,
  PASSWORD,
  redeem,
  REDIRECT_URI,
  refresh,
  signIn,
  statusWith,
} from './support/oauth-api.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

const BASE_URL = 'https://pay.example';

let gateway: TestGateway;
let clientId: string;
let user: { id: string; email: string };

beforeAll(async () => {
  gateway = await startTestGateway({ BASE_URL });
  user = await createUser(gateway);
  clientId = await createClient(gateway);
});
afterAll(() => gateway.close());

/** A browser that stands on the sign-in page. */
async function openLoginPage(changes: Record<string, string | null> = {}) {
  const browser = new Browser(gateway);
  const page = await browser.follow(await browser.get(authorizeUrl(clientId, changes)));
  return { browser, page };
}

function expectPage({ headers, body }: Answer): void {
  const csp = headers.get('content-security-policy') ?? '';
  const [, style = ''] = /<style>(.*)<\/style>/s.exec(body) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(csp).toContain(`style-src 'sha256-${hash}'`);
  expect(csp).toMatch(/^default-src 'none'; .*base-uri 'none'; frame-ancestors 'none'$/);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
  });
  expect(body).toMatch(/^<!doctype html>\s*<html lang="en" dir="ltr">/);
  expect(body).not.toMatch(/<script|<link|<img| on\w+=| style=/i);
}

/** Everything that the authorization server has stored, as text. */
async function dump(): Promise<string> {
  const [row] = await gateway.sql.query<{ text: string }>(
    `select string_agg(p::text, ' ') as text from oidc_payloads p`,
  );
  return row?.text ?? '';
}

/** The value of the session cookie. */
function sessionOf(browser: Browser): string {
  const cookie = browser.cookieTexts.find((text) => text.startsWith('__Host-oauth_session='));
  if (!cookie) throw new Error('no session cookie');
  return cookie.slice(cookie.indexOf('=') + 1);
}

describe('signing in', () => {
  it.each<Record<string, string>>([{ lang: 'en-XA' }, { ui_locales: 'sv en-XA' }])(
    'keeps the language of the authorization request: %j',
    async (changes) => {
      const { browser, page } = await openLoginPage(changes);
      expect(page.body).toMatch(/<html lang="en-XA".*<h1>\[/s);
      const credentials = { email: user.email, password: PASSWORD };
      const consent = await browser.follow(await browser.submit(page.url, credentials));
      expect(consent.body).toMatch(/<html lang="en-XA".*name="decision" value="allow">\[/s);
      expect(consent.headers.get('content-language')).toBe('en-XA');
    },
  );

  it('keeps the language that was chosen from the menu of a page', async () => {
    const { browser, page } = await openLoginPage();
    const path = `${page.url.href}?lang=en-XA`;
    expect((await browser.get(path)).body).toContain('<html lang="en-XA"');
    const credentials = { email: user.email, password: PASSWORD };
    const consent = await browser.follow(await browser.submit(path, credentials));
    expect(consent.body).toMatch(/<html lang="en-XA".*name="decision" value="allow">\[/s);
  });

  it('leads from the authorization request through two pages to a code and to tokens', async () => {
    const { verifier, challenge } = newPkce();
    const { browser, page } = await openLoginPage({
      code_challenge: challenge,
      scope: 'openid *',
      nonce: 'n-1',
    });

    expect(page.status).toBe(200);
    expectPage(page);
    expect(page.headers.get('content-security-policy')).toContain(
      `form-action 'self' ${new URL(REDIRECT_URI).origin};`,
    );
    for (const part of [
      '<label for="email">',
      '<label for="password">',
      'autocomplete="username"',
      ' autofocus',
    ])
      expect(page.body).toContain(part);
    expect(page.body).toContain('to continue to <bdi>Test &lt;Dashboard&gt;</bdi>');
    expect(page.body).not.toContain('role="alert"');

    const refused = await browser.submit(page.url, { email: '"><b>x', password: 'wrong' });
    expect(refused.status).toBe(422);
    expectPage(refused);
    expect(refused.body).toMatch(
      /<p role="alert" id="error">The email address or the password isn’t right\.<\/p>/,
    );
    expect(refused.body).toContain('value="&quot;&gt;&lt;b&gt;x"');
    expect(refused.body).toContain('aria-describedby="error"');

    const credentials = { email: ` ${user.email.toUpperCase()} `, password: PASSWORD };
    const consent = await browser.follow(await browser.submit(page.url, credentials));
    expect(consent.status).toBe(200);
    expectPage(consent);
    expect(consent.body).toContain('<strong>Test &lt;Dashboard&gt;</strong>');
    expect(consent.body).toContain(`<strong>${user.email}</strong>`);

    expect(await dump()).not.toContain(sessionOf(browser));

    const { location } = await browser.follow(await browser.submit(consent.url, { decision: 'allow' }));
    expect(location?.href.startsWith(REDIRECT_URI)).toBe(true);
    expect(location?.searchParams.get('from')).toBe('gateway');
    expect(location?.searchParams.get('state')).toBe('the state');
    expect(location?.searchParams.get('iss')).toBe(`${BASE_URL}/api/oauth`);

    const code = location?.searchParams.get('code') ?? '';
    const { status, body: tokens } = await redeem(gateway, clientId, code, verifier);
    expect(status).toBe(200);
    expect(tokens).toEqual({
      access_token: expect.any(String) as string,
      id_token: expect.any(String) as string,
      refresh_token: expect.any(String) as string,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid *',
    });
    expect(await statusWith(gateway, tokens['access_token'])).toBe(200);

    const jwks = await (await fetch(`${gateway.baseUrl}/api/oauth/jwks`)).json();
    const { payload } = await jwtVerify(String(tokens['id_token']), createLocalJWKSet(jwks as never), {
      issuer: `${BASE_URL}/api/oauth`,
      audience: clientId,
      algorithms: ['ES256'],
    });
    expect(payload).toMatchObject({ sub: user.id, nonce: 'n-1' });

    for (const secret of [code, tokens['access_token'], tokens['refresh_token'], sessionOf(browser)])
      expect(await dump()).not.toContain(secret);
  });

  it('sets host-only cookies that are secure and HttpOnly', async () => {
    const browser = new Browser(gateway);
    const first = await browser.get(authorizeUrl(clientId));
    const signedIn = await browser.submit(first.location ?? '', { email: user.email, password: PASSWORD });
    const second = await browser.get(signedIn.location ?? '');
    const cookies = [...first.headers.getSetCookie(), ...second.headers.getSetCookie()];
    expect(cookies.some((cookie) => cookie.startsWith('__Host-oauth_session='))).toBe(true);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__(Host|Secure)-oauth_[\w-]+(\.sig)?=/);
      expect(cookie.toLowerCase()).toContain('; secure; httponly');
      expect(cookie.toLowerCase()).toContain('; samesite=lax');
      expect(cookie.toLowerCase()).not.toContain('domain=');
    }
    // Not a lasting sign-in: the session cookie ends with the browser.
    const session = cookies.find((cookie) => cookie.startsWith('__Host-oauth_session='));
    expect(session).not.toMatch(/expires|max-age/i);
  });

  it('is not required twice in one browser, unless the client requires it', async () => {
    const { browser, page } = await openLoginPage();
    const consent = await browser.follow(
      await browser.submit(page.url, { email: user.email, password: PASSWORD }),
    );
    await browser.follow(await browser.submit(consent.url, { decision: 'allow' }));

    const again = await browser.follow(await browser.get(authorizeUrl(clientId)));
    expect(again.location?.searchParams.get('code')).toEqual(expect.any(String));

    const asked = await browser.follow(await browser.get(authorizeUrl(clientId, { prompt: 'login' })));
    expect(asked.body).toContain('<label for="password">');

    // A grant that would end before the refresh token that it is asked for is asked again.
    await gateway.sql.query(
      `update oidc_payloads set payload = jsonb_set(payload, '{exp}', to_jsonb($1::bigint)) where kind = 'Grant'`,
      [gateway.clock.unixSeconds() + 30 * 86_400 - 60],
    );
    const renewed = await browser.follow(await browser.get(authorizeUrl(clientId)));
    expect(renewed.body).toContain('Allow access?');
  });

  it('as another user replaces the first session', async () => {
    const other = await createUser(gateway);
    const { browser, page } = await openLoginPage();
    const consent = await browser.follow(
      await browser.submit(page.url, { email: user.email, password: PASSWORD }),
    );
    await browser.follow(await browser.submit(consent.url, { decision: 'allow' }));

    const { verifier, challenge } = newPkce();
    const url = authorizeUrl(clientId, { prompt: 'login', code_challenge: challenge, scope: 'openid *' });
    const back = await signIn(browser, other.email, url);
    const { body } = await redeem(gateway, clientId, back.searchParams.get('code') ?? '', verifier);
    const [, claims = ''] = String(body['id_token']).split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ sub: other.id });
  });

  it.each(['login', 'consent'])('redirects with access_denied when the user cancels (%s)', async (at) => {
    const { browser, page } = await openLoginPage();
    const open =
      at === 'login'
        ? page
        : await browser.follow(await browser.submit(page.url, { email: user.email, password: PASSWORD }));
    const { location } = await browser.follow(await browser.submit(open.url, { decision: 'deny' }));
    expect(location?.origin).toBe(new URL(REDIRECT_URI).origin);
    expect(location?.searchParams.get('error')).toBe('access_denied');
    expect(location?.searchParams.get('state')).toBe('the state');
    expect(location?.searchParams.has('code')).toBe(false);
  });

  it.each<[string, () => Record<string, string>]>([
    ['an unknown address', () => ({ email: 'nobody@example.test', password: PASSWORD })],
    ['a malformed address', () => ({ email: 'x', password: PASSWORD })],
    ['NUL in the address', () => ({ email: `${user.email}\0`, password: PASSWORD })],
    ['a wrong password', () => ({ email: user.email, password: `${PASSWORD} ` })],
    ['no password', () => ({ email: user.email, password: '' })],
    ['a huge password', () => ({ email: user.email, password: PASSWORD + 'x'.repeat(9_000) })],
    ['nothing', () => ({})],
  ])('refuses %s with the same text', async (_what, fields) => {
    const { browser, page } = await openLoginPage();
    const refused = await browser.submit(page.url, fields());
    expect(refused.status).toBe(422);
    expect(refused.body).toContain('The email address or the password isn’t right.');
  });

  it('refuses a disabled user and ends their sessions', async () => {
    const leaver = await createUser(gateway);
    const tokens = await fetchTokens(gateway, clientId, leaver.email);
    const { browser, page } = await openLoginPage();
    await browser.follow(await browser.submit(page.url, { email: leaver.email, password: PASSWORD }));
    expect(await statusWith(gateway, tokens['access_token'])).toBe(200);

    // Not by the service, which also deletes the rest: nothing of it may count by itself.
    await gateway.sql.query('update users set disabled_at = now() where id = $1', [leaver.id]);
    expect(await statusWith(gateway, tokens['access_token'])).toBe(401);
    expect((await refresh(gateway, clientId, tokens['refresh_token'])).body['error']).toBe('invalid_grant');
    const asked = await browser.follow(await browser.get(authorizeUrl(clientId)));
    expect(asked.body).toContain('<label for="password">');
    const refused = await browser.submit(asked.url, { email: leaver.email, password: PASSWORD });
    expect(refused.status).toBe(422);
  });

  it('is required again everywhere after a password change', async () => {
    const { id, email } = await createUser(gateway);
    const tokens = await fetchTokens(gateway, clientId, email);
    await gateway.get(UsersService).changePassword(id, 'another long password');
    expect(await statusWith(gateway, tokens['access_token'])).toBe(401);
    const { browser, page } = await openLoginPage();
    expect((await browser.submit(page.url, { email, password: PASSWORD })).status).toBe(422);
    expect((await browser.submit(page.url, { email, password: 'another long password' })).status).toBe(303);
  });
});

describe('forms of other origins', () => {
  it.each<[string, Record<string, string>]>([
    ['no origin at all', {}],
    ['another site', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['another scheme', { origin: 'http://pay.example' }],
    ['another port', { origin: 'https://pay.example:8443' }],
    ['another referrer', { referer: 'https://evil.example/?https://pay.example' }],
    ['an origin that only begins alike', { origin: 'https://pay.example.evil.example' }],
  ])('are refused: %s', async (_from, headers) => {
    const { browser, page } = await openLoginPage();
    const refused = await browser.submit(page.url, { email: user.email, password: PASSWORD }, headers);
    expect(refused.status).toBe(403);
    expectPage(refused);
    expect(refused.headers.getSetCookie()).toEqual([]);
  });

  it('are accepted from the gateway with a Referer header alone', async () => {
    const { browser, page } = await openLoginPage();
    const headers = { referer: page.url.href };
    const answer = await browser.submit(page.url, { email: user.email, password: PASSWORD }, headers);
    expect(answer.status).toBe(303);
  });

  it('are refused without the cookie of the browser that started', async () => {
    const { page } = await openLoginPage();
    for (const answer of [
      await new Browser(gateway).get(page.url),
      await new Browser(gateway).submit(page.url, { email: user.email, password: PASSWORD }),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body).toContain('This sign-in has expired');
    }
  });

  it('are refused at the URL of another sign-in, with any cookies', async () => {
    const [first, second] = [await openLoginPage(), await openLoginPage()];
    const response = await fetch(`${gateway.baseUrl}${second.page.url.pathname}`, {
      method: 'POST',
      headers: { origin: BASE_URL, cookie: first.browser.cookieTexts.join('; ') },
      body: new URLSearchParams({ email: user.email, password: PASSWORD }),
    });
    expect(response.status).toBe(400);
  });

  it('are refused after the sign-in has expired', async () => {
    const { browser, page } = await openLoginPage();
    gateway.clock.advanceSeconds(3_601);
    const answer = await browser.submit(page.url, { email: user.email, password: PASSWORD });
    gateway.clock.advanceSeconds(-3_601);
    expect(answer.status).toBe(400);
  });
});
