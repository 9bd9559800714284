/**
 * @inOrder Users who sign in, are disabled and come back; the list shows what became of them.
 */
import { jest } from '@jest/globals';
import { runCli } from '../src/cli.js';
import { ApplicationsService } from '../src/applications/applications.service.js';
import { MembersService } from '../src/identity/oauth/people/members.service.js';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { AuditVerification } from '../src/platform/integrity/audit-verification.service.js';
import { AccountApi } from './support/account-api.js';
import { sendRequest } from './support/api-request.js';
import { createClient, createUser, fetchTokens, statusWith } from './support/oauth-api.js';
import { createOwnerWithClient } from './support/principals.js';
import { Shop } from './support/shop.js';

interface User {
  id: string;
  email: string;
  state: string;
  emailVouched: boolean;
  isOperator: boolean;
  twoFactorEnabled: boolean;
  applications: number;
  createdAt: string;
  lastSignInAt: string | null;
}
interface Page {
  data: User[];
  meta: { cursor: { next: string; hasMore: boolean } };
}

let shop: Shop;
let operator: AccountApi;

beforeAll(async () => {
  shop = await Shop.open({ ACCESS_CACHE_MS: '1000' });
  operator = await AccountApi.open(shop.gateway);
  await shop.gateway.get(UsersService).setOperator(operator.user.id, true);
});
afterAll(() => shop.close());

const USERS = '/api/admin/users';
const call = (method: string, path: string, token = operator.accessToken) =>
  shop.call<User>(method, `${USERS}${path}`, token);
const listed = async (query: string): Promise<Page> => {
  const { status, text } = await sendRequest(`${shop.gateway.baseUrl}${USERS}${query}`, {
    token: operator.accessToken,
  });
  expect(status).toBe(200);
  return JSON.parse(text) as Page;
};
async function cli(args: string[]) {
  const [output, errors]: [string[], string[]] = [[], []];
  const code = await runCli(args, shop.gateway.environment, {
    input: (async function* () {})(),
    write: (text) => output.push(text),
    writeError: (text) => errors.push(text),
  });
  return { code, output: output.join(''), errors: errors.join('') };
}
const acts = (userId: string) =>
  shop.gateway.sql.query<{ act: string; actor_id: string | null }>(
    `select act, actor_id from audit_log where target_id = $1 and act like 'user.%' order by seq`,
    [userId],
  );

