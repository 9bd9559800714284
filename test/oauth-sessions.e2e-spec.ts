import { AccountApi } from './support/account-api.js';
import { Browser } from './support/browser.js';
import {
  authorizeUrl,
  createClient,
  createUser,
  fetchTokens,
  newPkce,
  PASSWORD,
  redeem,
  refresh,
  signIn,
  statusWith,
} from './support/oauth-api.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';
import { TwoFactorApi } from './support/two-factor.js';

const BASE_URL = 'https://pay.example';
const SIGN_OUT = `${BASE_URL}/api/oauth/sign-out`;
const HOUR = 3_600;

let gateway: TestGateway;
let clientId: string;
let user: { id: string; email: string };

beforeAll(async () => {
  gateway = await startTestGateway({ BASE_URL });
  clientId = await createClient(gateway);
});
beforeEach(async () => {
  user = await createUser(gateway);
});
afterAll(() => gateway.close());

/** A browser in which the user has signed in and agreed. */
async function signedIn() {
  const browser = new Browser(gateway);
  const { verifier, challenge } = newPkce();
  const back = await signIn(browser, user.email, authorizeUrl(clientId, { code_challenge: challenge }));
  const { body } = await redeem(gateway, clientId, back.searchParams.get('code') ?? '', verifier);
  return { browser, accessToken: body['access_token'] };
}

/** What the authorization endpoint does next: it returns a code without a question, or asks for a password. */
async function nextStep(browser: Browser): Promise<'code' | 'password' | 'other'> {
  const { location, body } = await browser.follow(await browser.get(authorizeUrl(clientId)));
  if (location?.searchParams.has('code')) return 'code';
  return body.includes('<label for="password">') ? 'password' : 'other';
}

describe('signing out', () => {
  it('ends the session of the browser, and the tokens of clients stay valid', async () => {
    const { browser, accessToken } = await signedIn();
    const stolen = browser.cookieTexts.join('; ');
    const page = await browser.get(SIGN_OUT);
    expect(page.status).toBe(200);
    expect(page.body).toContain(`<strong>${user.email}</strong>`);
    expect(await nextStep(browser)).toBe('code');

    const done = await browser.submit(SIGN_OUT, {});
    expect([done.status, done.headers.get('clear-site-data')]).toEqual([200, '"cache", "storage"']);
    expect(done.headers.get('cache-control')).toBe('no-store');
    expect(done.body).toContain('You are signed out');
    expect(browser.cookieTexts.filter((text) => text.includes('oauth_session'))).toEqual([]);
    // The browser is still known: it keeps attempts of its own.
    expect(browser.cookieTexts.some((text) => text.startsWith('__Host-oauth_browser='))).toBe(true);

    expect(await nextStep(browser)).toBe('password');
    const replayed = await fetch(`${gateway.baseUrl}/api/oauth/sign-out`, { headers: { cookie: stolen } });
    expect(await replayed.text()).toContain('You are signed out');
    expect(await statusWith(gateway, accessToken)).toBe(200);
  });

  it('is offered where access is asked for, which can then not be given any more', async () => {
    const browser = new Browser(gateway);
    const login = await browser.follow(await browser.get(authorizeUrl(clientId)));
    const consent = await browser.follow(
      await browser.submit(login.url, { email: user.email, password: PASSWORD }),
    );
    const [, href = ''] = /<a href="([^"]+)">Sign out<\/a>/.exec(consent.body) ?? [];
    expect(new URL(href, consent.url).href).toBe(SIGN_OUT);
    expect((await browser.submit(SIGN_OUT, {})).status).toBe(200);
    const end = await browser.follow(await browser.submit(consent.url, { decision: 'allow' }));
    expect(end.status).toBe(400);
    expect(end.location).toBeNull();
  });

  it('shows the signed-out page for a missing cookie and for one that is not authentic', async () => {
    const { browser } = await signedIn();
    const forged = browser.cookieTexts.join('; ').replace(/(oauth_session=)[^;]/, '$1~');
    for (const cookie of ['', '__Host-oauth_session=x', forged]) {
      const answer = await fetch(`${gateway.baseUrl}/api/oauth/sign-out`, { headers: { cookie } });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('Nobody is signed in');
    }
  });

  it.each<Record<string, string>>([{}, { origin: 'https://evil.example' }, { origin: 'null' }])(
    'is not possible from another site: %j',
    async (headers) => {
      const { browser } = await signedIn();
      const refused = await browser.submit(SIGN_OUT, {}, headers);
      expect(refused.status).toBe(403);
      expect(refused.headers.get('clear-site-data')).toBeNull();
      expect(await nextStep(browser)).toBe('code');
    },
  );
});

describe('a browser session', () => {
  it('ends after an hour in which it was not used', async () => {
    const { browser } = await signedIn();
    gateway.clock.advanceSeconds(HOUR - 1);
    expect(await nextStep(browser)).toBe('code');
    gateway.clock.advanceSeconds(HOUR + 1);
    expect(await nextStep(browser)).toBe('password');
  });

  it('ends 12 hours after the sign-in, however often it is used', async () => {
    const { browser } = await signedIn();
    for (let i = 0; i < 12; i++) {
      gateway.clock.advanceSeconds(HOUR - 5);
      expect(await nextStep(browser)).toBe('code');
    }
    gateway.clock.advanceSeconds(61);
    expect(await nextStep(browser)).toBe('password');
  });
});

describe('a second factor', () => {
  it('ends every other sign-in when it is enabled, and when it is disabled', async () => {
    const account = await AccountApi.open(gateway);
    const elsewhere = await fetchTokens(gateway, account.clientId, account.user.email);
    const stranger = await AccountApi.open(gateway);
    const api = await TwoFactorApi.open(account);
    expect(await statusWith(gateway, elsewhere['access_token'])).toBe(401);
    expect((await refresh(gateway, account.clientId, elsewhere['refresh_token'])).body['error']).toBe(
      'invalid_grant',
    );

    const { browser, typeCode } = await api.openCodePage();
    expect((await browser.follow(await typeCode(api.code()))).body).toContain('Allow access?');
    const asksAgain = async () =>
      (await browser.follow(await browser.get(authorizeUrl(account.clientId)))).body.includes(
        'for="password"',
      );
    expect(await asksAgain()).toBe(false);
    api.nextStep();
    expect((await api.disable(api.code())).status).toBe(204);
    expect(await asksAgain()).toBe(true);

    for (const token of [account.accessToken, stranger.accessToken])
      expect(await statusWith(gateway, token)).toBe(200);
  });
});
