import { parseAuditHead } from '../src/platform/integrity/audit-chain.pure.js';
import { AuditVerification } from '../src/platform/integrity/audit-verification.service.js';
import { AccountApi } from './support/account-api.js';
import { sendRequest } from './support/api-request.js';
import { APPLICATIONS, ApplicationsApi } from './support/applications-api.js';
import { Browser } from './support/browser.js';
import {
  authorizeUrl,
  basic,
  fetchTokens,
  postForm,
  refresh,
  signIn,
  statusWith,
} from './support/oauth-api.js';
import { createOwnerWithClient } from './support/principals.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

interface Entry {
  act: string;
  actor: { kind: string; id: string | null };
  target: { kind: string; id: string } | null;
  details: Record<string, unknown>;
  address: string | null;
  head: string;
}
interface Session {
  id: string;
  clientId: string;
  clientName: string | null;
  scopes: string[];
  current: boolean;
}
interface OwnClient {
  clientId: string;
  name: string;
  scopes: string[];
  clientSecret: string;
}

let gateway: TestGateway;
let account: AccountApi;

beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(async () => {
  account = await AccountApi.open(gateway);
});
afterAll(() => gateway.close());

const listAudit = async (query: Record<string, string> = {}, token = account.accessToken) => {
  const search = new URLSearchParams(query).toString();
  const { status, text } = await sendRequest(`${gateway.baseUrl}/api/audit?${search}`, { token });
  const body = JSON.parse(text) as {
    data: Entry[];
    meta: { cursor: { next: string; hasMore: boolean } };
    errors?: Record<string, string[]>;
  };
  return { status, ...body };
};
const sessions = async (token = account.accessToken) =>
  (await account.call<Session[]>('GET', '/sessions', undefined, token)).data;

