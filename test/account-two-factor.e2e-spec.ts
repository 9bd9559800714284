import { TwoFactorService } from '../src/identity/oauth/people/two-factor.service.js';
import { AccountApi, refused } from './support/account-api.js';
import { ApplicationsApi } from './support/applications-api.js';
import { createClientToken } from './support/client-tokens.js';
import {
  authorizeUrl,
  createClient,
  newPkce,
  PASSWORD,
  redeem,
  REDIRECT_URI,
  statusWith,
} from './support/oauth-api.js';
import { Browser } from './support/browser.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';
import { codeAt, TwoFactorApi } from './support/two-factor.js';

const BASE_URL = 'https://pay.example';
const RECOVERY_CODE = /^[0-9A-Z]{4}(-[0-9A-Z]{4}){5}$/;
const wrongCode = refused('code', /not correct or was used before/);

let gateway: TestGateway;
let account: AccountApi;
let api: TwoFactorApi;

beforeAll(async () => {
  gateway = await startTestGateway({ BASE_URL });
});
beforeEach(async () => {
  account = await AccountApi.open(gateway);
  api = new TwoFactorApi(account);
});
afterAll(() => gateway.close());

const statuses = (answers: { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

/** Everything that is stored about accounts and sign-ins, as text. */
async function dump(): Promise<string> {
  const [row] = await gateway.sql.query<{ text: string }>(
    `select (select string_agg(f::text, ' ') from second_factors f)
       || (select string_agg(c::text, ' ') from recovery_codes c)
       || (select string_agg(p::text, ' ') from oidc_payloads p) as text`,
  );
  return row?.text ?? '';
}

describe('enrolling', () => {
  it('returns a secret that is required from its first confirmed code on', async () => {
    expect((await api.get()).data).toEqual({ enabled: false, enabledAt: null, recoveryCodesLeft: 0 });
    const { status, data, headers } = await api.enrol();
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(data.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(data.uri).searchParams.get('secret')).toBe(data.secret);
    expect(data.uri).toContain(`otpauth://totp/pay.example:${encodeURIComponent(account.user.email)}?`);
    expect(data.qrCode).toMatchObject({ content: data.uri, format: 'image/svg+xml' });
    expect(data.qrCode.dataUri).toMatch(/^data:image\/svg\+xml;base64,/);

    expect((await api.get()).data.enabled).toBe(false);
    expect((await account.get()).data.twoFactorEnabled).toBe(false);
    expect((await api.openCodePage()).page.status).toBe(303);

    const confirmed = await api.confirm(api.code().replace(/(...)/, '$1 '));
    expect([confirmed.status, confirmed.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const { recoveryCodes } = confirmed.data;
    expect(recoveryCodes).toHaveLength(10);
    for (const code of recoveryCodes) expect(code).toMatch(RECOVERY_CODE);
    expect((await api.get()).data).toEqual({
      enabled: true,
      enabledAt: gateway.clock.now().toISOString().replace('.000Z', 'Z'),
      recoveryCodesLeft: 10,
    });
    expect((await account.get()).data.twoFactorEnabled).toBe(true);

    const stored = await dump();
    for (const secret of [data.secret, ...recoveryCodes, ...recoveryCodes.map((c) => c.replaceAll('-', ''))])
      expect(stored).not.toContain(secret);
  });

  it('again replaces an unconfirmed secret, and is refused once one is confirmed', async () => {
    const first = (await api.enrol()).data.secret;
    const second = (await api.enrol()).data.secret;
    expect(second).not.toBe(first);
    expect(await api.confirm(codeAt(first, gateway.clock.unixSeconds()))).toMatchObject(wrongCode);
    expect((await api.confirm(api.code())).status).toBe(200);
    api.nextStep();
    const conflict = { status: 409, error: { code: 'two_factor_already_enabled' } };
    expect(await api.enrol()).toMatchObject(conflict);
    expect(await api.confirm(api.code())).toMatchObject(conflict);
    expect((await api.get()).data.recoveryCodesLeft).toBe(10);
  });

  it('is confirmed by exactly one of five concurrent requests', async () => {
    await api.enrol();
    const answers = await Promise.all(Array.from({ length: 5 }, () => api.confirm(api.code())));
    expect(statuses(answers)).toEqual([200, 409, 409, 409, 409]);
    expect((await api.get()).data.recoveryCodesLeft).toBe(10);
  });

  it('requires the password and a code of the secret', async () => {
    expect(await api.enrol({ currentPassword: 'wrong' })).toMatchObject(
      refused('currentPassword', /not correct/),
    );
    expect(await api.enrol({})).toMatchObject(refused('currentPassword', /required/));
    expect(await api.confirm('123456')).toMatchObject({
      status: 409,
      error: { code: 'two_factor_not_enabled' },
    });
    await api.enrol();
    for (const code of [api.wrongCode(), '12345', 'ABCD-EFGH-JKMN-PQRS', ' ', '\u{1f511}'])
      expect(await api.confirm(code)).toMatchObject(wrongCode);
    for (const code of [undefined, null, '', 123_456, ['123456'], 'a\0', 'x'.repeat(65)])
      expect(await api.confirm(code)).toMatchObject(
        refused('code', /required|string|invalid characters|greater than 64/),
      );
    expect((await api.get()).data.enabled).toBe(false);
  });

  it('limits wrong codes, so that they cannot be guessed', async () => {
    await api.enrol();
    const guesses = await Promise.all(Array.from({ length: 12 }, () => api.confirm(api.wrongCode())));
    expect(statuses(guesses)).toEqual([...Array.from({ length: 10 }, () => 422), 429, 429]);
    expect((await api.confirm(api.code())).status).toBe(429);
  });
});

describe('signing in with a second factor', () => {
  beforeEach(async () => {
    api = await TwoFactorApi.open(account);
  });

  it('shows the page that asks for the code, then redirects with an authorization code that gives tokens', async () => {
    const browser = new Browser(gateway);
    const { verifier, challenge } = newPkce();
    const url = authorizeUrl(account.clientId, { code_challenge: challenge });
    const login = await browser.follow(await browser.get(url));
    const credentials = { email: account.user.email, password: PASSWORD };
    const asked = await browser.submit(login.url, credentials);
    expect(asked.status).toBe(200);
    expect(asked.body).toContain('<label for="code">');
    expect(asked.body).toContain('autocomplete="one-time-code"');
    expect(asked.body).toContain('to continue to <bdi>Test &lt;Dashboard&gt;</bdi>');
    expect(asked.headers.get('cache-control')).toBe('no-store');
    const csp = asked.headers.get('content-security-policy') ?? '';
    expect(csp).toContain(`form-action 'self' ${new URL(REDIRECT_URI).origin};`);
    // The password alone does not sign in, whatever is requested next.
    expect(browser.cookieTexts.join()).not.toContain('oauth_session=');
    expect((await browser.get(login.url)).body).toContain('<label for="code">');

    const refusedPage = await browser.submit(login.url, { code: api.wrongCode() });
    expect(refusedPage.status).toBe(422);
    expect(refusedPage.body).toMatch(/<p role="alert" id="error">That code is wrong or was used before/);
    expect(refusedPage.body).toContain('aria-describedby="error"');

    const consent = await browser.follow(await browser.submit(login.url, { code: api.code() }));
    expect(consent.body).toContain('Allow access?');
    const { location } = await browser.follow(await browser.submit(consent.url, { decision: 'allow' }));
    const code = location?.searchParams.get('code') ?? '';
    const { status, body } = await redeem(gateway, account.clientId, code, verifier);
    expect(status).toBe(200);
    expect(await statusWith(gateway, body['access_token'])).toBe(200);
  });

  it('accepts a code only once, also in concurrent requests', async () => {
    const code = api.code();
    const sessions = [];
    for (let i = 0; i < 4; i++) sessions.push(await api.openCodePage());
    const answers = await Promise.all(sessions.map(({ typeCode }) => typeCode(code)));
    expect(statuses(answers)).toEqual([303, 422, 422, 422]);
    // Neither does an earlier code, although its time step is not over yet.
    const older = codeAt(api.secret, gateway.clock.unixSeconds() - 30);
    expect(await api.signInStatus(older)).toBe(422);
    api.nextStep();
    expect(await api.signInStatus(api.code())).toBe(303);
  });

  it('accepts a code that is one time step off, and refuses one that is two', async () => {
    const now = gateway.clock.unixSeconds();
    expect(await api.signInStatus(codeAt(api.secret, now + 60))).toBe(422);
    expect(await api.signInStatus(codeAt(api.secret, now + 30))).toBe(303);
    gateway.clock.advanceSeconds(120);
    expect(await api.signInStatus(codeAt(api.secret, now + 60))).toBe(422);
    expect(await api.signInStatus(codeAt(api.secret, now + 90))).toBe(303);
  });

  it("accepts a recovery code once in any spelling, and none of another user's", async () => {
    const [first = '', second = ''] = api.recoveryCodes;
    const stranger = await TwoFactorApi.open(await AccountApi.open(gateway));
    expect(await stranger.signInStatus(first)).toBe(422);
    const sessions = [];
    for (let i = 0; i < 3; i++) sessions.push(await api.openCodePage());
    const answers = await Promise.all(
      sessions.map(({ typeCode }) => typeCode(` ${first.toLowerCase().replaceAll('-', ' ')}`)),
    );
    expect(statuses(answers)).toEqual([303, 422, 422]);
    expect(await api.signInStatus(second)).toBe(303);
    expect((await api.get()).data.recoveryCodesLeft).toBe(8);
  });

  it('refuses even the right code for a while after five wrong ones in a row', async () => {
    const sessions = [];
    for (let i = 0; i < 7; i++) sessions.push(await api.openCodePage());
    const answers = await Promise.all(sessions.map(({ typeCode }) => typeCode(api.wrongCode())));
    expect(statuses(answers)).toEqual([422, 422, 422, 422, 422, 429, 429]);
    const { typeCode } = await api.openCodePage();
    const blocked = await typeCode(api.code());
    expect([blocked.status, blocked.headers.get('retry-after')]).toEqual([429, '600']);
    expect(blocked.body).toContain('Too many wrong codes. Please wait 10 minutes, then try again.');
    expect(await api.signInStatus(api.recoveryCodes[0] ?? '')).toBe(429);
    // Another user is not affected.
    const other = await TwoFactorApi.open(await AccountApi.open(gateway));
    expect(await other.signInStatus(other.code())).toBe(303);
    gateway.clock.advanceSeconds(600);
    // With a page that says so.
    expect(await api.signInStatus(api.code())).toBe(200);
    // And a good one gives all the tries back.
    api.nextStep();
    for (let i = 0; i < 4; i++) expect(await api.signInStatus(api.wrongCode())).toBe(422);
    expect(await api.signInStatus(api.code())).toBe(303);
  });

  it('requires that the same browser sent the right password recently', async () => {
    const browser = new Browser(gateway);
    const login = await browser.follow(await browser.get(authorizeUrl(account.clientId)));
    // No password yet.
    const early = await browser.submit(login.url, { code: api.code() });
    expect(early.status).toBe(422);
    expect(early.body).toContain('<label for="password">');
    // Another user's page.
    const { url, typeCode } = await api.openCodePage();
    expect((await browser.submit(url, { code: api.code() })).status).toBe(400);
    expect((await typeCode(api.code(), { origin: 'https://evil.example' })).status).toBe(403);
    gateway.clock.advanceSeconds(601);
    const late = await typeCode(api.code());
    expect(late.status).toBe(422);
    expect(late.body).toContain('That took too long');
  });

  it('fails if the password was changed or the user disabled after the password step', async () => {
    const [first, second] = [await api.openCodePage(), await api.openCodePage()];
    const body = { currentPassword: PASSWORD, newPassword: 'another long password' };
    expect((await account.changePassword(body)).status).toBe(204);
    const answer = await first.typeCode(api.code());
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    await gateway.sql.query('update users set disabled_at = now() where id = $1', [account.user.id]);
    expect((await second.typeCode(api.code())).status).not.toBe(303);
  });

  it('can be abandoned for another account, and canceled', async () => {
    const { browser, url } = await api.openCodePage();
    const restarted = await browser.submit(url, { code: '', decision: 'restart' });
    expect(restarted.body).toContain('<label for="password">');
    expect((await browser.submit(url, { code: api.code() })).status).toBe(422);
    const other = await AccountApi.open(gateway);
    const consent = await browser.follow(
      await browser.submit(url, { email: other.user.email, password: PASSWORD }),
    );
    expect(consent.body).toContain(other.user.email);

    const second = await api.openCodePage();
    const denied = await second.browser.follow(
      await second.browser.submit(second.url, { code: '', decision: 'deny' }),
    );
    expect(denied.location?.searchParams.get('error')).toBe('access_denied');
  });

  it('is required again for another account in the same browser', async () => {
    const other = await AccountApi.open(gateway);
    const { browser, url, typeCode } = await api.openCodePage();
    await browser.submit(url, { email: other.user.email, password: 'wrong' });
    expect((await typeCode(api.code())).status).toBe(303);
    const victim = await TwoFactorApi.open(other);
    const page = await api.openCodePage();
    // The password of this account, and a code of that one.
    expect((await page.typeCode(victim.code())).status).toBe(422);
  });
});

describe('changes of a second factor', () => {
  beforeEach(async () => {
    api = await TwoFactorApi.open(account);
  });

  it('new recovery codes replace the old ones', async () => {
    const answer = await api.regenerate(api.code());
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const { recoveryCodes } = answer.data;
    expect(new Set([...recoveryCodes, ...api.recoveryCodes]).size).toBe(20);
    expect(await api.signInStatus(api.recoveryCodes[0] ?? '')).toBe(422);
    expect(await api.signInStatus(recoveryCodes[0] ?? '')).toBe(303);
    expect((await api.get()).data.recoveryCodesLeft).toBe(9);
  });

  it('one code allows one of several concurrent changes', async () => {
    const code = api.code();
    const answers = await Promise.all(Array.from({ length: 4 }, () => api.regenerate(code)));
    expect(statuses(answers)).toEqual([200, 422, 422, 422]);
    expect((await api.get()).data.recoveryCodesLeft).toBe(10);
  });

  it('disabling requires password and code, and afterwards the password alone signs in', async () => {
    expect(await api.disable(api.code(), 'wrong')).toMatchObject(refused('currentPassword', /not correct/));
    expect(await api.disable(api.wrongCode())).toMatchObject(wrongCode);
    expect(await api.disable(undefined)).toMatchObject(refused('code', /required/));
    expect((await api.get()).data.enabled).toBe(true);
    const answer = await api.disable(api.code());
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await api.get()).data).toEqual({ enabled: false, enabledAt: null, recoveryCodesLeft: 0 });
    expect((await api.openCodePage()).page.status).toBe(303);

    const conflict = { status: 409, error: { code: 'two_factor_not_enabled' } };
    expect(await api.disable('123456')).toMatchObject(conflict);
    expect(await api.regenerate('123456')).toMatchObject(conflict);
    expect((await TwoFactorApi.open(account)).recoveryCodes).toHaveLength(10);
  });

  it('a recovery code disables the second factor without the device', async () => {
    expect((await api.disable(api.recoveryCodes[9])).status).toBe(204);
  });

  it('a refused change does not use up its code', async () => {
    const code = api.code();
    expect((await api.disable(code, 'wrong')).status).toBe(422);
    expect((await api.disable(code)).status).toBe(204);
  });

  it('count wrong codes together with those of sign-in', async () => {
    for (let i = 0; i < 5; i++) expect((await api.disable(api.wrongCode())).status).toBe(422);
    const blocked = await api.disable(api.code());
    expect([blocked.status, blocked.error.code]).toEqual([429, 'too_many_requests']);
    expect(blocked.headers.get('retry-after')).toBe('600');
    expect(await api.signInStatus(api.code())).toBe(429);
  });

  it("the operator's command disables the second factor of a user who has lost device and recovery codes", async () => {
    for (let i = 0; i < 5; i++) await api.disable(api.wrongCode());
    expect(await gateway.get(TwoFactorService).reset(account.user.id)).toBe(true);
    expect(await gateway.get(TwoFactorService).reset(account.user.id)).toBe(false);
    // Whoever has the device may be signed in on it.
    expect(await statusWith(gateway, account.accessToken)).toBe(401);
    expect((await api.openCodePage()).page.status).toBe(303);
  });
});

it('a second-factor secret that was copied to another user cannot be decrypted', async () => {
  api = await TwoFactorApi.open(account);
  const thief = new TwoFactorApi(await AccountApi.open(gateway));
  await thief.enrol();
  await gateway.sql.query(
    `update second_factors set sealed_secret = (select sealed_secret from second_factors where user_id = $2)
     where user_id = $1`,
    [thief.account.user.id, account.user.id],
  );
  expect((await thief.confirm(api.code())).status).toBe(500);
  expect((await thief.get()).data.enabled).toBe(false);
});

it.each<[string, string]>([
  ['GET', '/two-factor'],
  ['POST', '/two-factor'],
  ['POST', '/two-factor/confirm'],
  ['POST', '/two-factor/recovery-codes'],
  ['POST', '/two-factor/disable'],
])('%s /api/account%s rejects client tokens', async (method, path) => {
  const owner = { userId: account.user.id, accessToken: account.accessToken };
  const { id } = await new ApplicationsApi(gateway, owner).create();
  const { token } = await createClientToken(gateway, owner, id);
  expect(await account.call(method, path, method === 'GET' ? undefined : {}, token)).toMatchObject({
    status: 401,
    error: { code: 'oauth_token_required' },
  });
});

it('another OAuth client of the same user requires the code as well', async () => {
  api = await TwoFactorApi.open(account);
  const clientId = await createClient(gateway);
  const browser = new Browser(gateway);
  const login = await browser.follow(await browser.get(authorizeUrl(clientId)));
  const page = await browser.submit(login.url, { email: account.user.email, password: PASSWORD });
  expect(page.body).toContain('<label for="code">');
});
