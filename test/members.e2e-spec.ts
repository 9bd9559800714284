import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { AccountApi } from './support/account-api.js';
import { sendRequest } from './support/api-request.js';
import { Browser } from './support/browser.js';
import { createClientToken } from './support/client-tokens.js';
import { PASSWORD } from './support/oauth-api.js';
import { createTenantFixtures, type TenantFixtures } from './support/tenant-fixtures.js';
import { createOwner, type Owner } from './support/principals.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';
import { newAccount } from './support/wallets-api.js';

const NEW_PASSWORD = 'seventeen green umbrellas';
const STRANGE = 'role_insufficient';

let gateway: TestGateway;
let owner: AccountApi;
let things: TenantFixtures;

beforeAll(async () => {
  gateway = await startTestGateway();
  owner = await AccountApi.open(gateway);
  things = await createTenantFixtures(gateway, ownerOf(owner));
});
afterAll(() => gateway.close());

const ownerOf = ({ user, accessToken }: AccountApi): Owner => ({ userId: user.id, accessToken });

interface Invited {
  id: string;
  email: string;
  url: string;
}
const invite = (email: string, role = 'viewer', by = owner) =>
  by.call<Invited>('POST', '/invitations', { email, role });
const tokenOf = ({ url }: Pick<Invited, 'url'>) => new URL(url).searchParams.get('token');

/** A user who has accepted an invitation of the owner. */
async function join(role: string): Promise<AccountApi> {
  const member = await AccountApi.open(gateway);
  const { data } = await invite(member.user.email, role);
  const accepted = await member.call('POST', '/invitations/accept', { token: tokenOf(data) });
  expect(accepted.status).toBe(200);
  return member;
}

/** A request of someone in the account of the owner, or in the one that is named. */
async function act(
  member: { accessToken: string },
  method: string,
  path: string,
  body?: unknown,
  account = owner.user.id,
) {
  const headers = { 'x-account': account };
  const answer = await sendRequest(`${gateway.baseUrl}${path}`, {
    method,
    token: member.accessToken,
    body,
    headers,
  });
  const parsed = (answer.text === '' ? {} : JSON.parse(answer.text)) as {
    code?: string;
    data?: unknown;
    message?: string;
  };
  return { ...answer, ...parsed };
}

const APPLICATION = () => `/api/payment-applications/${things.applicationId}`;
const order = () => ({
  amount: 100,
  currencyCode: 'USD',
  reference: 'R',
  referenceLabel: 'R',
  clientId: things.clientId,
});

/** What lists of a whole account contain of the owner's things. */
const LISTS = [
  ['/api/payment-applications', 'applicationId'],
  ['/api/payment', 'paymentId'],
  ['/api/payment-overview', 'paymentId'],
  ['/api/webhook-deliveries', 'deliveryId'],
] as const;

