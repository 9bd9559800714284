import { sha256 } from '../src/platform/kernel/hmac.pure.js';
import { isClientToken } from '../src/tokens/client-token.pure.js';
import { ClientTokenPrincipalsService } from '../src/tokens/client-token-principals.service.js';
import { ApplicationsApi } from './support/applications-api.js';
import { blockWrites } from './support/blocked-table.js';
import { type ClientTokenDto, createClientToken, tokensPath } from './support/client-tokens.js';
import { createOwner, type Owner } from './support/principals.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

const NOWHERE = '01890000-0000-7000-8000-000000000000';
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

let gateway: TestGateway;
let owner: Owner;
let api: ApplicationsApi;
let applicationId: string;

beforeAll(async () => {
  gateway = await startTestGateway({ MAX_CLIENT_TOKENS_PER_APPLICATION: '3' });
  owner = await createOwner(gateway);
  api = new ApplicationsApi(gateway, owner);
});
beforeEach(async () => {
  applicationId = (await api.create()).id;
});
afterAll(() => gateway.close());

const create = (fields: object = {}) => createClientToken(gateway, owner, applicationId, fields);
const call = (method: string, path = '', body?: unknown) =>
  api.call<ClientTokenDto>(method, `${tokensPath(applicationId)}${path}`, body);

/** By hand: 204 has no body that {@link call} could read. */
const revoke = (id: string | undefined) =>
  fetch(`${gateway.baseUrl}${tokensPath(applicationId)}/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${owner.accessToken}` },
  });

