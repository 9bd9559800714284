import {
  type AskInit,
  ask as askOf,
  expectOAuthRefused,
  expectRefused,
  LIMITED_ENV,
  limitsOf,
  newAddress,
  tally,
} from './support/limited-api.js';
import { createClient, createUser } from './support/oauth-api.js';
import { TestClock } from './support/test-clock.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

const JSON_TYPE = { 'content-type': 'application/json' };

let gateway: TestGateway;
let second: TestGateway;
const clock = new TestClock();
beforeAll(async () => {
  gateway = await startTestGateway(LIMITED_ENV, clock);
  second = await startTestGateway(LIMITED_ENV, clock, gateway.databaseUrl);
});
afterAll(async () => {
  await gateway?.close();
  await second?.close();
});
// Every bucket is full again.
beforeEach(() => clock.advanceSeconds(61));

const ask = (path: string, { on = gateway, ...init }: AskInit & { on?: TestGateway } = {}) =>
  askOf(on, path, init);

/** One after another: a refusal counts when it is given. */
async function inTurn(
  times: number,
  request: (turn: number) => ReturnType<typeof ask>,
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let turn = 0; turn < times; turn++) {
    const { status } = await request(turn);
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

describe('the token endpoint', () => {
  const grant = (from: string, clientId: string, on = gateway) =>
    ask('/api/oauth/token', {
      method: 'POST',
      from,
      on,
      body: new URLSearchParams({ grant_type: 'authorization_code', client_id: clientId, code: 'x' }),
    });
  const SECRET = 'a secret of more than 24 characters';
  const newServer = async () => {
    const { id: userId } = await createUser(gateway);
    return createClient(gateway, {
      secret: SECRET,
      userId,
      grantTypes: ['client_credentials'],
      redirectUris: [],
    });
  };
  const start = (from: string, clientId: string, secret = SECRET) =>
    ask('/api/oauth/token', {
      method: 'POST',
      from,
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: secret,
      }),
    });

  it('allows 10 refused requests a minute per address and client', async () => {
    const [from, clientId] = [newAddress(), await createClient(gateway)];
    expect(await inTurn(12, () => grant(from, clientId))).toEqual({ 400: 10, 429: 2 });
    expectOAuthRefused(await grant(from, clientId), 'client', 6);
    expect((await grant(newAddress(), clientId)).status).toBe(400);
    expect((await grant(from, await createClient(gateway))).status).toBe(400);
    clock.advanceSeconds(6);
    expect(await inTurn(2, () => grant(from, clientId))).toEqual({ 400: 1, 429: 1 });
  });

  it('issues 120 tokens a minute per address and client, also to concurrent requests', async () => {
    const [from, clientId] = [newAddress(), await newServer()];
    const first = await start(from, clientId);
    expect([first.status, first.headers.get('cache-control'), limitsOf(first)]).toEqual([
      200,
      'no-store',
      {
        policy: '"client";q=10;w=60, "tokens";q=120;w=60',
        limit: '"client";r=10;t=0, "tokens";r=119;t=1',
        quota: '10',
        remaining: '10',
        retryAfter: null,
      },
    ]);
    expect(await tally(139, () => start(from, clientId))).toEqual({ 200: 119, 429: 20 });
    expectOAuthRefused(await start(from, clientId), 'tokens', 1);
    expect((await start(newAddress(), clientId)).status).toBe(200);
    expect((await start(from, await newServer())).status).toBe(200);
  });

  it('counts refusals and issued tokens separately', async () => {
    const [from, clientId] = [newAddress(), await newServer()];
    expect(await inTurn(5, () => start(from, clientId, 'a wrong secret, also long'))).toEqual({ 401: 5 });
    const { limit } = limitsOf(await start(from, clientId));
    expect(limit).toBe('"client";r=5;t=30, "tokens";r=119;t=1');
    expect(await inTurn(6, () => start(from, clientId, 'a wrong secret, also long'))).toEqual({
      401: 5,
      429: 1,
    });
    // Who guesses is refused before the secret is looked at; elsewhere its owner is not.
    expect((await start(from, clientId)).status).toBe(429);
    expect((await start(newAddress(), clientId)).status).toBe(200);
  });

  it('counts requests that it refuses before it reads the client', async () => {
    const [from, clientId] = [newAddress(), await newServer()];
    const wrongScope = () =>
      ask('/api/oauth/token', {
        method: 'POST',
        from,
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: clientId,
          scope: 'payments.get',
        }),
      });
    expect(await inTurn(11, wrongScope)).toEqual({ 400: 10, 429: 1 });
  });

  it('recognizes a client by its Authorization header in any spelling', async () => {
    const from = newAddress();
    const basic = (user: string) =>
      ask('/api/oauth/token', {
        method: 'POST',
        from,
        headers: { ...JSON_TYPE, authorization: `Basic ${Buffer.from(`${user}:x`).toString('base64')}` },
        body: '{"grant_type":"client_credentials"}',
      });
    expect(await inTurn(10, (turn) => basic(turn % 2 ? 'nobody' : '%6eobody'))).toEqual({ 401: 10 });
    expectOAuthRefused(await basic('nobody'), 'client', 6);
  });

  it('counts wrong secrets per address across all instances', async () => {
    const from = newAddress();
    const guess = (turn: number) => grant(from, `nobody-${turn}`, turn % 2 ? gateway : second);
    expect(await tally(22, guess)).toEqual({ 401: 20, 429: 2 });
    expectOAuthRefused(await guess(100), 'failed-auth', 3);
    // An honest client of the same address still gets in.
    expect((await grant(from, await createClient(gateway))).status).toBe(400);
  });
});

