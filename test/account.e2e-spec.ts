import { createClientToken } from './support/client-tokens.js';
import { AccountApi, refused } from './support/account-api.js';
import { ApplicationsApi } from './support/applications-api.js';
import { Browser } from './support/browser.js';
import {
  authorizeUrl,
  createClient,
  createUser,
  fetchTokens,
  PASSWORD,
  refresh,
  statusWith,
} from './support/oauth-api.js';
import { createOwner } from './support/principals.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

const NEW_PASSWORD = 'another long password';

let gateway: TestGateway;
let account: AccountApi;

beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(async () => {
  account = await AccountApi.open(gateway);
});
afterAll(() => gateway.close());

async function passwordHash(userId: string): Promise<string> {
  const [row] = await gateway.sql.query<{ hash: string }>(
    'select password_hash as hash from users where id = $1',
    [userId],
  );
  return row?.hash ?? '';
}

/** The status of a sign-in by the page: 303 leads on. */
async function signInStatus(email: string, password: string): Promise<number> {
  const browser = new Browser(gateway);
  const page = await browser.follow(await browser.get(authorizeUrl(account.clientId)));
  return (await browser.submit(page.url, { email, password })).status;
}

describe('the profile', () => {
  it('has the values given at creation', async () => {
    const { status, data, headers } = await account.get();
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(data).toEqual({
      id: account.user.id,
      email: account.user.email,
      name: null,
      isOperator: false,
      twoFactorEnabled: false,
      createdAt: gateway.clock.now().toISOString().replace('.000Z', 'Z'),
      refusedSignIns: 0,
      lastRefusedSignInAt: null,
    });
  });

  it('changes only the given fields, and null clears the name', async () => {
    const named = await account.put({ name: 'Zoë 🛒 Merchant' });
    expect(named).toMatchObject({
      status: 200,
      data: { name: 'Zoë 🛒 Merchant', email: account.user.email },
    });
    expect((await account.put({})).data).toEqual(named.data);
    expect((await account.put(undefined)).status).toBe(422);
    expect((await account.get()).data).toEqual(named.data);
    expect((await account.put({ name: null })).data.name).toBeNull();
  });

  it('ignores fields that users cannot change', async () => {
    const before = (await account.get()).data;
    const { data } = await account.put({ isOperator: true, id: 'x', twoFactorEnabled: true, disabledAt: 1 });
    expect(data).toEqual(before);
  });

  it.each<[string, object, string, RegExp]>([
    ['an empty name', { name: '' }, 'name', /required/],
    ['a blank name', { name: ' \t' }, 'name', /blank/],
    ['a long name', { name: 'x'.repeat(256) }, 'name', /255/],
    ['a number as name', { name: 5 }, 'name', /string/],
    ['NUL in the name', { name: 'a\0b' }, 'name', /invalid characters/],
    ['no email', { email: null }, 'email', /required/],
    ['a malformed email', { email: 'merchant', currentPassword: PASSWORD }, 'email', /valid email/],
    ['a list of emails', { email: ['a@example.test'] }, 'email', /string/],
    ['a long email', { email: `${'x'.repeat(250)}@example.test` }, 'email', /254/],
  ])('refuses %s with an error on the field', async (_what, body, field, message) => {
    expect(await account.put(body)).toMatchObject(refused(field, message));
    expect((await account.get()).data).toMatchObject({ email: account.user.email, name: null });
  });
});

describe('another email address', () => {
  it('requires the password, is stored normalized, and replaces the old one', async () => {
    const email = `New-${account.user.email}`;
    const body = { email: ` ${email.toUpperCase()} ` };
    expect(await account.put(body)).toMatchObject(refused('currentPassword', /required to change/));
    expect(await account.put({ ...body, currentPassword: 'wrong' })).toMatchObject(
      refused('currentPassword', /not correct/),
    );
    const { status, data } = await account.put({ ...body, currentPassword: PASSWORD });
    expect([status, data.email]).toEqual([200, email.toLowerCase()]);
    expect(await signInStatus(email, PASSWORD)).toBe(303);
    expect(await signInStatus(account.user.email, PASSWORD)).toBe(422);
  });

  it('needs no password when only the spelling differs', async () => {
    const { status, data } = await account.put({ email: ` ${account.user.email.toUpperCase()}` });
    expect([status, data.email]).toEqual([200, account.user.email]);
  });

  it('is given to one user when ten request it concurrently', async () => {
    const other = await createUser(gateway);
    const body = { email: other.email.toUpperCase(), currentPassword: PASSWORD };
    expect(await account.put(body)).toMatchObject(refused('email', /already been taken/));

    const accounts = [account];
    for (let i = 0; i < 4; i++) accounts.push(await AccountApi.open(gateway));
    const email = `wanted-by-all-${account.user.id}@example.test`;
    const answers = await Promise.all(accounts.map((one) => one.put({ email, currentPassword: PASSWORD })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422, 422, 422]);
  });
});

