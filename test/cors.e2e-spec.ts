import { randomUUID } from 'node:crypto';
import type { Operation } from '../src/platform/web/contract/openapi-types.js';
import { createClientToken } from './support/client-tokens.js';
import { DOCUMENT } from './support/contract/document-schemas.js';
import { operationsOf } from './support/contract/operations.js';
import { EventReader } from './support/event-reader.js';
import { expectError, type HttpProbe, JSON_TYPE, startHttpProbe } from './support/http-probe.js';
import { KeyedMerchant } from './support/keyed-api.js';
import { ask, type AskInit, LIMITED_ENV, limitsOf, newAddress, tally } from './support/limited-api.js';
import { createClient } from './support/oauth-api.js';
import { createOwner } from './support/principals.js';
import type { TestGateway } from './support/test-gateway.js';
import { WebhookHarness } from './support/webhook-harness.js';

const ORIGIN = 'https://shop.example';
const ID = '0190f6a0-0000-7000-8000-000000000000';

/** What no script of another origin may read: pages, and what asks for a secret that no browser keeps. */
const CLOSED = [
  'GET /',
  'GET /api/docs',
  'GET /api/docs/{asset}',
  'GET /api/oauth/authorize',
  'GET /api/oauth/authorize/{uid}',
  'GET /api/oauth/interaction/{uid}',
  'POST /api/oauth/interaction/{uid}',
  'GET /api/oauth/sign-out',
  'POST /api/oauth/sign-out',
  'GET /api/oauth/access-link',
  'POST /api/oauth/access-link',
  'POST /api/oauth/introspect',
  'GET /checkout/assets/{script}',
  'GET /checkout/assets/logo/{id}/{sha256}',
  'GET /checkout/embed.js',
  'GET /checkout/{paymentId}',
  'GET /checkout/{paymentId}/choose',
  'POST /checkout/{paymentId}/choose',
  'GET /checkout/{paymentId}/refund-request',
  'POST /checkout/{paymentId}/refund-request',
  'GET /checkout/{paymentId}/events',
  'GET /checkout/{paymentId}/part',
  'GET /checkout/{paymentId}/transaction',
  'POST /checkout/{paymentId}/transaction',
  'GET /dashboard',
  'GET /dashboard/{screen}',
  'GET /dashboard/assets/{asset}',
  'POST /dashboard/session',
  'POST /dashboard/session/refresh',
  'DELETE /dashboard/session',
  'GET /metrics',
  'GET /receipt/{paymentId}',
  'GET /refund/{refundId}',
  'POST /refund/{refundId}',
  'GET /collector',
  'GET /verify-address',
];

/** For pages of shops: a script and pictures, which a page may run and show, and not read. */
const EMBEDDED = ['GET /checkout/assets/logo/{id}/{sha256}', 'GET /checkout/embed.js'];

interface Served {
  name: string;
  method: string;
  path: string;
  operation: Operation;
}
const SERVED: Served[] = operationsOf(DOCUMENT).map(({ path, method, operation }) => ({
  name: `${method.toUpperCase()} ${path}`,
  method: method.toUpperCase(),
  path: path.replaceAll(/\{[^}]+\}/g, ID),
  operation,
}));
const OPEN = SERVED.filter(({ name }) => !CLOSED.includes(name));

let harness: WebhookHarness;
let gateway: TestGateway;
let shop: KeyedMerchant;
/** A client token that may only read payments. */
let reader: string;
beforeAll(async () => {
  harness = await WebhookHarness.start(LIMITED_ENV);
  gateway = harness.gateway;
  shop = await KeyedMerchant.open(harness);
  const { owner, merchant } = shop;
  const scopes = ['payments.get'];
  reader = (await createClientToken(gateway, owner, merchant.applicationId, { scopes })).token;
});
afterAll(() => harness.stop());
beforeEach(() => harness.clock.advanceSeconds(61));

const corsOf = ({ headers }: { headers: Headers }) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

/** The script may read this answer, and a request with cookies may not. */
function expectReadable(answer: { headers: Headers }): void {
  const { 'access-control-expose-headers': exposed = '', ...rest } = corsOf(answer);
  expect(rest).toEqual({ 'access-control-allow-origin': '*' });
  expect(exposed.split(', ')).toEqual(
    expect.arrayContaining([
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-Request-Id',
      'ETag',
      'Idempotency-Replayed',
      'WWW-Authenticate',
      'X-Ignored-Fields',
    ]),
  );
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  // The response does not depend on the origin.
  expect(answer.headers.get('vary') ?? '').not.toMatch(/origin/i);
}