describe('GET /api/admin/users', () => {
  it('shows a user with state, second factor, applications and last sign-in, and nothing else', async () => {
    const application = await shop.application();
    const [owner] = (await listed(`?email=${shop.owner.clientId}@example.test`)).data;
    expect(owner).toEqual({
      id: shop.owner.userId,
      email: `${shop.owner.clientId}@example.test`,
      emailVouched: true,
      state: 'active',
      isOperator: false,
      twoFactorEnabled: false,
      applications: 1,
      createdAt: expect.stringMatching(/Z$/),
      lastSignInAt: null,
    });
    await shop.gateway.get(ApplicationsService).delete(shop.owner.userId, application.id);
    const [[after], [self]] = [
      (await listed(`?email=${shop.owner.clientId}`)).data,
      (await listed(`?email=${operator.user.email}`)).data,
    ];
    expect(after?.applications).toBe(0);
    expect(self).toMatchObject({ isOperator: true, lastSignInAt: expect.stringMatching(/Z$/) });
  });

  it('continues from the cursor, newest first, without repeating or skipping anyone', async () => {
    const made = [];
    for (let i = 0; i < 5; i++) made.push((await createUser(shop.gateway)).id);
    const seen: string[] = [];
    let after = '';
    do {
      const { data, meta } = await listed(`?limit=2${after}`);
      seen.push(...data.map(({ id }) => id));
      after = meta.cursor.hasMore ? `&after=${meta.cursor.next}` : '';
    } while (after !== '');
    expect(seen.slice(0, 5)).toEqual(made.toReversed());
    expect(new Set(seen).size).toBe(seen.length);
    const [{ count } = { count: 0 }] = await shop.gateway.sql.query<{ count: number }>(
      'select count(*)::int as count from users',
    );
    expect(seen.length).toBe(count);
  });

  it.each([
    ['the whole address', (email: string) => email, 1],
    ['its beginning, in capitals', (email: string) => email.slice(0, 12).toUpperCase(), 1],
    ['its end', (email: string) => email.slice(1), 0],
    ['a wildcard', () => '%', 0],
    ['an underscore for a character', (email: string) => `_${email.slice(1)}`, 0],
  ])('searches by %s', async (_what, of, expected) => {
    const { email } = await createUser(shop.gateway);
    const { data } = await listed(`?email=${encodeURIComponent(of(email))}`);
    expect(data.filter((user) => user.email === email)).toHaveLength(expected);
    expect(data).toHaveLength(expected);
  });

  it('finds addresses and sign-ins by their indexes', async () => {
    const plan = await shop.gateway.sql.transaction(async (tx) => {
      await tx.query('set local enable_seqscan = off');
      return [
        ...(await tx.query<object>(
          `explain select 1 from users u where u.email ~>=~ $1 and u.email ~<=~ ($1 || chr(1114111))`,
          ['user-1'],
        )),
        ...(await tx.query<object>(
          `explain select at from audit_log l where l.user_id = $1 and l.act = 'sign_in.succeeded' order by seq desc limit 1`,
          ['x'],
        )),
      ];
    });
    expect(JSON.stringify(plan)).toContain('users_email_prefix');
    expect(JSON.stringify(plan)).toContain('audit_log_sign_ins');
  });

  it('names a user whose row another program has changed', async () => {
    const { id, email } = await createUser(shop.gateway);
    await shop.gateway.sql.query(`update users set is_operator = true where id = $1`, [id]);
    expect((await listed(`?email=${email}`)).data).toMatchObject([{ state: 'changed' }]);
    expect((await call('POST', `/${id}/disable`)).status).toBe(404);
    await shop.gateway.sql.query(`update users set is_operator = false where id = $1`, [id]);
  });
});

describe('who may do it', () => {
  const ROUTES: readonly [string, string][] = [
    ['POST', 'disable'],
    ['POST', 'enable'],
    ['POST', 'password-link'],
    ['DELETE', ''],
  ];

  it.each(ROUTES)(
    '%s %s is refused to a merchant, to a server, and long after the sign-in',
    async (method, act) => {
      const { id } = await createUser(shop.gateway);
      const path = `/${id}${act && `/${act}`}`;
      const merchant = await AccountApi.open(shop.gateway);
      expect((await call(method, path, merchant.accessToken)).body).toMatchObject({
        code: 'operator_required',
      });
      const server = await createOwnerWithClient(shop.gateway);
      await shop.gateway.get(UsersService).setOperator(server.userId, true);
      expect((await call(method, path, server.accessToken)).body).toMatchObject({
        code: 'recent_sign_in_required',
      });
      await shop.gateway.get(UsersService).setOperator(server.userId, false);
      shop.gateway.clock.advanceSeconds(301);
      const late = await call(method, path);
      expect([late.status, late.body]).toEqual([
        401,
        expect.objectContaining({ code: 'recent_sign_in_required' }),
      ]);
      expect(await acts(id)).toEqual([{ act: 'user.created', actor_id: null }]);
      const again = await fetchTokens(
        shop.gateway,
        operator.clientId,
        operator.user.email,
        '* wallets:write',
      );
      operator = Object.assign(operator, { accessToken: String(again['access_token']) });
    },
  );
});

