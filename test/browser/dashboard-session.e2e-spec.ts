import { createHash } from 'node:crypto';
import { Browser } from '../support/browser.js';
import { createMerchant } from '../support/dashboard.js';
import { newPkce, PASSWORD, statusWith } from '../support/oauth-api.js';
import { startTestGateway, type TestGateway } from '../support/test-gateway.js';

const EMAIL = 'zoe@example.test';
const ASSET = /\/dashboard\/assets\/([\w.-]+\.js)/;

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ BASE_URL: 'https://pay.example.com' });
  await createMerchant(gateway, EMAIL);
});
afterAll(() => gateway.close());

const OWN = { origin: 'https://pay.example.com', 'x-requested-with': 'dashboard' };

/** What the browser sends to the session's routes. */
async function ask(
  method: string,
  path: string,
  { cookie, headers = OWN, body }: { cookie?: string; headers?: Record<string, string>; body?: unknown } = {},
) {
  const response = await fetch(`${gateway.baseUrl}/dashboard/session${path}`, {
    method,
    headers: {
      ...headers,
      ...(cookie !== undefined && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = (text === '' ? {} : JSON.parse(text)) as {
    data: { accessToken: string; expiresIn: number };
    code: string;
  };
  const [set = ''] = response.headers.getSetCookie();
  return { status: response.status, answer, set, cookie: set.split(';')[0] ?? '' };
}

/** A code of the dashboard's own sign-in. */
async function newCode(browser = new Browser(gateway)) {
  const { verifier, challenge } = newPkce();
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'dashboard',
    redirect_uri: 'https://pay.example.com/dashboard/callback',
    scope: '*',
    state: 'a state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  const first = await browser.get(`/api/oauth/authorize?${query.toString()}`);
  let answer = first;
  for (let hop = 0; hop < 6 && answer.location && !answer.location.pathname.startsWith('/dashboard'); hop++)
    answer = await browser.get(answer.location);
  if (!answer.location) {
    const page = await browser.follow(first);
    answer = await browser.submit(page.url, { email: EMAIL, password: PASSWORD });
    while (answer.location && !answer.location.pathname.startsWith('/dashboard'))
      answer = await browser.get(answer.location);
  }
  return { code: answer.location?.searchParams.get('code') ?? '', codeVerifier: verifier, page: answer };
}

async function begin() {
  const { code, codeVerifier } = await newCode();
  return ask('POST', '', { body: { code, codeVerifier } });
}

describe('the session of the dashboard', () => {
  it('begins with a code, without a consent page, and keeps the refresh token in a cookie', async () => {
    const { status, answer, set } = await begin();
    expect(status).toBe(200);
    expect(answer.data).toEqual({ accessToken: expect.any(String) as string, expiresIn: 3600 });
    expect(set).toMatch(/^__Host-dashboard_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
    expect(await statusWith(gateway, answer.data.accessToken)).toBe(200);
  });

  it('signs in again without a password while the session of the browser lasts', async () => {
    const browser = new Browser(gateway);
    await newCode(browser);
    expect((await newCode(browser)).code).not.toBe('');
  });

  it('is refreshed by its cookie, which works once', async () => {
    const { cookie } = await begin();
    const refreshed = await ask('POST', '/refresh', { cookie });
    expect(refreshed.status).toBe(200);
    expect(refreshed.cookie).not.toBe(cookie);
    expect(await statusWith(gateway, refreshed.answer.data.accessToken)).toBe(200);
    // A copy of the old cookie ends all of it.
    expect((await ask('POST', '/refresh', { cookie })).status).toBe(401);
    expect(await statusWith(gateway, refreshed.answer.data.accessToken)).toBe(401);
  });

  it('ends at once, with its tokens, and ending it again is harmless', async () => {
    const { cookie, answer } = await begin();
    const ended = await ask('DELETE', '', { cookie });
    expect([ended.status, ended.set]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect((await ask('POST', '/refresh', { cookie })).status).toBe(401);
    expect(await statusWith(gateway, answer.data.accessToken)).toBe(401);
    expect((await ask('DELETE', '', { cookie })).status).toBe(204);
  });

  it('removes a cookie that no longer works', async () => {
    const { status, answer, set } = await ask('POST', '/refresh', {
      cookie: `__Host-dashboard_session=${'x'.repeat(43)}`,
    });
    expect([status, answer.code]).toEqual([401, 'unauthenticated']);
    expect(set).toContain('Max-Age=0');
  });

  it.each<[string, { code?: string; codeVerifier?: string }]>([
    ['another verifier', { codeVerifier: newPkce().verifier }],
    ['an invented code', { code: 'x'.repeat(43) }],
  ])('does not begin with %s', async (_what, changes) => {
    const { code, codeVerifier } = await newCode();
    const { status, answer } = await ask('POST', '', { body: { code, codeVerifier, ...changes } });
    expect([status, answer.code]).toEqual([401, 'unauthenticated']);
  });

  it.each([
    ['another site', { ...OWN, origin: 'https://evil.example' }],
    ['a form, which cannot send the header', { origin: OWN.origin }],
    ['a program without an origin', { 'x-requested-with': 'dashboard' }],
  ])('is not for %s, and the cookie stays', async (_who, headers) => {
    const { cookie } = await begin();
    for (const [method, path] of [
      ['POST', '/refresh'],
      ['DELETE', ''],
    ] as const) {
      const { status, set } = await ask(method, path, { cookie, headers });
      expect([status, set]).toEqual([400, '']);
    }
    expect((await ask('POST', '/refresh', { cookie })).status).toBe(200);
  });

  it('gives no other client the dashboard’s redirect, and the dashboard no other address', async () => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'dashboard',
      redirect_uri: 'https://evil.example/dashboard/callback',
      code_challenge: newPkce().challenge,
      code_challenge_method: 'S256',
    });
    const answer = await new Browser(gateway).get(`/api/oauth/authorize?${query.toString()}`);
    expect([answer.status, answer.location]).toEqual([400, null]);
  });
});

describe('the files of the dashboard', () => {
  const get = (path: string, headers: Record<string, string> = { accept: 'text/html' }) =>
    fetch(`${gateway.baseUrl}${path}`, { headers });

  it.each(['/dashboard', '/dashboard/payments', '/dashboard/payments/0190f6a0-0000-7000-8000-000000000000'])(
    'are one page at %s, not cached, with a policy that allows own files only',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const policy = answer.headers.get('content-security-policy') ?? '';
      const text = await answer.text();
      const [, style = ''] = /<style>([^]*?)<\/style>/.exec(text) ?? [];
      const hash = createHash('sha256').update(style).digest('base64');
      expect(policy).toContain(`script-src 'self'; style-src 'self' 'sha256-${hash}';`);
      expect(policy).not.toMatch(/unsafe|nonce|http|\*/);
      // Messages are data, which is not run; no other script has its text in the page.
      const scripts = text.match(/<script(?![^>]* src=)[^>]*>/g);
      expect(scripts).toEqual(['<script type="application/json" id="messages">']);
      expect(text).not.toMatch(/ style=| on\w+="/);
    },
  );

  it.each([
    [{ 'accept-language': 'fa' }, '<html lang="fa" dir="rtl">'],
    [{ 'accept-language': 'fa', cookie: 'dashboard_locale=de' }, '<html lang="de" dir="ltr">'],
    [{}, '<html lang="en" dir="ltr">'],
  ])('speak the language of %j', async (headers, tag) => {
    const text = await (await get('/dashboard', headers)).text();
    expect(text).toContain(tag);
    const [, messages = ''] = /id="messages">([^<]*)</.exec(text) ?? [];
    expect(Object.keys(JSON.parse(messages) as object)).toContain('nav.home');
  });

  it('have a hash in their names, may be cached for ever, and come compressed also with a cookie', async () => {
    const [path = '', name = ''] = ASSET.exec(await (await get('/dashboard')).text()) ?? [];
    expect(name).toMatch(/-[\w-]{8}\.js$/);
    const answer = await get(path, { cookie: 'a=b', 'accept-encoding': 'gzip' });
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    const plain = await get(path, { 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.text()).toBe(await answer.text());
  });

  it.each([
    'index.html',
    '..%2findex.html',
    '%2e%2e%2f%2e%2e%2fcheckout.js',
    'index-00000000.js',
    'constructor',
  ])('do not include %s', async (name) => {
    expect((await get(`/dashboard/assets/${name}`)).status).toBe(404);
  });

  it('are a 404 for programs that take only JSON', async () => {
    expect((await get('/dashboard/payments', { accept: 'application/json' })).status).toBe(404);
  });
});