function preflight(path: string, method: string, headers: Record<string, string> = {}) {
  return ask(gateway, path, {
    method: 'OPTIONS',
    headers: { origin: ORIGIN, 'access-control-request-method': method, ...headers },
  });
}

describe('a script of another origin', () => {
  it('can call every route except pages and introspection', () => {
    expect(SERVED.length).toBeGreaterThan(60);
    const closed = SERVED.map(({ name }) => name).filter((name) => CLOSED.includes(name));
    // A page of the dashboard is served at several paths.
    expect([...new Set(closed)].sort()).toEqual([...CLOSED].sort());
    const takesBearer = ({ operation }: Served) =>
      (operation.security ?? []).some((one) => 'oauth2' in one || 'clientToken' in one);
    const closedBearers = SERVED.filter((one) => takesBearer(one) && !OPEN.includes(one));
    expect(closedBearers.map(({ name }) => name)).toEqual([]);
  });

  it.each(OPEN)('gets a preflight response for $name and can read its refusal', async ({ method, path }) => {
    const asked = await preflight(path, method, { 'access-control-request-headers': 'authorization' });
    expect([asked.status, asked.text, asked.headers.get('ratelimit')]).toEqual([204, '', null]);
    const allowed = corsOf(asked);
    expect(allowed).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-max-age': '7200',
      'access-control-allow-methods': asked.headers.get('allow'),
    });
    expect(allowed['access-control-allow-methods']?.split(', ')).toContain(method);
    expect(allowed['access-control-allow-headers']?.split(', ')).toEqual(
      expect.arrayContaining(['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match']),
    );
    expect(allowed).not.toHaveProperty('access-control-allow-credentials');

    expectReadable(
      await ask(gateway, path, {
        method,
        token: 'pct_unknown',
        from: newAddress(),
        headers: { origin: ORIGIN, ...(method !== 'GET' && JSON_TYPE) },
        ...(method !== 'GET' && { body: '{}' }),
      }),
    );
  });

  it.each(SERVED.filter((one) => !OPEN.includes(one)))(
    'cannot read $name',
    async ({ name, method, path }) => {
      const asked = await preflight(path, method);
      const answer = await ask(gateway, path, {
        method,
        from: newAddress(),
        headers: { origin: ORIGIN },
        ...(method === 'POST' && { body: new URLSearchParams({ token: 'x', client_id: 'nobody' }) }),
      });
      expect([corsOf(asked), corsOf(answer)]).toEqual([{}, {}]);
      if (!EMBEDDED.includes(name))
        expect(answer.headers.get('cross-origin-resource-policy')).not.toBe('cross-origin');
    },
  );

  it('gets the allowed methods of the path, and all methods for an unknown path, so that it can read the 404', async () => {
    const methods = async (path: string) =>
      corsOf(await preflight(path, 'PUT'))['access-control-allow-methods'];
    expect(await methods(`/api/payment/${ID}`)).toBe('GET, HEAD, OPTIONS');
    expect(await methods('/api/oauth/token')).toBe('POST, OPTIONS');
    expect(await methods('/api/paymets')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
    const plain = await ask(gateway, '/api/paymets', { method: 'OPTIONS', headers: { origin: ORIGIN } });
    expect(plain.status).toBe(404);
    expectReadable(plain);
  });

  it('is not rate limited for preflights', async () => {
    const from = newAddress();
    const asking = () => preflight('/api/payment', 'GET', { 'x-forwarded-for': from });
    expect(await tally(400, asking)).toEqual({ 204: 400 });
    expect(limitsOf(await ask(gateway, '/api/nothing', { from })).remaining).toBe('299');
    const flood = () => ask(gateway, '/api/payment', { method: 'OPTIONS', from });
    expect((await tally(310, flood))[429]).toBeGreaterThan(0);
  });
});