describe('a new password', () => {
  const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };

  it('replaces the old one and ends every sign-in except the current one', async () => {
    const elsewhere = await fetchTokens(gateway, account.clientId, account.user.email);
    const browser = new Browser(gateway);
    const page = await browser.follow(await browser.get(authorizeUrl(account.clientId)));
    const halfDone = await browser.follow(
      await browser.submit(page.url, { email: account.user.email, password: PASSWORD }),
    );
    expect(halfDone.body).toContain('Allow access?');
    const stranger = await AccountApi.open(gateway);

    const answer = await account.changePassword(body);
    expect([answer.status, answer.text, answer.headers.get('cache-control')]).toEqual([204, '', 'no-store']);

    expect(await statusWith(gateway, account.accessToken)).toBe(200);
    expect((await refresh(gateway, account.clientId, account.refreshToken)).status).toBe(200);
    expect(await statusWith(gateway, elsewhere['access_token'])).toBe(401);
    const refreshed = await refresh(gateway, account.clientId, elsewhere['refresh_token']);
    expect(refreshed.body['error']).toBe('invalid_grant');
    expect((await browser.submit(halfDone.url, { decision: 'allow' })).status).toBe(400);
    expect(await statusWith(gateway, stranger.accessToken)).toBe(200);

    expect(await signInStatus(account.user.email, PASSWORD)).toBe(422);
    expect(await signInStatus(account.user.email, NEW_PASSWORD)).toBe(303);
    expect(await passwordHash(account.user.id)).toMatch(/^\$argon2id\$/);
  });

  it('set with a token of the user’s own server ends every sign-in and keeps that token', async () => {
    const owner = await createOwner(gateway);
    const [user] = await gateway.sql.query<{ email: string }>('select email from users where id = $1', [
      owner.userId,
    ]);
    const email = user?.email ?? '';
    const currentPassword = `password of ${email.replace('@example.test', '')}`;
    const answer = await account.call(
      'POST',
      '/password',
      { currentPassword, newPassword: NEW_PASSWORD },
      owner.accessToken,
    );
    expect(answer.status).toBe(204);
    expect(await statusWith(gateway, owner.accessToken)).toBe(200);
    expect(await signInStatus(email, NEW_PASSWORD)).toBe(303);
  });

  it.each<[string, object, string, RegExp]>([
    ['a wrong current password', { ...body, currentPassword: 'wrong' }, 'currentPassword', /not correct/],
    ['no current password', { newPassword: NEW_PASSWORD }, 'currentPassword', /required/],
    ['null', { ...body, currentPassword: null }, 'currentPassword', /required/],
    ['an object', { ...body, currentPassword: {} }, 'currentPassword', /string/],
    ['a novel', { ...body, currentPassword: 'x'.repeat(5_000) }, 'currentPassword', /4096/],
    ['no new password', { currentPassword: PASSWORD }, 'newPassword', /required/],
    ['a short one', { ...body, newPassword: 'short' }, 'newPassword', /between 8 and 256/],
    ['a long one', { ...body, newPassword: 'x'.repeat(257) }, 'newPassword', /between 8 and 256/],
    ['a common one', { ...body, newPassword: 'iloveyou1' }, 'newPassword', /most common passwords/],
    ['the same one', { ...body, newPassword: PASSWORD }, 'newPassword', /differ/],
    [
      'the same one, typed otherwise',
      { ...body, newPassword: PASSWORD.replace('c', '\uff43') },
      'newPassword',
      /differ/,
    ],
    ['NUL in it', { ...body, newPassword: 'long enough\0' }, 'newPassword', /invalid characters/],
  ])('is refused with an error on the field: %s', async (_what, sent, field, message) => {
    const before = await passwordHash(account.user.id);
    expect(await account.changePassword(sent)).toMatchObject(refused(field, message));
    expect(await passwordHash(account.user.id)).toBe(before);
  });

  it('may not consist of words of its user and of the gateway', async () => {
    await account.put({ name: 'Ada Lovelace' });
    for (const newPassword of ['Lovelace2026', 'L0v3lace!', 'payment-gateway', 'user@example'])
      expect(await account.changePassword({ ...body, newPassword })).toMatchObject(
        refused('newPassword', /without the words of your name, your email address and this gateway/),
      );
    const long = { ...body, newPassword: 'Lovelace wrote notes' };
    expect((await account.changePassword(long)).status).toBe(204);
  });

  it('is set by one of five concurrent requests, and the others fail with the old password', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, i) =>
        account.changePassword({ ...body, newPassword: `${NEW_PASSWORD} ${i}` }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 422, 422, 422, 422]);
    const winner = answers.findIndex(({ status }) => status === 204);
    expect(await signInStatus(account.user.email, `${NEW_PASSWORD} ${winner}`)).toBe(303);
  });

  it('is refused for a while even with the right old password after ten wrong ones', async () => {
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => account.changePassword({ ...body, currentPassword: 'a guess' })),
    );
    const count = (status: number) => guesses.filter((answer) => answer.status === status).length;
    expect([count(422), count(429)]).toEqual([10, 2]);
    const blocked = await account.changePassword(body);
    expect([blocked.status, blocked.error.code]).toEqual([429, 'too_many_requests']);
    expect(blocked.headers.get('ratelimit-policy')).toBe('"current-password";q=10;w=600');
    expect(blocked.headers.get('retry-after')).toBe('60');
    // The same bucket for every door, and another one for everybody else.
    const email = { email: 'guessed@example.test', currentPassword: PASSWORD };
    expect((await account.put(email)).status).toBe(429);
    expect((await (await AccountApi.open(gateway)).changePassword(body)).status).toBe(204);
    gateway.clock.advanceSeconds(60);
    expect((await account.changePassword({ ...body, currentPassword: 'a guess' })).status).toBe(422);
    expect((await account.changePassword(body)).status).toBe(429);
    gateway.clock.advanceSeconds(60);
    expect((await account.changePassword(body)).status).toBe(204);
  });

  it('is possible although a wrong clock wrote the count of failures', async () => {
    await account.changePassword({ ...body, currentPassword: 'a guess' });
    await gateway.sql.query(
      `update failed_attempts set restored_at = restored_at + interval '1 year' where subject = $1`,
      [account.user.id],
    );
    expect((await account.changePassword(body)).status).toBe(204);
  });
});