describe('disabling a user', () => {
  it('ends sign-ins at once, and client tokens within a second in another process', async () => {
    const other = await shop.gateway.another();
    const application = await shop.application();
    expect(await statusWith(shop.gateway, shop.owner.accessToken)).toBe(200);
    const create = async () => {
      const { clientId, clientToken: token } = application;
      const body = { amount: 1, currencyCode: 'USD', reference: 'r', referenceLabel: 'l', clientId };
      return (await sendRequest(`${other.baseUrl}/api/payment/checkout`, { token, body })).status;
    };
    let now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    expect(await create()).toBe(201);
    const disabled = await call('POST', `/${shop.owner.userId}/disable`);
    expect([disabled.status, disabled.body.data.state]).toEqual([200, 'disabled']);
    expect(await statusWith(shop.gateway, shop.owner.accessToken)).toBe(401);
    expect(await create()).toBe(201);
    now += 1_000;
    expect(await create()).toBe(401);
    expect((await call('POST', `/${shop.owner.userId}/enable`)).body.data.state).toBe('active');
    now += 1_000;
    expect(await create()).toBe(201);
    expect((await acts(shop.owner.userId)).slice(-2)).toEqual([
      { act: 'user.disabled', actor_id: operator.user.id },
      { act: 'user.enabled', actor_id: operator.user.id },
    ]);
    clock.mockRestore();
    await other.close();
  });

  it('never leaves the gateway without an operator, by a route or by the command line', async () => {
    const refused = await call('POST', `/${operator.user.id}/disable`);
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining({
        code: 'invalid_state_transition',
        message: expect.stringContaining('only operator'),
      }),
    ]);
    const byCommand = await cli(['disable-user', '--email', operator.user.email]);
    expect([byCommand.code, byCommand.errors]).toEqual([1, expect.stringContaining('only operator')]);
    const second = await createUser(shop.gateway);
    const users = shop.gateway.get(UsersService);
    await users.setOperator(second.id, true);
    // At the same time: the second of them finds that it is about the last one.
    const both = await Promise.allSettled([users.disable(second.id), users.disable(operator.user.id)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await users.enable(operator.user.id);
    await users.enable(second.id);
    await users.setOperator(second.id, false);
    const again = await fetchTokens(shop.gateway, operator.clientId, operator.user.email, '* wallets:write');
    operator = Object.assign(operator, { accessToken: String(again['access_token']) });
  });
});

describe('a password link', () => {
  it('is shown once, opens the page, and is refused for a disabled user', async () => {
    const { id, email } = await createUser(shop.gateway);
    const made = await shop.call<{ url: string; expiresAt: string }>(
      'POST',
      `${USERS}/${id}/password-link`,
      operator.accessToken,
    );
    expect([made.status, Object.keys(made.body.data).sort()]).toEqual([201, ['expiresAt', 'url']]);
    const { pathname, search } = new URL(made.body.data.url);
    expect((await fetch(`${shop.gateway.baseUrl}${pathname}${search}`)).status).toBe(200);
    expect(JSON.stringify(await listed(`?email=${email}`))).not.toContain(search);
    await call('POST', `/${id}/disable`);
    expect((await call('POST', `/${id}/password-link`)).status).toBe(409);
    expect((await fetch(`${shop.gateway.baseUrl}${pathname}${search}`)).status).toBe(404);
  });
});

