import { randomUUID } from 'node:crypto';
import { newClientToken } from '../src/tokens/client-token.pure.js';
import { CHAIN_ENV, KeyedMerchant, newKey } from './support/keyed-api.js';
import {
  type AskInit,
  ask as askOf,
  expectRefused,
  limitsOf,
  LIMITED_ENV,
  newAddress,
  tally,
} from './support/limited-api.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';
import { WebhookHarness } from './support/webhook-harness.js';

const JSON_TYPE = { 'content-type': 'application/json' };

let harness: WebhookHarness;
let gateway: TestGateway;
let second: TestGateway;
let shop: KeyedMerchant;
beforeAll(async () => {
  harness = await WebhookHarness.start(LIMITED_ENV);
  gateway = harness.gateway;
  second = await harness.addGateway(LIMITED_ENV);
  shop = await KeyedMerchant.open(harness);
});
afterAll(() => harness.stop());
// Every bucket is full again.
beforeEach(() => harness.clock.advanceSeconds(61));

const ask = (path: string, { on = gateway, ...init }: AskInit & { on?: TestGateway } = {}) =>
  askOf(on, path, init);

/** A payment of the shop with the query of its signed link. */
async function newPayment(): Promise<{ id: string; link: string }> {
  const { text } = await shop.post();
  const { id, checkoutUrl } = (JSON.parse(text) as { data: { id: string; checkoutUrl: string } }).data;
  return { id, link: new URL(checkoutUrl).search };
}

describe('a token', () => {
  const path = `/api/payment/${randomUUID()}`;

  it('allows 600 reads a minute, and reports the remaining quota in every response', async () => {
    const { token } = shop;
    const first = await ask(path, { token });
    expect([first.status, limitsOf(first)]).toEqual([
      404,
      {
        policy: '"default";q=600;w=60',
        limit: '"default";r=599;t=1',
        quota: '600',
        remaining: '599',
        retryAfter: null,
      },
    ]);
    expect(await tally(599, () => ask(path, { token }))).toEqual({ 404: 599 });
    expectRefused(await ask(path, { token }), 'default', 1);
    harness.clock.advanceSeconds(1);
    expect(await tally(20, () => ask(path, { token }))).toEqual({ 404: 10, 429: 10 });
  });

  it('allows 120 writes a minute, not counting reads and other tokens', async () => {
    const { token } = shop;
    const write = () =>
      ask('/api/payment/checkout', { method: 'POST', token, body: '{}', headers: JSON_TYPE });
    expect(await tally(120, write)).toEqual({ 422: 120 });
    expectRefused(await write(), 'writes', 1);
    expect((await ask(path, { token })).status).toBe(404);
    expect((await ask(path, { token, on: second })).status).toBe(404);
  });

  it('is refused before its body is read, without using up an Idempotency-Key', async () => {
    const key = newKey();
    const flood = () =>
      ask('/api/payment/checkout', { method: 'POST', token: shop.token, body: '{', headers: JSON_TYPE });
    expect(await tally(120, flood)).toEqual({ 400: 120 });
    expect((await flood()).status).toBe(429);
    expect((await shop.post({ key })).status).toBe(429);
    expect(await shop.countKeys(key)).toBe(0);
    harness.clock.advanceSeconds(1);
    expect(await shop.post({ key })).toMatchObject({ status: 201, isReplayed: false });
    const replayed = await shop.post({ key });
    expect(replayed).toMatchObject({ status: 201, isReplayed: true });
    expect(replayed.headers.get('ratelimit-policy')).toBe('"writes";q=120;w=60');
  });

  it('that is valid does not count against its address', async () => {
    const from = newAddress();
    expect((await ask(path, { token: shop.token, from, on: second })).status).toBe(404);
    const { limit } = limitsOf(await ask('/api/nothing', { from, on: second }));
    expect(limit).toBe('"address";r=299;t=1');
  });

  it('can poll every 5 s for an hour', async () => {
    const { id } = await newPayment();
    const counts: Record<number, number> = {};
    for (let poll = 0; poll < 720; poll++) {
      const { status } = await ask(`/api/payment/${id}`, { token: shop.token });
      counts[status] = (counts[status] ?? 0) + 1;
      harness.clock.advanceSeconds(5);
    }
    expect(counts).toEqual({ 200: 720 });
  });
});