describe('access to the account settings', () => {
  const ROUTES: [string, string][] = [
    ['GET', ''],
    ['PUT', ''],
    ['POST', '/password'],
  ];

  it.each(ROUTES)(
    'is refused with client tokens and without a token: %s /api/account%s',
    async (method, path) => {
      const owner = await createOwner(gateway);
      const { id } = await new ApplicationsApi(gateway, owner).create();
      const { token } = await createClientToken(gateway, owner, id);
      const body = method === 'GET' ? undefined : {};
      expect(await account.call(method, path, body, token)).toMatchObject({
        status: 401,
        error: { code: 'oauth_token_required' },
      });
      expect(await account.call(method, path, body, 'nobody')).toMatchObject({
        status: 401,
        error: { code: 'unauthenticated' },
      });
    },
  );

  it('is refused for a disabled user', async () => {
    await gateway.sql.query('update users set disabled_at = now() where id = $1', [account.user.id]);
    expect((await account.get()).status).toBe(401);
  });

  it('is given to a sign-in with another client, too', async () => {
    const clientId = await createClient(gateway);
    const tokens = await fetchTokens(gateway, clientId, account.user.email);
    const { data } = await account.call<{ id: string }>('GET', '', undefined, String(tokens['access_token']));
    expect(data.id).toBe(account.user.id);
  });
});