describe('a member', () => {
  it.each(['viewer', 'developer'])('who is a %s reads everything of the account', async (role) => {
    const member = await join(role);
    for (const [path, thing] of LISTS) {
      const inside = await act(member, 'GET', path);
      expect([path, inside.status, inside.text.includes(things[thing])]).toEqual([path, 200, true]);
      const own = await act(member, 'GET', path, undefined, member.user.id);
      expect([path, own.status, own.text.includes(things[thing])]).toEqual([path, 200, false]);
    }
    for (const path of [
      APPLICATION(),
      `/api/payment/${things.paymentId}`,
      `/api/payment/${things.paymentId}/timeline`,
      '/api/attention',
      '/api/refunds',
      `${APPLICATION()}/client-tokens`,
      `${APPLICATION()}/wallets`,
      '/api/account/members',
    ])
      expect([path, (await act(member, 'GET', path)).status]).toEqual([path, 200]);
    // Without the header they act in their own account.
    const { accessToken: token } = member;
    const { status } = await sendRequest(`${gateway.baseUrl}${APPLICATION()}`, { method: 'GET', token });
    expect(status).toBe(404);
  });

  it('who is a viewer changes nothing', async () => {
    const viewer = await join('viewer');
    const key = { extendedPublicKey: newAccount().publicExtendedKey };
    for (const [method, path, body] of [
      ['POST', '/api/payment/checkout', order()],
      ['POST', '/api/payment-applications', { name: 'Mine', secret: 'a long enough secret' }],
      ['PUT', APPLICATION(), { name: 'Renamed' }],
      ['DELETE', APPLICATION()],
      ['POST', `${APPLICATION()}/client-tokens`, { label: 'T', scopes: ['*'] }],
      ['DELETE', `${APPLICATION()}/client-tokens/${things.tokenId}`],
      ['PUT', `${APPLICATION()}/wallets/evm`, key],
      ['POST', `/api/payment/${things.paymentId}/cancel`],
      ['POST', `${APPLICATION()}/webhook-endpoint/pause`],
      ['POST', '/api/account/invitations', { email: 'x@example.test', role: 'viewer' }],
      ['GET', '/api/account/invitations'],
      ['DELETE', `/api/account/members/${viewer.user.id}`],
      ['PUT', `/api/account/members/${viewer.user.id}`, { role: 'developer' }],
    ] as const) {
      const refused = await act(viewer, method, path, body);
      expect([method, path, refused.status, refused.code]).toEqual([method, path, 403, STRANGE]);
      expect(refused.message).toBe('Your role in this account is viewer');
    }
  });

  it('who is a developer does everything but wallets, deletion and members', async () => {
    const developer = await join('developer');
    const cancel = `/api/payment/${things.paymentId}/cancel`;
    expect((await act(developer, 'POST', cancel)).status).toBe(200);
    expect((await act(developer, 'PUT', APPLICATION(), { name: 'Renamed' })).status).toBe(200);
    const token = { label: 'Theirs', scopes: ['*'] };
    expect((await act(developer, 'POST', `${APPLICATION()}/client-tokens`, token)).status).toBe(201);
    const key = { extendedPublicKey: newAccount().publicExtendedKey };
    for (const [method, path, body] of [
      ['DELETE', APPLICATION()],
      ['PUT', `${APPLICATION()}/wallets/evm`, key],
      ['DELETE', `${APPLICATION()}/wallets/evm`],
      ['PUT', '/api/account/wallets/evm', key],
      ['POST', '/api/account/invitations', { email: 'x@example.test', role: 'viewer' }],
      ['DELETE', `/api/account/members/${developer.user.id}`],
    ] as const)
      expect([path, (await act(developer, method, path, body)).code]).toEqual([path, STRANGE]);
    const [entry] = await gateway.sql.query<object>(
      `select actor_kind, actor_id, user_id from audit_log where act = 'client_token.created' order by seq desc limit 1`,
    );
    expect(entry).toEqual({ actor_kind: 'user', actor_id: developer.user.id, user_id: owner.user.id });
  });

  it('keeps settings, sessions and saved views of their own, whatever the header', async () => {
    const member = await join('developer');
    const account = await act(member, 'GET', '/api/account');
    expect(account.text).toContain(member.user.email);
    const views = { views: { Mine: '/payments' } };
    expect((await act(member, 'PUT', '/api/account/saved-views', views)).status).toBe(200);
    expect((await owner.call('GET', '/saved-views')).text).not.toContain('Mine');
    const sessions = await act(member, 'POST', '/api/account/sessions/end-others');
    expect(sessions.status).toBe(200);
    expect((await owner.get()).status).toBe(200);
  });

  it('is listed with the owner, and lists the account', async () => {
    const member = await join('viewer');
    const members = await owner.call<{ userId: string; role: string }[]>('GET', '/members');
    expect(members.data[0]).toMatchObject({ userId: owner.user.id, role: 'owner' });
    expect(members.data).toContainEqual(expect.objectContaining({ userId: member.user.id, role: 'viewer' }));
    const accounts = await member.call<object[]>('GET', '/memberships');
    expect(accounts.data).toMatchObject([
      { accountId: member.user.id, role: 'owner' },
      { accountId: owner.user.id, email: owner.user.email, role: 'viewer' },
    ]);
  });

  it('has the new role, or none, from the next request on', async () => {
    const member = await join('viewer');
    const rename = () => act(member, 'PUT', APPLICATION(), { name: 'Renamed again' });
    expect((await rename()).status).toBe(403);
    const path = `/members/${member.user.id}`;
    expect((await owner.call('PUT', path, { role: 'developer' })).status).toBe(200);
    expect((await rename()).status).toBe(200);
    expect((await owner.call('PUT', path, { role: 'owner' })).status).toBe(422);
    expect((await owner.call('DELETE', path)).status).toBe(204);
    expect((await rename()).code).toBe('account_not_found');
    expect((await owner.call('DELETE', path)).status).toBe(404);
  });

  it('can leave', async () => {
    const member = await join('developer');
    expect((await member.call('DELETE', `/memberships/${owner.user.id}`)).status).toBe(204);
    expect((await act(member, 'GET', '/api/payment')).code).toBe('account_not_found');
    expect((await member.call('DELETE', `/memberships/${member.user.id}`)).status).toBe(404);
  });

  it('may not act while the owner is disabled', async () => {
    const other = await AccountApi.open(gateway);
    const member = await AccountApi.open(gateway);
    const { data } = await invite(member.user.email, 'viewer', other);
    await member.call('POST', '/invitations/accept', { token: tokenOf(data) });
    const read = () => act(member, 'GET', '/api/payment', undefined, other.user.id);
    expect((await read()).status).toBe(200);
    await gateway.get(UsersService).disable(other.user.id);
    expect((await read()).code).toBe('account_not_found');
  });

  it('is refused when the row was changed outside of the gateway', async () => {
    const member = await join('viewer');
    await gateway.sql.query(`update account_members set role = 'developer' where user_id = $1`, [
      member.user.id,
    ]);
    expect((await act(member, 'GET', '/api/payment')).code).toBe('account_not_found');
  });
});