describe('the public checkout', () => {
  it('allows 60 reads a minute per address and payment', async () => {
    const [{ id, link }, from] = [await newPayment(), newAddress()];
    const path = `/api/checkout/${id}/payment-methods${link}`;
    const first = await ask(path, { from });
    expect([first.status, limitsOf(first)]).toEqual([
      200,
      {
        policy: '"address";q=300;w=60, "payment";q=60;w=60',
        limit: '"address";r=299;t=1, "payment";r=59;t=1',
        quota: '60',
        remaining: '59',
        retryAfter: null,
      },
    ]);
    expect(await tally(59, () => ask(path, { from }))).toEqual({ 200: 59 });
    expectRefused(await ask(path, { from }), 'payment', 1);
    expectRefused(
      await ask(`/API/checkout/%${id.charCodeAt(0).toString(16)}${id.slice(1)}/payment-methods${link}`, {
        from,
      }),
      'payment',
      1,
    );
    expect((await ask(path, { from: newAddress() })).status).toBe(200);
    const other = await newPayment();
    expect((await ask(`/api/checkout/${other.id}/payment-methods${other.link}`, { from })).status).toBe(200);
  });

  it('shows browsers a page when limited', async () => {
    const [{ id, link }, from] = [await newPayment(), newAddress()];
    await tally(60, () => ask(`/checkout/${id}${link}`, { from }));
    const { status, headers, text } = await ask(`/checkout/${id}${link}`, { from });
    expect([status, headers.get('content-type'), headers.get('retry-after')]).toEqual([
      429,
      'text/html; charset=utf-8',
      '1',
    ]);
    expect(text).toContain('Please wait 1 second,');
    expect(text).toContain('http-equiv="refresh"');
  });

  it('allows 300 requests a minute from one address, for unknown payments too', async () => {
    const from = newAddress();
    const invent = () => ask(`/checkout/${randomUUID()}?expires=1&signature=x`, { from });
    expect(await tally(310, invent)).toEqual({ 403: 300, 429: 10 });
    expect(limitsOf(await invent())).toMatchObject({
      limit: expect.stringMatching(/^"address";r=0;t=60, /) as string,
      retryAfter: '1',
    });
  });

  it.each(['status', 'part'])('counts polls of the %s apart from pages, 60 a minute', async (what) => {
    const [{ id, link }, from] = [await newPayment(), newAddress()];
    const page = `/checkout/${id}${link}`;
    const poll = what === 'part' ? `/checkout/${id}/part${link}` : `/api/checkout/payment/${id}${link}`;
    const first = await ask(poll, { from });
    expect([first.status, limitsOf(first)]).toEqual([
      200,
      {
        policy: '"address-polls";q=600;w=60, "polls";q=60;w=60',
        limit: '"address-polls";r=599;t=1, "polls";r=59;t=1',
        quota: '60',
        remaining: '59',
        retryAfter: null,
      },
    ]);
    expect(await tally(60, () => ask(poll, { from }))).toEqual({ 200: 59, 429: 1 });
    const loaded = await ask(page, { from });
    expect([loaded.status, limitsOf(loaded).limit]).toEqual([200, '"address";r=299;t=1, "payment";r=59;t=1']);
    // Other payments of the same address, e.g. of a whole office, up to 600.
    expect((await ask(poll, { from: newAddress() })).status).toBe(200);
    const invent = () => ask(`/checkout/${randomUUID()}/part?expires=1&signature=x`, { from });
    // 61 of them are spent: the address is counted before the payment.
    expect(await tally(560, invent)).toEqual({ 403: 539, 429: 21 });
    expect((await ask(page, { from })).status).toBe(200);
  });

  it('can be polled every 5 s for an hour, and the page loaded again at any time', async () => {
    const [{ id, link }, from] = [await newPayment(), newAddress()];
    const counts: Record<number, number> = {};
    let etag = '';
    for (let poll = 0; poll < 720; poll++) {
      const answer = await ask(`/api/checkout/payment/${id}${link}`, {
        from,
        headers: { 'if-none-match': etag },
      });
      counts[answer.status] = (counts[answer.status] ?? 0) + 1;
      etag = answer.headers.get('etag') ?? etag;
      expect(answer.headers.get('ratelimit')).toContain('"polls";r=59');
      if (poll % 60 === 0) expect((await ask(`/checkout/${id}${link}`, { from })).status).toBe(200);
      harness.clock.advanceSeconds(5);
    }
    expect((counts[200] ?? 0) + (counts[304] ?? 0)).toBe(720);
  });
});