/** What a request with this client token answers: 404 (no such payment) once it is let in. */
async function statusWith(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${gateway.baseUrl}/api/payment/${NOWHERE}`, { headers });
  await response.arrayBuffer();
  return response.status;
}

describe('creating a client token', () => {
  it('returns it once, and stores its hash', async () => {
    const expiresAt = new Date(gateway.clock.now().getTime() + 3_600_000).toISOString();
    const body = { label: 'Shop server', expiresAt, scopes: ['payments.create', 'payments.get'] };
    const { status, data } = await call('POST', '', body);
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      paymentApplicationId: applicationId,
      label: 'Shop server',
      scopes: ['payments.create', 'payments.get'],
      tokenPrefix: data.token?.slice(0, 8),
      expiresAt: `${expiresAt.slice(0, 19)}Z`,
      lastUsedAt: null,
      revokedAt: null,
      createdAt: expect.stringMatching(ISO) as string,
      token: expect.stringMatching(/^pct_[0-9A-Za-z]{40}$/) as string,
    });
    expect(isClientToken(data.token ?? '')).toBe(true);

    const [row] = await gateway.sql.query<{ text: string; token_hash: Buffer }>(
      'select t::text as text, token_hash from client_tokens t where id = $1',
      [data.id],
    );
    expect(row?.token_hash).toEqual(sha256(data.token ?? ''));
    expect(row?.text).not.toContain(data.token);
    for (const answer of [await call('GET', `/${data.id}`), await call('GET')])
      expect(answer.text).not.toContain(data.token);
  });

  it.each<[string, object]>([
    ['no expiry', {}],
    ['an expiry of null', { expiresAt: null }],
    ['a label of 255 characters, beyond the BMP', { label: '😀'.repeat(255) }],
    [
      'all four scopes',
      { scopes: ['*', 'payments.user-instructions.get', 'payments.get', 'payments.create'] },
    ],
    ['unknown fields', { token: 'pct_mine', userId: 'me', revokedAt: '2020-01-01T00:00:00Z' }],
  ])('accepts %s', async (_what, fields) => {
    const token = await create(fields);
    expect(token).toMatchObject({ expiresAt: null, revokedAt: null });
    expect(token.token).not.toBe('pct_mine');
    expect(await statusWith(token.token)).toBe(404);
  });

  it.each<[string, object, string]>([
    ['no label', { label: undefined }, 'label'],
    ['an empty label', { label: '' }, 'label'],
    ['a label of 256 characters', { label: 'x'.repeat(256) }, 'label'],
    ['a label that is no text', { label: 7 }, 'label'],
    ['NUL in the label', { label: 'a\0b' }, 'label'],
    ['no scopes', { scopes: undefined }, 'scopes'],
    ['an empty list of scopes', { scopes: [] }, 'scopes'],
    ['a scope that is no list', { scopes: '*' }, 'scopes'],
    ['an unknown scope', { scopes: ['payments.get', 'payments.refund'] }, 'scopes.1'],
    ['a scope twice', { scopes: ['payments.get', 'payments.get'] }, 'scopes.1'],
    ['five scopes', { scopes: ['*', '*', '*', '*', '*'] }, 'scopes'],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['an expiry without a zone', { expiresAt: '2099-01-01T00:00:00' }, 'expiresAt'],
    ['an expiry that is no date', { expiresAt: 'tomorrow' }, 'expiresAt'],
    ['an expiry as a number', { expiresAt: 4_070_908_800 }, 'expiresAt'],
  ])('refuses %s', async (_what, fields, field) => {
    const { status, error } = await call('POST', '', { label: 'Shop', scopes: ['*'], ...fields });
    expect([status, error.code, Object.keys(error.errors ?? {})]).toEqual([
      422,
      'validation_failed',
      [field],
    ]);
    expect((await call('GET')).meta?.pagination['total']).toBe(0);
  });

  it('refuses an expiry of this very moment', async () => {
    const { status } = await call('POST', '', {
      label: 'x',
      scopes: ['*'],
      expiresAt: gateway.clock.now().toISOString(),
    });
    expect(status).toBe(422);
  });

  it('is limited by the number of active tokens, also for concurrent requests, without revoked and expired ones', async () => {
    const expiring = new Date(gateway.clock.now().getTime() + 60_000).toISOString();
    const first = await create({ expiresAt: expiring });
    // Inserts wait until all eight have begun, so that a count without a lock would be outdated.
    const table = await blockWrites(gateway.databaseUrl, 'client_tokens');
    const creating = Array.from({ length: 8 }, () => call('POST', '', { label: 'many', scopes: ['*'] }));
    await table.untilWaiting(8);
    await table.release();
    const answers = await Promise.all(creating);
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, 201, 422, 422, 422, 422, 422, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.error.errors).toEqual({
      label: ['The payment application already has 3 active client tokens.'],
    });

    await revoke(answers.find(({ status }) => status === 201)?.data.id);
    expect((await call('POST', '', { label: 'in its place', scopes: ['*'] })).status).toBe(201);
    expect((await call('POST', '', { label: 'one more', scopes: ['*'] })).status).toBe(422);
    gateway.clock.advanceSeconds(61);
    expect(await statusWith(first.token)).toBe(401);
    expect((await call('POST', '', { label: 'for the expired', scopes: ['*'] })).status).toBe(201);
  });

  it('is refused for a deleted application', async () => {
    await api.call('DELETE', `/api/payment-applications/${applicationId}`);
    const { status, error } = await call('POST', '', { label: 'x', scopes: ['*'] });
    expect([status, error.code]).toEqual([409, 'application_deleted']);
  });
});

describe('reading client tokens', () => {
  it('lists them newest first, in pages, with revoked ones', async () => {
    const ids: string[] = [];
    for (const label of ['first', 'second', 'third']) {
      ids.unshift((await create({ label })).id);
      gateway.clock.advanceSeconds(1);
    }
    await revoke(ids[1]);
    const list = (query: string) => api.call<ClientTokenDto[]>('GET', tokensPath(applicationId) + query);

    const all = await list('');
    expect(all.data.map(({ id }) => id)).toEqual(ids);
    expect(all.data.map(({ revokedAt }) => revokedAt === null)).toEqual([true, false, true]);
    expect(all.data[0]).not.toHaveProperty('token');
    expect(all.meta?.pagination).toEqual({
      total: 3,
      count: 3,
      per_page: 20,
      current_page: 1,
      total_pages: 1,
    });

    const second = await list('?page=2&per_page=2');
    expect(second.data.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(second.meta?.pagination).toEqual({
      total: 3,
      count: 1,
      per_page: 2,
      current_page: 2,
      total_pages: 2,
    });
    expect((await list('?page=9')).data).toEqual([]);
    expect((await list('?per_page=101')).status).toBe(422);
  });

  it('returns one', async () => {
    const { token, ...shown } = await create({ label: 'one' });
    expect(token).toEqual(expect.any(String));
    expect((await call('GET', `/${shown.id}`)).data).toEqual(shown);
  });

  it.each(['PUT', 'PATCH', 'POST'])('cannot change one (%s)', async (method) => {
    const { id, token } = await create({ scopes: ['payments.create'] });
    const { status } = await call(method, `/${id}`, { scopes: ['*'] });
    expect(status).toBe(405);
    expect(await statusWith(token)).toBe(403);
  });
});

describe('revoking a client token', () => {
  it('takes effect at once, and repeating it changes nothing', async () => {
    const { id, token } = await create();
    expect(await statusWith(token)).toBe(404);
    const first = await revoke(id);
    expect([first.status, await first.text()]).toEqual([204, '']);
    expect(await statusWith(token)).toBe(401);
    const { revokedAt } = (await call('GET', `/${id}`)).data;
    expect(revokedAt).toMatch(ISO);
    gateway.clock.advanceSeconds(5);
    expect((await revoke(id)).status).toBe(204);
    expect((await call('GET', `/${id}`)).data.revokedAt).toBe(revokedAt);
  });
});

describe('an application that is deleted', () => {
  it('has no valid tokens until it is restored', async () => {
    const { token } = await create();
    await api.call('DELETE', `/api/payment-applications/${applicationId}`);
    expect(await statusWith(token)).toBe(401);
    expect((await call('GET')).data).toHaveLength(1);
    await api.call('POST', `/api/payment-applications/${applicationId}/restore`);
    expect(await statusWith(token)).toBe(404);
  });
});

describe("another user's client tokens", () => {
  it('return the same responses as missing ones', async () => {
    const { id } = await create();
    const other = (await api.create()).id;
    const stranger = new ApplicationsApi(gateway, await createOwner(gateway));
    const missing = { status: 404, code: 'payment_application_not_found' };
    for (const application of [applicationId, NOWHERE, 'not-a-uuid', applicationId.toUpperCase()]) {
      const asked = application === applicationId ? stranger : api;
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['POST', '', { label: 'mine', scopes: ['*'] }],
        ['GET', `/${id}`, undefined],
        ['DELETE', `/${id}`, undefined],
      ] as const) {
        const { status, error } = await asked.call(method, tokensPath(application) + path, body);
        expect([method, { status, code: error.code }]).toEqual([method, missing]);
      }
    }
    for (const token of [NOWHERE, 'not-a-uuid', `${id}x`])
      for (const method of ['GET', 'DELETE']) expect((await call(method, `/${token}`)).status).toBe(404);
    // Of the same owner, but of another application.
    expect((await api.call('GET', `${tokensPath(other)}/${id}`)).status).toBe(404);
    expect((await api.call('DELETE', `${tokensPath(other)}/${id}`)).status).toBe(404);
    expect((await call('GET', `/${id}`)).data.revokedAt).toBeNull();
  });
});

describe('lastUsedAt', () => {
  it('is updated by use, at most once a minute', async () => {
    const { id, token } = await create();
    const principals = gateway.get(ClientTokenPrincipalsService);
    const use = async () => {
      expect(await statusWith(token)).toBe(404);
      await principals.flush();
      return (await call('GET', `/${id}`)).data.lastUsedAt;
    };
    const first = await use();
    expect(first).toBe(`${gateway.clock.now().toISOString().slice(0, 19)}Z`);
    gateway.clock.advanceSeconds(59);
    expect(await use()).toBe(first);
    gateway.clock.advanceSeconds(1);
    expect(await use()).not.toBe(first);
  });
});