describe('a stranger', () => {
  it.each(['', 'nonsense', '0190f6a0-0000-7000-8000-000000000000', "' or true --"])(
    'who names the account "%s" gets 404',
    async (account) => {
      const stranger = await createOwner(gateway);
      const answer = await act(stranger, 'GET', '/api/payment', undefined, account);
      expect([answer.status, answer.code]).toEqual([404, 'account_not_found']);
    },
  );

  it('cannot tell the account of another one from none', async () => {
    const stranger = await createOwner(gateway);
    for (const [path] of LISTS) {
      const real = await act(stranger, 'GET', path);
      const none = await act(stranger, 'GET', path, undefined, '0190f6a0-0000-7000-8000-000000000000');
      expect(real.status).toBe(404);
      expect([real.code, real.message]).toEqual([none.code, none.message]);
    }
  });

  it('with a client token stays in its own application', async () => {
    const stranger = await AccountApi.open(gateway);
    const own = await createTenantFixtures(gateway, ownerOf(stranger));
    const { token } = await createClientToken(gateway, ownerOf(stranger), own.applicationId);
    const client = { accessToken: token };
    expect((await act(client, 'GET', `/api/payment/${things.paymentId}`)).code).toBe('account_not_found');
    const mine = await act(client, 'GET', `/api/payment/${own.paymentId}`, undefined, stranger.user.id);
    expect(mine.status).toBe(200);
  });
});

