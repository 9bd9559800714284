import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { errorOf } from '../../test/support/gateway-error.js';
import { fallSilent, PATIENCE_MS, watchDeadlines } from '../../test/support/silence.js';
import { Http, type GatewayOptions, type HttpRequest, readRetryAfter } from './http.js';

type Behavior = (response: ServerResponse) => void;
interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Behavior =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
const failure = (status: number, code: string, headers?: Record<string, string>) =>
  answer(status, { message: 'No.', code, requestId: 'req-1' }, headers);
const NOW = { 'retry-after': '0' };
const drop: Behavior = (response) => void response.socket?.destroy();
const hang: Behavior = fallSilent;
const half: Behavior = (response) => {
  response.writeHead(200, { 'content-length': '100' });
  // What was written is read in the next turn of the loop.
  response.write('{"data"', () => setImmediate(() => setImmediate(fallSilent)));
};
const good = answer(200, { data: { ok: true } });
const READ: HttpRequest = { method: 'GET', path: '/api/thing' };
const WRITE: HttpRequest = {
  method: 'POST',
  path: '/api/thing',
  body: { amount: 10n ** 18n + 1n },
  idempotencyKey: 'k-1',
};

describe('Http', () => {
  let server: Server;
  let baseUrl: string;
  /** One for each request; the last one stays. */
  let plan: Behavior[];
  let seen: Seen[];
  /** In the path of every request: one that a test gave up may arrive during the next. */
  let test = 0;
  let forgetDeadlines: () => void;

  beforeAll(async () => {
    forgetDeadlines = watchDeadlines();
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
      request.on('end', () => {
        const { method = '', headers } = request;
        const [, sender, url = request.url ?? ''] = /^\/test-(\d+)(\/.*)$/.exec(request.url ?? '') ?? [];
        if (sender !== undefined && Number(sender) !== test) return;
        seen.push({ method, url, headers, body });
        (plan.length > 1 ? plan.shift() : plan[0])?.(response);
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    [plan, seen] = [[good], []];
    test++;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    forgetDeadlines();
  });

  const http = (options: Partial<GatewayOptions> = {}) =>
    new Http({ baseUrl: `${baseUrl}/test-${test}`, token: 'pct_1', ...options });

  it('sends token, exact body and idempotency key, and reads amounts exactly', async () => {
    plan = [answer(201, '{"data":{"amount":1000000000000000001,"atomic":"1000000000000000001"}}')];
    expect(await http().call(WRITE)).toEqual({
      data: { amount: 10n ** 18n + 1n, atomic: '1000000000000000001' },
    });
    const [{ headers, body }] = seen as [Seen];
    expect(body).toBe('{"amount":1000000000000000001}');
    expect(headers).toMatchObject({
      authorization: 'Bearer pct_1',
      'idempotency-key': 'k-1',
      'content-type': 'application/json',
    });
  });

  it('calls a token function before every attempt', async () => {
    plan = [failure(429, 'too_many_requests', NOW), good];
    const tokens = ['first', 'second'];
    await http({ token: async () => tokens.shift() ?? '' }).call(READ);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer first', 'Bearer second']);
  });

  it('sends no token to public endpoints, and rejects other calls without a token', async () => {
    await http().call({ ...READ, isPublic: true });
    expect(seen[0]?.headers.authorization).toBeUndefined();
    await expect(new Http({ baseUrl }).call(READ)).rejects.toThrow(/^token: this call needs one/);
  });

  it('keeps the path of the base URL and encodes the query', async () => {
    await http({ baseUrl: `${baseUrl}/pay/` }).call({
      ...READ,
      query: { q: 'a b&c', page: 2, none: undefined },
    });
    expect(seen[0]?.url).toBe('/pay/api/thing?q=a+b%26c&page=2');
  });

  it.each<[string, Behavior]>([
    ['429', failure(429, 'too_many_requests', NOW)],
    ['503', failure(503, 'service_unavailable', NOW)],
    ["a proxy's 502", answer(502, '<html>Bad gateway</html>', NOW)],
    ['a first attempt still at work', failure(409, 'idempotency_in_progress', NOW)],
    ['a dropped connection', drop],
    ['half an answer', (response) => (half(response), setImmediate(() => response.socket?.destroy()))],
  ])('sends the same request again after %s', async (_name, trouble) => {
    plan = [trouble, good];
    expect(await http().call(WRITE)).toEqual({ data: { ok: true } });
    expect(seen).toHaveLength(2);
    expect(seen[1]).toMatchObject({ body: seen[0]?.body, headers: { 'idempotency-key': 'k-1' } });
  });

  it('stops retrying at the configured number of retries', async () => {
    plan = [failure(503, 'service_unavailable', NOW)];
    expect(await errorOf(http({ retries: 2 }).call(READ))).toMatchObject({
      status: 503,
      code: 'service_unavailable',
      retryAfter: 0,
      requestId: 'req-1',
    });
    expect(seen).toHaveLength(3);
    await errorOf(http({ retries: 0 }).call(READ));
    expect(seen).toHaveLength(4);
  });

  it('waits as long as Retry-After says', async () => {
    plan = [failure(429, 'too_many_requests', { 'retry-after': '1' }), good];
    const waits = jest.spyOn(globalThis, 'setTimeout');
    await http().call(READ);
    expect(waits).toHaveBeenCalledWith(expect.any(Function), 1_000);
    waits.mockRestore();
  });

  it('fails instead of waiting when Retry-After is more than a minute', async () => {
    plan = [failure(429, 'too_many_requests', { 'retry-after': '61' })];
    expect(await errorOf(http().call(READ))).toMatchObject({ code: 'too_many_requests', retryAfter: 61 });
    expect(seen).toHaveLength(1);
  });

  it.each([400, 401, 403, 404, 409, 422, 500])('does not retry a %i response', async (status) => {
    plan = [failure(status, 'some_code', NOW)];
    expect(await errorOf(http().call(WRITE))).toMatchObject({ status, code: 'some_code', message: 'No.' });
    expect(seen).toHaveLength(1);
  });

  it('names the invalid fields of a 422', async () => {
    plan = [answer(422, { message: 'Bad.', code: 'validation_failed', errors: { amount: ['Too small.'] } })];
    expect((await errorOf(http().call(WRITE))).errors).toEqual({ amount: ['Too small.'] });
  });

  it.each<[string, Behavior, RegExp]>([
    ['a redirect', answer(302, '', { location: '/elsewhere' }), /a redirect: is baseUrl right/],
    ['a page', answer(200, '<html>'), /status 200, and not the JSON/],
    ['an empty answer', answer(200, ''), /status 200/],
    ['an error page', answer(404, '<html>'), /status 404/],
    ['JSON in another form', answer(403, { error: 'no' }), /status 403/],
  ])('fails with a clear error when the response is %s', async (_name, behavior, message) => {
    plan = [behavior];
    const error = await errorOf(http().call(READ));
    expect(error).toMatchObject({ code: 'invalid_response', message: expect.stringMatching(message) });
    expect(seen).toHaveLength(1);
  });

  it.each<[string, Behavior]>([
    ['no answer', hang],
    ['an answer that stops halfway', half],
  ])('times out on %s, retries included', async (_name, behavior) => {
    plan = [behavior];
    const error = await errorOf(http({ timeoutMs: PATIENCE_MS, retries: 1 }).call(READ));
    expect(error).toMatchObject({ status: 0, code: 'timeout' });
    expect(seen).toHaveLength(2);
  });

  it('names the cause when the connection is refused', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    const error = await errorOf(http({ baseUrl: `http://127.0.0.1:${port}`, retries: 0 }).call(READ));
    expect(error).toMatchObject({
      status: 0,
      code: 'network_error',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  describe('an abort', () => {
    const reason = new Error('the customer left');
    it('ends a request that is under way', async () => {
      const controller = new AbortController();
      plan = [() => controller.abort(reason)];
      const call = http({ retries: 0 }).call({ ...READ, signal: controller.signal });
      await expect(call).rejects.toBe(reason);
    });
    it('ends the wait between two attempts', async () => {
      plan = [failure(503, 'service_unavailable', { 'retry-after': '60' })];
      const controller = new AbortController();
      const waits = jest.spyOn(globalThis, 'setTimeout');
      const call = http().call({ ...READ, signal: controller.signal });
      while (!waits.mock.calls.some(([, ms]) => ms === 60_000)) await turnOfTheLoop();
      waits.mockRestore();
      controller.abort(reason);
      await expect(call).rejects.toBe(reason);
      expect(seen).toHaveLength(1);
    });
    it('before the start sends nothing', async () => {
      await expect(http().call({ ...READ, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      expect(seen).toHaveLength(0);
    });
  });

  it.each([
    '',
    'pay.example.com',
    'ftp://pay.example.com',
    'https://pay.example.com/?a=1',
    'https://me:you@pay.example.com',
  ])('rejects %j as baseUrl', (bad) => expect(() => http({ baseUrl: bad })).toThrow(/^baseUrl: /));

  it.each<[Partial<GatewayOptions>, RegExp]>([
    [{ timeoutMs: 0 }, /^timeoutMs: /],
    [{ timeoutMs: 2 ** 31 }, /^timeoutMs: /],
    [{ retries: -1 }, /^retries: /],
    [{ retries: 1.5 }, /^retries: /],
  ])('rejects %j', (options, message) => expect(() => http(options)).toThrow(message));

  it.each(['', 'заказ-1', 'a b', 'a\nb', 'x'.repeat(256)])(
    'rejects %j as an idempotency key',
    async (idempotencyKey) => {
      await expect(http().call({ ...WRITE, idempotencyKey })).rejects.toThrow(/^idempotencyKey: /);
      expect(seen).toHaveLength(0);
    },
  );

  it.each(['pct_1\n', 'токен'])('rejects %j as a token', async (token) => {
    await expect(http({ token }).call(READ)).rejects.toThrow(/^token: has characters/);
    expect(seen).toHaveLength(0);
  });

  it('rejects an amount that is already rounded, before sending anything', async () => {
    await expect(http().call({ ...WRITE, body: { amount: 1.5e18 } })).rejects.toThrow(
      /not exact as a number/,
    );
    expect(seen).toHaveLength(0);
  });
});

describe('readRetryAfter', () => {
  const now = new Date('2026-01-15T10:00:00Z');
  it.each<[string | null, number | null]>([
    [null, null],
    ['0', 0],
    ['120', 120],
    ['Thu, 15 Jan 2026 10:00:30 GMT', 30],
    ['Thu, 15 Jan 2026 09:00:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['', null],
  ])('reads %j as %j', (header, seconds) => expect(readRetryAfter(header, now)).toBe(seconds));
});