describe('GET /api/audit', () => {
  it('lists what concerns the account, newest first, piece by piece', async () => {
    const api = new ApplicationsApi(gateway, { userId: account.user.id, accessToken: account.accessToken });
    const first = await api.create();
    await api.call('PUT', `${APPLICATIONS}/${first.id}`, { name: 'Renamed' });
    await (await AccountApi.open(gateway)).put({ name: 'Somebody else' });
    const all = await listAudit();
    expect(all.status).toBe(200);
    expect(all.data.map(({ act }) => act)).toEqual([
      'application.changed',
      'application.created',
      'oauth_token.issued',
      'oauth_token.issued',
      'sign_in.succeeded',
      'user.created',
    ]);
    expect(all.data[0]).toMatchObject({
      actor: { kind: 'user', id: account.user.id },
      target: { kind: 'application', id: first.id },
      details: { fields: ['name'] },
      address: '127.0.0.0/24',
      head: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    const pieces: string[][] = [];
    let query: Record<string, string> = { limit: '3' };
    for (;;) {
      const { data, meta } = await listAudit(query);
      pieces.push(data.map(({ head }) => head));
      if (!meta.cursor.hasMore) break;
      query = { limit: '3', after: meta.cursor.next };
    }
    // A full last piece does not promise another one.
    const heads = all.data.map(({ head }) => head);
    expect(pieces).toEqual([heads.slice(0, 3), heads.slice(3)]);
  });

  it('filters by action, object and time', async () => {
    const api = new ApplicationsApi(gateway, { userId: account.user.id, accessToken: account.accessToken });
    const { id } = await api.create();
    const acts = async (query: Record<string, string>) => (await listAudit(query)).data.map(({ act }) => act);
    expect(await acts({ act: 'user.created' })).toEqual(['user.created']);
    expect(await acts({ issuedTokens: 'false' })).toEqual([
      'application.created',
      'sign_in.succeeded',
      'user.created',
    ]);
    expect(await acts({ targetKind: 'application' })).toEqual(['application.created']);
    expect(await acts({ targetId: id })).toEqual(['application.created']);
    expect(await acts({ to: '2020-01-01T00:00:00Z' })).toEqual([]);
    expect(await acts({ from: '2020-01-01T00:00:00Z', act: 'sign_in.succeeded' })).toEqual([
      'sign_in.succeeded',
    ]);
  });

  it('gives heads that the log still contains', async () => {
    const [entry] = (await listAudit()).data;
    const verify = (head = '') => gateway.get(AuditVerification).run({ kept: parseAuditHead(head) });
    expect(await verify(entry?.head)).toMatchObject({ problem: null });
    const lost = '0f'.repeat(32);
    expect(await verify(lost)).toMatchObject({ problem: `no row has the hash ${lost} any more` });
  });

  it.each([
    [{ act: 'nothing' }, 'act'],
    [{ after: 'x' }, 'after'],
    [{ after: '0' }, 'after'],
    [{ limit: '101' }, 'limit'],
    [{ from: 'yesterday' }, 'from'],
    [{ page: '2' }, 'page'],
  ])('refuses %j by the name of the parameter', async (query, field) => {
    const { status, errors = {} } = await listAudit(query as Record<string, string>);
    expect([status, Object.keys(errors)]).toEqual([422, [field]]);
  });
});

describe('sessions', () => {
  it('are the programs that the user has signed in to, with the one of the request', async () => {
    const other = await fetchTokens(gateway, account.clientId, account.user.email, 'payments:read');
    const own = await sessions();
    expect(own).toHaveLength(2);
    expect(own.find(({ current }) => current)).toMatchObject({
      clientId: account.clientId,
      clientName: 'Test <Dashboard>',
      scopes: expect.arrayContaining(['*', 'wallets:write']) as string[],
    });
    expect(own.find(({ current }) => !current)?.scopes).toEqual(['payments:read']);
    // A server's token belongs to no session.
    const machine = await createOwnerWithClient(gateway);
    expect(await sessions(machine.accessToken)).toEqual([]);
    expect(other['access_token']).toBeDefined();
  });

  it('end with their tokens, and sign out the browser that they were opened in', async () => {
    const browser = new Browser(gateway);
    await signIn(browser, account.user.email, authorizeUrl(account.clientId));
    const before = await sessions();
    const tokens = await fetchTokens(gateway, account.clientId, account.user.email);
    const known = new Set(before.map(({ id }) => id));
    const opened = (await sessions()).find(({ id }) => !known.has(id));
    expect((await account.call('DELETE', `/sessions/${opened?.id}`)).status).toBe(204);
    expect(await statusWith(gateway, tokens['access_token'])).toBe(401);
    expect((await refresh(gateway, account.clientId, tokens['refresh_token'])).status).toBe(400);
    expect((await account.call('DELETE', `/sessions/${opened?.id}`)).status).toBe(404);
    expect(await sessions()).toHaveLength(before.length);
    expect(await statusWith(gateway, account.accessToken)).toBe(200);
    const [entry] = (await listAudit({ act: 'session.ended' })).data;
    expect(entry).toMatchObject({ details: { grantId: opened?.id } });
  });

  it('of another user are not found', async () => {
    const stranger = await AccountApi.open(gateway);
    const [theirs] = await sessions(stranger.accessToken);
    expect((await account.call('DELETE', `/sessions/${theirs?.id}`)).status).toBe(404);
    expect(await statusWith(gateway, stranger.accessToken)).toBe(200);
  });

  it('end all at once but that of the request', async () => {
    const other = await fetchTokens(gateway, account.clientId, account.user.email);
    const { status, data } = await account.call<{ ended: number }>('POST', '/sessions/end-others');
    expect([status, data]).toEqual([200, { ended: 1 }]);
    expect(await statusWith(gateway, other['access_token'])).toBe(401);
    expect(await sessions()).toMatchObject([{ current: true }]);
  });
});

describe('own OAuth clients', () => {
  const create = (body: object, token = account.accessToken) =>
    account.call<OwnClient>('POST', '/oauth-clients', body, token);
  const tokenOf = (clientId: string, secret: string, scope?: string) =>
    postForm(
      gateway,
      '/token',
      { grant_type: 'client_credentials', ...(scope && { scope }) },
      basic(clientId, secret),
    );

  it('get tokens that act for the user, with their scopes only', async () => {
    const { status, data, headers } = await create({ name: 'Warehouse', scopes: ['payments:read'] });
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    const { clientId, clientSecret } = data;
    const { body } = await tokenOf(clientId, clientSecret);
    expect(body['scope']).toBe('payments:read');
    expect(await statusWith(gateway, body['access_token'])).toBe(403);
    expect((await tokenOf(clientId, clientSecret, '*')).status).toBe(400);
    const list = await account.call<OwnClient[]>('GET', '/oauth-clients');
    expect(list.data).toEqual([
      { clientId, name: 'Warehouse', scopes: ['payments:read'], createdAt: expect.any(String) as string },
    ]);
    expect(list.text).not.toContain(clientSecret);
  });

  it('replace their secret, and are deleted with their tokens', async () => {
    const { clientId, clientSecret } = (await create({ name: 'A', scopes: ['*'] })).data;
    const rotated = await account.call<OwnClient>('POST', `/oauth-clients/${clientId}/rotate-secret`);
    expect(rotated.data).toMatchObject({ clientId, name: 'A', scopes: ['*'] });
    expect((await tokenOf(clientId, clientSecret)).status).toBe(401);
    const { body } = await tokenOf(clientId, rotated.data.clientSecret);
    expect(await statusWith(gateway, body['access_token'])).toBe(200);
    expect((await account.call('DELETE', `/oauth-clients/${clientId}`)).status).toBe(204);
    expect(await statusWith(gateway, body['access_token'])).toBe(401);
    expect((await account.call('DELETE', `/oauth-clients/${clientId}`)).status).toBe(404);
    expect((await account.call('POST', `/oauth-clients/${clientId}/rotate-secret`)).status).toBe(404);
    const acts = (await listAudit({ targetId: clientId })).data.map(({ act }) => act);
    expect(acts).toEqual([
      'oauth_client.revoked',
      'oauth_token.issued',
      'oauth_client.changed',
      'oauth_client.created',
    ]);
  });

  it('cannot have more rights than the token that makes them', async () => {
    const weak = await fetchTokens(gateway, account.clientId, account.user.email, 'account:write');
    const token = String(weak['access_token']);
    expect(await create({ name: 'A', scopes: ['payments:read'] }, token)).toMatchObject({
      status: 422,
      error: { errors: { scopes: [expect.stringContaining('payments:read')] } },
    });
    expect((await create({ name: 'A', scopes: ['account:write'] }, token)).status).toBe(201);
    expect((await create({ name: 'B', scopes: ['wallets:write'] })).status).toBe(201);
    const { clientId } = (await create({ name: 'C', scopes: ['*'] })).data;
    const rotated = await account.call('POST', `/oauth-clients/${clientId}/rotate-secret`, undefined, token);
    expect(rotated.status).toBe(422);
  });

  it('take a sign-in of the last five minutes, and never the token of a server', async () => {
    const machine = await createOwnerWithClient(gateway);
    const body = { name: 'A', scopes: ['payments:read'] };
    expect((await create(body, machine.accessToken)).error.code).toBe('recent_sign_in_required');
    gateway.clock.advanceSeconds(301);
    expect(await create(body)).toMatchObject({ status: 401, error: { code: 'recent_sign_in_required' } });
  });

  it('of another user are not found', async () => {
    const stranger = await AccountApi.open(gateway);
    const { clientId } = (await create({ name: 'A', scopes: ['*'] })).data;
    const path = `/oauth-clients/${clientId}`;
    expect((await account.call('DELETE', path, undefined, stranger.accessToken)).status).toBe(404);
    const rotate = `${path}/rotate-secret`;
    expect((await account.call('POST', rotate, undefined, stranger.accessToken)).status).toBe(404);
  });

  it.each([
    ['no name', { scopes: ['*'] }, 'name'],
    ['a blank name', { name: ' ', scopes: ['*'] }, 'name'],
    ['no scopes', { name: 'A' }, 'scopes'],
    ['an empty list of scopes', { name: 'A', scopes: [] }, 'scopes'],
    ['an unknown scope', { name: 'A', scopes: ['all'] }, 'scopes.0'],
  ])('refuse %s by the name of the field', async (_what, body, field) => {
    const { status, error } = await create(body);
    expect([status, Object.keys(error.errors ?? {})]).toEqual([422, [field]]);
  });

  it('are at most 20', async () => {
    for (let n = 0; n < 20; n++)
      expect((await create({ name: `Client ${n}`, scopes: ['payments:read'] })).status).toBe(201);
    expect((await create({ name: 'One more', scopes: ['payments:read'] })).status).toBe(422);
  });
});

describe('saved views', () => {
  interface Saved {
    views: Record<string, string>;
    updatedAt: string | null;
  }
  const get = () => account.call<Saved>('GET', '/saved-views');
  const put = (body: unknown) => account.call<Saved>('PUT', '/saved-views', body);

  it('are empty at first, and replaced as a whole', async () => {
    expect((await get()).data).toEqual({ views: {}, updatedAt: null });
    const views = { 'Für mich 🛒': '/payments?status=UNDERPAID', constructor: '' };
    expect(await put({ views })).toMatchObject({ status: 200, data: { views } });
    expect((await get()).data.views).toEqual(views);
    await put({ views: { Other: '/refunds' } });
    expect((await get()).data.views).toEqual({ Other: '/refunds' });
    const stranger = await AccountApi.open(gateway);
    expect((await stranger.call<Saved>('GET', '/saved-views')).data.views).toEqual({});
  });

  it.each([
    ['nothing', {}],
    ['null', { views: null }],
    ['a list', { views: [] }],
    ['51 views', { views: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`view ${n}`, ''])) }],
    [
      'too many bytes',
      { views: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [n, 'x'.repeat(2_000)])) },
    ],
  ])('refuse %s by the name of the field', async (_what, body) => {
    const { status, error } = await put(body);
    expect([status, Object.keys(error.errors ?? {})]).toEqual([422, ['views']]);
  });
});