describe('an invitation', () => {
  it('lets someone without a user set a password and join', async () => {
    const email = 'newcomer@example.test';
    const { status, data, headers } = await invite(email, 'developer');
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    const browser = new Browser(gateway);
    const page = await browser.get(data.url);
    expect(page.body).toContain(owner.user.email);
    expect(page.body).toContain(email);
    expect((await browser.submit(data.url, { password: 'password1' })).status).toBe(422);
    expect((await browser.submit(data.url, { password: NEW_PASSWORD })).status).toBe(200);
    expect((await browser.submit(data.url, { password: NEW_PASSWORD })).status).toBe(404);
    const { id } = (await gateway.get(UsersService).findByEmail(email)) ?? { id: '' };
    const members = await owner.call<object[]>('GET', '/members');
    expect(members.data).toContainEqual(expect.objectContaining({ userId: id, role: 'developer' }));
    expect((await gateway.get(UsersService).findActive(id))?.isOperator).toBe(false);
  });

  it('asks an existing user for the password, and leaves it as it is', async () => {
    const user = await AccountApi.open(gateway);
    const { data } = await invite(user.user.email);
    const browser = new Browser(gateway);
    expect((await browser.get(data.url)).body).toContain('have an account on this gateway');
    expect((await browser.submit(data.url, { password: NEW_PASSWORD })).status).toBe(422);
    expect((await act(user, 'GET', '/api/payment')).status).toBe(404);
    expect((await browser.submit(data.url, { password: PASSWORD })).status).toBe(200);
    expect((await act(user, 'GET', '/api/payment')).status).toBe(200);
  });

  it('is for one address, and works once', async () => {
    const [user, other] = [await AccountApi.open(gateway), await AccountApi.open(gateway)];
    const { data } = await invite(user.user.email);
    const form = { token: tokenOf(data) };
    const refused = await other.call('POST', '/invitations/accept', form);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('another email address')]);
    const answers = await Promise.all([1, 2].map(() => user.call('POST', '/invitations/accept', form)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  });

  it('ends when it is replaced, withdrawn or a week old', async () => {
    const user = await AccountApi.open(gateway);
    const { email } = user.user;
    const accept = async (invitation: Invited) =>
      (await user.call('POST', '/invitations/accept', { token: tokenOf(invitation) })).status;
    const first = (await invite(email)).data;
    const second = (await invite(email)).data;
    expect(await accept(first)).toBe(422);
    const open = await owner.call<{ id: string; email: string }[]>('GET', '/invitations');
    expect(open.data.filter((one) => one.email === email)).toMatchObject([{ id: second.id }]);
    expect(open.text).not.toContain('token');
    expect((await owner.call('DELETE', `/invitations/${second.id}`)).status).toBe(204);
    expect((await owner.call('DELETE', `/invitations/${second.id}`)).status).toBe(404);
    expect(await accept(second)).toBe(422);
  });

  it('of another account cannot be seen or withdrawn', async () => {
    const { data } = await invite('somebody@example.test');
    const stranger = await AccountApi.open(gateway);
    expect((await stranger.call('DELETE', `/invitations/${data.id}`)).status).toBe(404);
    expect((await stranger.call('GET', '/invitations')).data).toEqual([]);
  });

  it('takes a person who has just signed in', async () => {
    const form = { email: 'late@example.test', role: 'viewer' };
    const server = await createOwner(gateway);
    const url = `${gateway.baseUrl}/api/account/invitations`;
    const ofServer = await sendRequest(url, { method: 'POST', token: server.accessToken, body: form });
    expect([ofServer.status, ofServer.text]).toEqual([401, expect.stringContaining('recent_sign_in')]);
    gateway.clock.advanceSeconds(301);
    expect((await invite('late@example.test')).status).toBe(401);
    await owner.signInAgain();
    expect((await invite('late@example.test')).status).toBe(201);
  });

  it.each([
    [{ email: 'nobody', role: 'viewer' }, 'email'],
    [{ email: 'a@example.test', role: 'owner' }, 'role'],
    [{ email: 'a@example.test' }, 'role'],
    [{ role: 'viewer' }, 'email'],
  ])('with %j is refused', async (body, field) => {
    const person = await AccountApi.open(gateway);
    const { status, error } = await person.call('POST', '/invitations', body);
    expect([status, Object.keys(error.errors ?? {})]).toEqual([422, [field]]);
    const own = { email: person.user.email, role: 'viewer' };
    expect((await person.call('POST', '/invitations', own)).status).toBe(422);
  });
});
