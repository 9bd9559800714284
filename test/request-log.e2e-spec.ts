import { UserErasure } from '../src/identity/oauth/people/user-erasure.service.js';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { RequestLog } from '../src/tokens/requests/request-log.service.js';
import { AccountApi } from './support/account-api.js';
import { sendRequest } from './support/api-request.js';
import { ApplicationsApi } from './support/applications-api.js';
import { createClientToken, tokensPath } from './support/client-tokens.js';
import { createOwnerWithClient, type OwnerWithClient } from './support/principals.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

const NOWHERE = '01890000-0000-7000-8000-000000000000';
const DAY_SECONDS = 24 * 3_600;

interface Logged {
  requestId: string;
  at: string;
  method: string;
  route: string;
  path: string;
  status: number;
  tokenId: string | null;
  oauthClientId: string | null;
  errorCode: string | null;
  errorBody: string | null;
}

let gateway: TestGateway;
let log: RequestLog;
let owner: OwnerWithClient;
let applicationId: string;
let token: string;
let tokenId: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  log = gateway.get(RequestLog);
});
beforeEach(async () => {
  owner = await createOwnerWithClient(gateway);
  applicationId = (await new ApplicationsApi(gateway, owner).create()).id;
  ({ token, id: tokenId } = await createClientToken(gateway, owner, applicationId));
});
afterAll(() => gateway.close());

const ask = (path: string, options: object = {}) =>
  sendRequest(`${gateway.baseUrl}${path}`, { token, ...options });
const idOf = (answer: { headers: Headers }) => answer.headers.get('x-request-id') ?? '';

/** What was logged, once everything that was answered so far is written. */
async function logged(query = '', as: string = owner.accessToken, headers = {}): Promise<Logged[]> {
  // An answer was noted by the time of the next one.
  await ask('/api/health/live', { token: null });
  while (await log.writeOnce()) continue;
  const { status, text } = await ask(`/api/request-log?limit=100&${query}`, { token: as, headers });
  if (status !== 200) throw new Error(`no log: ${status} ${text}`);
  return (JSON.parse(text) as { data: Logged[] }).data;
}
const ofToken = (query = '') => logged(`tokenId=${tokenId}&${query}`);