describe('erasing a user', () => {
  it.each(['the route', 'the command'])('leaves nothing personal in any table, by %s', async (way) => {
    const { id, email } = await createUser(shop.gateway);
    const person = await fetchTokens(shop.gateway, await createClient(shop.gateway), email, '*');
    const token = String(person['access_token']);
    const asPerson = (method: string, path: string, body?: unknown) => shop.call(method, path, token, body);
    await asPerson('PUT', '/api/account', { name: 'Erika Mustermann' });
    await asPerson('PUT', '/api/account/saved-views', { views: { Erika: '/payments' } });
    await asPerson('POST', '/api/account/invitations', { email: 'friend@example.test', role: 'viewer' });
    await asPerson('POST', '/api/account/oauth-clients', { name: 'Till', scopes: ['payments:read'] });
    const application = await asPerson('POST', '/api/payment-applications', {
      name: 'Corner shop',
      secret: 'a secret of the corner shop',
    });
    expect(application.status).toBe(201);

    expect((await call('DELETE', `/${id}`)).body).toMatchObject({
      message: expect.stringContaining('Disable'),
    });
    await call('POST', `/${id}/disable`);
    if (way === 'the route') expect((await call('DELETE', `/${id}`)).status).toBe(204);
    else expect(await cli(['erase-user', '--user', email])).toMatchObject({ code: 0 });

    expect((await listed(`?email=${id}@erased.invalid`)).data).toMatchObject([
      { id, state: 'erased', applications: 0, isOperator: false, twoFactorEnabled: false },
    ]);
    const tables = await shop.gateway.sql.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    for (const { name } of tables) {
      const rows = await shop.gateway.sql.query(
        `select from "${name}" t where strpos(t::text, $1) > 0 or strpos(t::text, 'Erika') > 0 or strpos(t::text, 'friend@') > 0`,
        [email],
      );
      expect([name, rows.length]).toEqual([name, 0]);
    }
    expect((await call('POST', `/${id}/enable`)).status).toBe(409);
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
    expect((await acts(id)).map(({ act }) => act)).toEqual(['user.created', 'user.disabled', 'user.erased']);
    expect((await shop.gateway.get(AuditVerification).run()).problem).toBeNull();
    const clients = await shop.gateway.sql.query<{ revoked: boolean }>(
      'select revoked_at is not null as revoked from oauth_clients where user_id = $1',
      [id],
    );
    expect(clients).toEqual([{ revoked: true }]);
  });

  it('says so when there is no such user', async () => {
    const unknownId = '019a1c2e-5b7d-7c3a-9e41-2f6d8b0a4c11';
    for (const [method, path] of [
      ['DELETE', `/${unknownId}`],
      ['POST', `/${unknownId}/disable`],
      ['POST', '/not-an-id/enable'],
      ['POST', `/${unknownId}/password-link`],
    ] as const)
      expect((await call(method, path)).body).toMatchObject({ code: 'user_not_found' });
  });
});

describe('transfer-account', () => {
  it('hands the account over: the new person sets a password, the former one is out, and shops go on', async () => {
    const former = await AccountApi.open(shop.gateway);
    const made = await shop.call<{ id: string }>('POST', '/api/payment-applications', former.accessToken, {
      name: 'Corner shop',
      secret: 'a secret of the corner shop',
    });
    const inviting = await AccountApi.open(shop.gateway);
    const invitation = { email: former.user.email, role: 'developer' };
    const { data } = await inviting.call<{ url: string }>('POST', '/invitations', invitation);
    const token = new URL(data.url).searchParams.get('token');
    expect((await former.call('POST', '/invitations/accept', { token })).status).toBeLessThan(300);
    const to = `next-${former.user.email}`;
    const { code, output } = await cli(['transfer-account', '--user', former.user.email, '--to', to]);
    expect(code).toBe(0);
    expect(await statusWith(shop.gateway, former.accessToken)).toBe(401);
    const [, link = ''] = /^link: +(\S+)/m.exec(output) ?? [];
    const { pathname, search } = new URL(link);
    const page = await fetch(`${shop.gateway.baseUrl}${pathname}${search}`);
    expect(page.status).toBe(200);
    await shop.gateway.get(UsersService).changePassword(former.user.id, 'correct horse battery');
    const next = await fetchTokens(shop.gateway, former.clientId, to, '*');
    const found = await shop.call(
      'GET',
      `/api/payment-applications/${made.body.data.id}`,
      String(next['access_token']),
    );
    expect(found.status).toBe(200);
    const accounts = await shop.gateway.get(MembersService).listAccounts(former.user.id);
    expect(accounts.map(({ accountId }) => accountId)).toEqual([former.user.id]);
    expect((await acts(former.user.id)).map(({ act }) => act)).toContain('user.transferred');
  });

  it.each([
    ['the only operator', () => operator.user.email, () => 'free@example.test', /only operator/],
    [
      'an address that is a user already',
      () => `${shop.owner.clientId}@example.test`,
      () => operator.user.email,
      /a user already/,
    ],
    ['what is no address', () => `${shop.owner.clientId}@example.test`, () => 'nobody', /valid email/],
  ])('refuses %s', async (_what, from, to, words) => {
    const { code, errors } = await cli(['transfer-account', '--user', from(), '--to', to()]);
    expect([code, errors]).toEqual([1, expect.stringMatching(words)]);
  });
});