describe('a response that the script can read', () => {
  type Init = Omit<AskInit, 'headers'> & { headers?: Record<string, string> };
  const readable = (path: string, { headers, ...init }: Init = {}) =>
    ask(gateway, path, { from: newAddress(), ...init, headers: { origin: ORIGIN, ...headers } });

  it('is a success', async () => {
    const owner = await createOwner(gateway);
    const answer = await readable('/api/payment-applications', { token: owner.accessToken });
    expect(answer.status).toBe(200);
    expectReadable(answer);
    const again = await readable('/api/openapi.json', {
      headers: { 'if-none-match': (await readable('/api/openapi.json')).headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    expectReadable(again);
  });

  it('is that of a client token without the scope (403)', async () => {
    const answer = await readable('/api/payment/checkout', {
      method: 'POST',
      token: reader,
      headers: JSON_TYPE,
      body: '{}',
    });
    expect(answer.status).toBe(403);
    expectReadable(answer);
  });

  it('is that of a body with mistakes (422, 400, 413, 415)', async () => {
    const write = (body: string, headers: Record<string, string> = JSON_TYPE) =>
      readable('/api/payment/checkout', { method: 'POST', token: shop.token, headers, body });
    const answers = [
      await write('{}'),
      await write('{'),
      await write(`{"x":"${'x'.repeat(70_000)}"}`),
      await write('x', { 'content-type': 'text/plain' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 400, 413, 415]);
    for (const answer of answers) expectReadable(answer);
  });

  it('is that of the limit (429), by token, by address and at the token endpoint', async () => {
    const from = newAddress();
    await tally(300, () => ask(gateway, '/api/currencies', { from }));
    const byAddress = await ask(gateway, '/api/currencies', { from });
    await tally(120, () => ask(gateway, '/api/payment/checkout', { method: 'POST', token: shop.token }));
    const byToken = await ask(gateway, '/api/payment/checkout', { method: 'POST', token: shop.token });
    const grant = { grant_type: 'authorization_code', client_id: await createClient(gateway), code: 'x' };
    const client = newAddress();
    const redeem = () =>
      ask(gateway, '/api/oauth/token', { method: 'POST', from: client, body: new URLSearchParams(grant) });
    await tally(10, redeem);
    for (const answer of [byAddress, byToken, await redeem()]) {
      expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
      expectReadable(answer);
    }
  });

  it('is a stream of server-sent events', async () => {
    const stream = await EventReader.open(`${gateway.baseUrl}/api/events/stream`, shop.token, {
      origin: ORIGIN,
      'last-event-id': '',
    });
    try {
      expect(stream.response.statusCode).toBe(200);
      expectReadable({ headers: new Headers(stream.response.headers as Record<string, string>) });
    } finally {
      await stream.leave();
    }
  });
});

describe('the edge', () => {
  let probe: HttpProbe;
  beforeAll(async () => {
    probe = await startHttpProbe();
  });
  afterAll(() => probe.app.close());

  it.each([
    ['401', 'GET', '/api/secret', {}, 'unauthenticated'],
    ['404', 'GET', '/api/nothing', {}, 'not_found'],
    ['405', 'DELETE', '/api/probes', {}, 'method_not_allowed'],
    ['406', 'GET', '/api/probes', { headers: { accept: 'image/png' } }, 'not_acceptable'],
    ['414', 'GET', `/api/${'x'.repeat(9_000)}`, {}, 'uri_too_long'],
    ['422', 'GET', '/api/probes?page=%00', {}, 'validation_failed'],
    ['500', 'GET', '/api/failing', {}, 'server_error'],
    ['503', 'GET', '/api/unavailable', {}, 'service_unavailable'],
  ])('sends a readable response: %s (%s %s)', async (status, method, path, init, code) => {
    const answer = await probe.request(method, path, init);
    expectError(answer, Number(status), code);
    expectReadable(answer);
  });

  it('sends a readable response to malformed HTTP', async () => {
    const answer = await probe.raw(
      `GET /api/probes HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('Access-Control-Allow-Origin: *\r\n');
    expect(answer).not.toMatch(/Allow-Credentials/i);
  });

  it('drops cookies on routes that every origin can call, and on no others', async () => {
    const cookie = `session=${randomUUID()}`;
    const seen = async (path: string) => (await probe.request('GET', path, { headers: { cookie } })).text;
    expect(await seen('/api/cookie')).toContain('none');
    expect(await seen('/API/%63ookie')).not.toContain(cookie);
    expect(await seen('/cookie')).toContain(cookie);
  });
});