describe('the request log', () => {
  it('goes with its user', async () => {
    await ask('/api/payment');
    expect((await ofToken()).length).toBeGreaterThan(0);
    await gateway.get(UsersService).disable(owner.userId);
    await gateway.get(UserErasure).erase(owner.userId);
    const rows = await gateway.sql.query('select from request_log where user_id = $1', [owner.userId]);
    expect(rows).toEqual([]);
  });

  it('has what a client token asked, with the error as it was answered', async () => {
    const headers = { 'idempotency-key': 'order-4711' };
    const answer = await ask('/api/payment/checkout?x=1', {
      method: 'POST',
      body: { amount: 'much' },
      headers,
    });
    const [entry] = await ofToken();
    expect(entry).toEqual({
      requestId: idOf(answer),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      method: 'POST',
      route: '/api/payment/checkout',
      path: '/api/payment/checkout?x=1',
      status: 422,
      durationMs: expect.any(Number),
      paymentApplicationId: applicationId,
      tokenId,
      tokenLabel: 'Shop server',
      oauthClientId: null,
      idempotencyKey: 'order-4711',
      address: '127.0.0.0/24',
      errorCode: 'validation_failed',
      errorBody: answer.text,
    });
  });

  it('has what an OAuth2 client of the account asked, and not what others did', async () => {
    const { text } = await ask('/api/payment?per_page=7', { token: owner.accessToken });
    expect(text).toContain('"data"');
    const mine = await logged('path=per_page=7');
    expect(mine[0]).toMatchObject({ route: '/api/payment', tokenId: null, oauthClientId: owner.clientId });
    expect(mine[0]).toMatchObject({ status: 200, errorBody: null, errorCode: null });
    const other = await createOwnerWithClient(gateway);
    expect(await logged(`tokenId=${tokenId}`, other.accessToken)).toEqual([]);
    expect(await logged('path=/api/payment-app', other.accessToken)).toEqual([]);
  });

  it.each([
    ['a body that is no JSON', 400, '/api/payment/checkout', { method: 'POST', body: '{"amount":' }],
    ['a path that does not exist', 404, '/api/paiment', {}],
    ['a method that a path does not take', 405, '/api/payment/checkout', { method: 'DELETE' }],
    ['what takes an OAuth2 token', 401, '/api/refunds', {}],
  ])('has %s, which is refused before or by the guard', async (_case, status, path, options) => {
    const answer = await ask(path, options);
    expect(answer.status).toBe(status);
    const [entry] = await ofToken();
    expect(entry).toMatchObject({ requestId: idOf(answer), status, path, errorBody: answer.text });
  });

  it('has what a revoked token tries', async () => {
    await ask(`${tokensPath(applicationId)}/${tokenId}`, { token: owner.accessToken, method: 'DELETE' });
    const answer = await ask(`/api/payment/${NOWHERE}`);
    expect(answer.status).toBe(401);
    expect((await ofToken())[0]).toMatchObject({ requestId: idOf(answer), status: 401 });
  });

  it('keeps no secret: neither tokens nor what is secret in a query, and no body', async () => {
    const body = { amount: 1, reference: 'a body that nobody keeps' };
    await ask(`/api/payment/checkout?signature=topsecret&q=${token}`, { method: 'POST', body });
    await ofToken();
    const rows = await gateway.sql.query('select r::text as row from request_log r where user_id = $1', [
      owner.userId,
    ]);
    const text = JSON.stringify(rows);
    expect(text).toContain('signature=[redacted]&q=pct_[redacted]');
    for (const secret of [token, owner.accessToken, owner.clientSecret, 'topsecret', 'nobody keeps'])
      expect(text).not.toContain(secret);
  });

  it('has nothing of a person, and of whom no token tells', async () => {
    const person = await AccountApi.open(gateway);
    await person.call('GET', '');
    await sendRequest(`${gateway.baseUrl}/api/payment`, {});
    await sendRequest(`${gateway.baseUrl}/api/payment`, { token: `pct_${'a'.repeat(40)}` });
    expect(await logged('', person.accessToken)).toEqual([]);
  });

  it('is filtered by method and application, and refuses others by their name', async () => {
    await ask('/api/currencies');
    await ask('/api/payment/checkout', { method: 'POST', body: {} });
    const methods = async (query: string) => (await ofToken(query)).map(({ method }) => method);
    expect(await methods('method=POST')).toEqual(['POST']);
    expect(await methods('method=GET')).toEqual(['GET']);
    expect(await methods(`paymentApplicationId=${applicationId}`)).toEqual(['POST', 'GET']);
    expect(await methods(`paymentApplicationId=${NOWHERE}`)).toEqual([]);
    for (const [name, value] of [
      ['method', 'get'],
      ['paymentApplicationId', '1'],
    ] as const) {
      const refused = await ask(`/api/request-log?${name}=${value}`, { token: owner.accessToken });
      expect([refused.status, refused.text.includes(`"${name}"`)]).toEqual([422, true]);
    }
  });

  it('is filtered by status, path, request and time', async () => {
    const [good, bad] = [await ask('/api/currencies'), await ask(`/api/payment/${NOWHERE}`)];
    const ids = async (query: string) => (await ofToken(query)).map(({ requestId }) => requestId);
    expect(await ids('')).toEqual([idOf(bad), idOf(good)]);
    expect(await ids('status=4xx')).toEqual([idOf(bad)]);
    expect(await ids('status=2xx')).toEqual([idOf(good)]);
    expect(await ids('path=CURRENC')).toEqual([idOf(good)]);
    expect(await ids(`requestId=${idOf(good)}`)).toEqual([idOf(good)]);
    gateway.clock.advanceSeconds(60);
    expect(await ids(`since=${gateway.clock.now().toISOString()}`)).toEqual([]);
  });

  it.each([
    ['status=422', 'status'],
    ['status=error', 'status'],
    ['tokenId=1', 'tokenId'],
    ['requestId=abc', 'requestId'],
    ['since=yesterday', 'since'],
    ['path=', 'path'],
    ['after=x', 'after'],
    ['limit=101', 'limit'],
    ['q=1', 'q'],
  ])('names the field of a wrong filter: %s', async (query, field) => {
    const { status, text } = await ask(`/api/request-log?${query}`, { token: owner.accessToken });
    expect(status).toBe(422);
    expect(JSON.parse(text)).toMatchObject({ errors: { [field]: expect.anything() } });
  });

  it('goes on with its cursor, without a request twice', async () => {
    for (let n = 0; n < 5; n++) await ask(`/api/payment/${NOWHERE}?n=${n}`);
    const all = await ofToken();
    const seen: string[] = [];
    let after = '';
    for (let pages = 0; pages < 3; pages++) {
      const path = `/api/request-log?tokenId=${tokenId}&limit=2${after}`;
      const { text } = await ask(path, { token: owner.accessToken });
      const { data, meta } = JSON.parse(text) as { data: Logged[]; meta: { cursor: { next: string } } };
      seen.push(...data.map(({ requestId }) => requestId));
      after = `&after=${encodeURIComponent(meta.cursor.next)}`;
    }
    expect(seen).toEqual(all.map(({ requestId }) => requestId));
  });

  it('keeps the newest of an account, by number and by bytes', async () => {
    await plant(10_400, '');
    await ask('/api/currencies');
    await logged();
    expect(await count()).toBe(10_000);
    expect((await ofToken())[0]).toMatchObject({ path: '/api/currencies' });

    const other = owner;
    owner = await createOwnerWithClient(gateway);
    await plant(6_000, 'x'.repeat(2_000));
    await ask('/api/payment', { token: owner.accessToken });
    await logged();
    // The newest one, and older ones of 2,000 characters, a path of one, and 200 for the rest.
    expect(await count()).toBe(1 + Math.floor((8 * 1_048_576 - 212) / 2_201));
    owner = other;
    expect(await count()).toBeGreaterThanOrEqual(10_000);
  });

  it('is deleted after 7 days', async () => {
    await ask('/api/currencies');
    expect(await ofToken()).toHaveLength(1);
    gateway.clock.advanceSeconds(7 * DAY_SECONDS - 60);
    while (await log.purge()) continue;
    expect(await count()).toBeGreaterThan(0);
    gateway.clock.advanceSeconds(120);
    while (await log.purge()) continue;
    expect(await ofToken()).toEqual([]);
  });

  it('slows and fails no request when it cannot be written', async () => {
    await gateway.sql.query('alter table request_log rename to request_log_away');
    try {
      expect((await ask('/api/currencies')).status).toBe(200);
      await ask('/api/health/live', { token: null });
      await expect(log.writeOnce()).rejects.toThrow('request_log');
      expect((await ask('/api/currencies')).status).toBe(200);
    } finally {
      await gateway.sql.query('alter table request_log_away rename to request_log');
    }
    // The second one is written; the first was in the batch that was lost.
    expect(await ofToken()).toHaveLength(1);
  });
});

const count = async () => {
  const [row] = await gateway.sql.query<{ rows: number }>(
    'select count(*)::integer as rows from request_log where user_id = $1',
    [owner.userId],
  );
  return row?.rows;
};

/** Older rows of the account, written by another process. */
const plant = (rows: number, body: string) =>
  gateway.sql.query(
    `insert into request_log (user_id, at, request_id, method, route, path, status, duration_ms, address, error_body)
     select $1, $2::timestamptz - n * interval '1 second', gen_random_uuid(), 'GET', '/', '/', 200, 1, '', $3
     from generate_series(1, $4::integer) n`,
    [owner.userId, gateway.clock.now(), body, rows],
  );