describe('an address', () => {
  it.each([
    ['IPv6 of one network of 64 bits', '2001:db8:7:1::1', '2001:db8:7:1:ffff::2', '2001:db8:7:2::1'],
    ['IPv4 written as IPv6', '198.51.100.20', '::ffff:198.51.100.20', '::ffff:198.51.100.21'],
    ['with a port', '198.51.100.30:1000', '198.51.100.30:2000', '198.51.100.31:1000'],
    ['what a client writes in front', '198.51.100.40', '1.2.3.4, 198.51.100.40', '198.51.100.41'],
  ])('has one quota: %s', async (_name, one, same, other) => {
    await ask('/api/nothing', { from: one });
    expect(limitsOf(await ask('/api/nothing', { from: same })).remaining).toBe('298');
    expect(limitsOf(await ask('/api/nothing', { from: other })).remaining).toBe('299');
  });

  it('is the peer where no proxy is trusted, whatever the headers say', async () => {
    const bare = await startTestGateway(
      { ...LIMITED_ENV, TRUSTED_PROXIES: '' },
      harness.clock,
      gateway.databaseUrl,
    );
    try {
      const spoof = (turn: number) =>
        ask('/api/nothing', {
          on: bare,
          from: `198.51.100.${turn % 250}`,
          headers: { forwarded: `for=198.51.100.${turn % 250}`, 'x-real-ip': `198.51.100.${turn % 250}` },
        });
      expect(await tally(310, spoof)).toEqual({ 404: 300, 429: 10 });
    } finally {
      await bare.close();
    }
  });

  it('does not apply to health checks, which carry no limit headers', async () => {
    const from = newAddress();
    await tally(300, () => ask('/api/nothing', { from }));
    expect((await ask('/api/nothing', { from })).status).toBe(429);
    const { status, headers } = await ask('/api/health/live', { from });
    expect([status, headers.get('ratelimit')]).toEqual([200, null]);
  });

  it.each([
    '/api/oauth/.well-known/openid-configuration',
    '/api/oauth/jwks',
    '/api/payment',
    '/',
    '/checkout/x',
  ])('gets its limit headers on %s', async (path) => {
    const { headers } = await ask(path, { from: newAddress() });
    expect(headers.get('ratelimit-policy')).toContain('"address";q=300;w=60');
    expect(headers.get('x-ratelimit-remaining')).toBe('299');
  });
});

describe('a limit of 0', () => {
  it('limits nothing and sends no headers', async () => {
    const off = await startTestGateway(CHAIN_ENV, harness.clock, gateway.databaseUrl);
    try {
      expect(await tally(40, () => ask('/api/payment', { on: off, token: newClientToken() }))).toEqual({
        401: 40,
      });
      const { headers } = await ask('/api/payment', { on: off, token: shop.token });
      expect([...headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
    } finally {
      await off.close();
    }
  });
});