describe('every OAuth endpoint', () => {
  it.each(['token', 'revoke', 'introspect', 'userinfo', 'jwks', '.well-known/openid-configuration'])(
    'refuses too many requests of an address in the form of RFC 6749: %s',
    async (endpoint) => {
      const from = newAddress();
      await tally(300, () => ask('/api/nothing', { from }));
      const method = ['token', 'revoke', 'introspect'].includes(endpoint) ? 'POST' : 'GET';
      expectOAuthRefused(await ask(`/api/oauth/${endpoint}`, { from, method }), 'address', 1);
      // Where there is none, and under another spelling, the limit is the same.
      for (const path of [
        '/api/oauth/nothing',
        '/api/o%61uth/token',
        '/.well-known/oauth-authorization-server/api/oauth/x',
      ])
        expectRefused(await ask(path, { from }), 'address', 1);
    },
  );

  it.each(['authorize', 'interaction/x', 'authorize/x'])(
    'shows browsers a page when an address sends too many requests: %s',
    async (page) => {
      const from = newAddress();
      await tally(300, () => ask('/api/nothing', { from }));
      const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
      const { status, headers, text } = await ask(`/api/oauth/${page}`, { from, headers: { accept } });
      expect([status, headers.get('content-type'), headers.get('retry-after')]).toEqual([
        429,
        'text/html; charset=utf-8',
        '1',
      ]);
      expect(text).toContain('Please wait 1 second,');
      expectOAuthRefused(await ask(`/api/oauth/${page}`, { from }), 'address', 1);
    },
  );

  it('counts bad tokens at userinfo with the bad tokens of the API', async () => {
    const from = newAddress();
    const guess = () => ask('/api/oauth/userinfo', { from, token: 'x'.repeat(43) });
    expect(await inTurn(20, guess)).toEqual({ 401: 20 });
    expect((await ask('/api/payment', { from, token: 'y'.repeat(43) })).status).toBe(429);
    expectOAuthRefused(await guess(), 'failed-auth', 3);
    expect((await ask('/api/oauth/userinfo', { from })).status).toBe(401);
  });
});
