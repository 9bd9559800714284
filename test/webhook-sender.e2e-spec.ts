import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { WebhookSender, type WebhookSenderOptions } from '../src/webhooks/webhook-sender.js';
import { USER_AGENT } from '../src/webhooks/user-agent.js';
import { type Answer, MerchantServer } from './support/merchant-server.js';
import { selfSigned } from './support/self-signed.js';
import { fallSilent, PATIENCE_MS, watchDeadlines } from './support/silence.js';

const BODY = Buffer.from('{"n":100000000000000000001,  "text":"Größe 🎉"}');
const forgetDeadlines = watchDeadlines();
let merchant: MerchantServer;
const senders: WebhookSender[] = [];

function sender(options: Partial<WebhookSenderOptions> = {}): WebhookSender {
  const made = new WebhookSender({
    production: false,
    timeoutMs: PATIENCE_MS,
    allowedCidrs: [],
    userAgent: USER_AGENT,
    ...options,
  });
  senders.push(made);
  return made;
}

/** Answers every request with these bytes, and leaves the connection open. */
function rawServer(bytes: string, written: () => void = () => undefined) {
  const sockets = new Set<Socket>();
  let noticeEnd: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => (noticeEnd = resolve));
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.once('data', () => socket.write(bytes, () => setImmediate(() => setImmediate(written))));
    socket.on('error', () => undefined).once('close', noticeEnd);
  }).listen(0, '127.0.0.1');
  const url = once(server, 'listening').then(
    () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  );
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url, closed, close };
}

beforeEach(async () => {
  merchant = await MerchantServer.start();
});
afterEach(async () => {
  for (const used of senders.splice(0)) await used.close();
  await merchant.down();
});
afterAll(forgetDeadlines);

describe('WebhookSender', () => {
  it('posts exactly the bytes, with its own headers and the given ones', async () => {
    const result = await sender().post(merchant.url, { 'webhook-id': 'e1' }, BODY);
    expect(result).toMatchObject({ kind: 'response', status: 200, retryAfter: null, body: 'ok' });
    const [request] = merchant.requests;
    expect(request?.body).toEqual(BODY);
    expect(request).toMatchObject({ method: 'POST', path: '/webhooks/payments?shop=1' });
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(BODY.length),
      'accept-encoding': 'identity',
      'webhook-id': 'e1',
    });
    expect(request?.headers['user-agent']).toMatch(/^crypto-payment-gateway\/\d+\.\d+\.\d+/);
  });

  it('reuses a kept-alive connection for the next request', async () => {
    const client = sender();
    for (let i = 0; i < 10; i++) await client.post(merchant.url, {}, BODY);
    // Two, because the pool opens a second one before the first is free again.
    expect(merchant.connections).toBeLessThanOrEqual(2);
  });

  it('does not follow a redirect', async () => {
    const canary = await MerchantServer.start();
    for (const status of [301, 302, 303, 307, 308]) {
      merchant.plan({ status, headers: { location: canary.url } });
      expect(await sender().post(merchant.url, {}, BODY)).toMatchObject({ kind: 'response', status });
    }
    expect(canary.requests).toHaveLength(0);
    await canary.down();
  });

  it('reads 4 KiB of an endless body, then closes the connection', async () => {
    merchant.plan('endless-body');
    const client = sender();
    const result = await client.post(merchant.url, {}, BODY);
    expect(result).toMatchObject({
      kind: 'response',
      status: 200,
      retryAfter: null,
      body: 'x'.repeat(4_096),
    });
    // No more than the two kernels and the client buffer.
    expect(merchant.bytesSent).toBeLessThan(16 * 1024 * 1024);
    await client.post(merchant.url, {}, BODY);
    expect(merchant.requests[1]?.remotePort).not.toBe(merchant.requests[0]?.remotePort);
  });

  it('does not decompress a response', async () => {
    const bomb = gzipSync(Buffer.alloc(2_000_000));
    merchant.plan({ status: 200, headers: { 'content-encoding': 'gzip' }, body: bomb });
    const result = await sender().post(merchant.url, {}, BODY);
    expect(result).toMatchObject({ kind: 'response', status: 200 });
    expect(result.kind === 'response' && Buffer.byteLength(result.body)).toBeLessThanOrEqual(4_096);
  });

  it.each<[string, Answer, object]>([
    ['a status alone', { status: 204 }, { kind: 'response', status: 204, retryAfter: null, body: '' }],
    [
      'an error page',
      { status: 500, body: 'oops' },
      { kind: 'response', status: 500, retryAfter: null, body: 'oops' },
    ],
    ['a Retry-After', { status: 429, headers: { 'retry-after': '120' } }, { status: 429, retryAfter: '120' }],
    [
      'bytes that Postgres would refuse',
      { status: 200, body: Buffer.from([0x61, 0, 0xff]) },
      { body: 'a\uFFFD\uFFFD' },
    ],
    ['a closed connection', 'close', { kind: 'failure', error: 'connection closed' }],
    ['hints and no status', 'hints-and-close', { kind: 'failure', error: 'connection closed' }],
    ['something that is not HTTP', 'garbage', { kind: 'failure', error: 'malformed HTTP response' }],
    [
      'too many headers',
      { status: 200, headers: { 'x-big': 'x'.repeat(40_000) } },
      { kind: 'failure', error: 'response headers are too large' },
    ],
  ])('returns %s as a value', async (_name, answer, expected) => {
    merchant.plan(answer);
    expect(await sender().post(merchant.url, {}, BODY)).toMatchObject(expected);
  });

  it('reports a refused connection', async () => {
    await merchant.down();
    expect(await sender().post(merchant.url, {}, BODY)).toMatchObject({
      kind: 'failure',
      error: 'connection refused',
    });
  });

  it('gives up at its deadline without a response and closes the connection', async () => {
    merchant.plan('hang');
    expect(await sender().post(merchant.url, {}, BODY)).toMatchObject({
      kind: 'failure',
      error: `no response within ${PATIENCE_MS} ms`,
    });
  });

  // No deadline ends here: the head of the response does.
  it.each<[string, string, string]>([
    ['that never ends', 'Content-Length: 100\r\n\r\nhalf', 'half'],
    ['of chunks that never end', 'Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n', 'half'],
    ['that never begins', 'Content-Length: 100\r\n\r\n', ''],
    ['with a chunk size that is none', 'Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nXYZ\r\n', 'half'],
    ['with trailers that never end', 'Transfer-Encoding: chunked\r\n\r\n0\r\nx-a: 1\r\nx-', ''],
    ['that says it is compressed', 'Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\nno', 'no'],
  ])('takes a 2xx with a body %s for a 2xx, at once', async (_what, rest, body) => {
    const server = rawServer(`HTTP/1.1 200 OK\r\n${rest}`);
    const url = await server.url;
    expect(await sender().post(url, {}, BODY)).toMatchObject({ kind: 'response', status: 200, body });
    server.close();
  });

  it('closes the connection of a body that does not end', async () => {
    const server = rawServer('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
    await sender().post(await server.url, {}, BODY);
    await server.closed;
    server.close();
  });

  it('keeps the reason of a refusal whose body does not end', async () => {
    merchant.plan({ status: 500, body: 'oops', headers: { 'content-length': '100' } });
    expect(await sender().post(merchant.url, {}, BODY)).toMatchObject({
      kind: 'response',
      status: 500,
      body: 'oops',
    });
  });

  it('gives up at its deadline on headers that do not end', async () => {
    const server = rawServer('HTTP/1.1 200 OK\r\nX-Half: ', fallSilent);
    expect(await sender().post(await server.url, {}, BODY)).toMatchObject({
      kind: 'failure',
      error: `no response within ${PATIENCE_MS} ms`,
    });
    server.close();
  });

  it('gives up at its deadline while a name is looked up', async () => {
    const client = sender({
      resolve: () => {
        fallSilent();
        return new Promise(() => undefined);
      },
    });
    expect(await client.post('http://shop.example/', {}, BODY)).toMatchObject({
      kind: 'failure',
      error: `no response within ${PATIENCE_MS} ms`,
    });
  });

  it('does not send a request whose deadline passed while it waited for a connection', async () => {
    let resolved: (addresses: LookupAddress[]) => void = () => undefined;
    const lookedUp = new Promise<LookupAddress[]>((resolve) => (resolved = resolve));
    let isLookingUp = false;
    const client = sender({
      resolve: () => {
        isLookingUp = true;
        return lookedUp;
      },
    });
    const url = `http://shop.example:${new URL(merchant.url).port}/`;
    const late = client.post(url, { 'webhook-id': 'late' }, BODY);
    while (!isLookingUp) await turnOfTheLoop();
    fallSilent();
    expect(await late).toMatchObject({ kind: 'failure' });
    resolved([{ address: '127.0.0.1', family: 4 }]);
    // Uses the connection that the first one waited for.
    expect(await client.post(url, { 'webhook-id': 'next' }, BODY)).toMatchObject({ status: 200 });
    expect(merchant.requests.map(({ headers }) => headers['webhook-id'])).toEqual(['next']);
  });
});

describe('the timing of an attempt', () => {
  const timingOf = async (client: WebhookSender) => (await client.post(merchant.url, {}, BODY)).timing;
  const some = expect.any(Number);

  it('has connection, first byte and end in that order', async () => {
    // Each look at the clock finds it a second later.
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
    const { connectMs, firstByteMs, durationMs } = await timingOf(sender());
    clock.mockRestore();
    expect(connectMs).toBeGreaterThan(0);
    expect(firstByteMs).toBeGreaterThan(connectMs ?? Infinity);
    expect(durationMs).toBeGreaterThan(firstByteMs ?? Infinity);
  });

  it.each<[string, Answer, object]>([
    ['never came', 'hang', { connectMs: some, firstByteMs: null }],
    ['never ended', 'hang-in-body', { connectMs: some, firstByteMs: some }],
    ['was only announced', 'hints-and-close', { connectMs: some, firstByteMs: null }],
  ])('has the parts that arrived of a response that %s', async (_what, answer, expected) => {
    merchant.plan(answer);
    expect(await timingOf(sender())).toEqual({ ...expected, durationMs: some });
  });

  it('has no connection time without a connection', async () => {
    const refusing = sender({ production: true });
    expect(await timingOf(refusing)).toEqual({ connectMs: null, firstByteMs: null, durationMs: 0 });
    await merchant.down();
    expect(await timingOf(sender())).toEqual({ connectMs: null, firstByteMs: null, durationMs: some });
  });
});

describe('WebhookSender in production', () => {
  const production = (answers: string[], options: Partial<WebhookSenderOptions> = {}) =>
    sender({
      production: true,
      resolve: async () => answers.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ...options,
    });
  const port = () => new URL(merchant.url).port;

  it.each([
    ['http://127.0.0.1', 'the URL is not https'],
    ['https://127.0.0.1', 'the address is not public (loopback)'],
    ['https://0x7f.1', 'the address is not public (loopback)'],
    ['https://[::ffff:7f00:1]', 'the address is not public (loopback)'],
    ['https://user@shop.example', 'the URL carries user information'],
  ])('refuses %s before anything is resolved or connected', async (origin, reason) => {
    let isResolved = false;
    const client = production([], {
      resolve: async () => {
        isResolved = true;
        return [];
      },
    });
    const result = await client.post(`${origin}:${port()}/`, {}, BODY);
    expect(result).toMatchObject({ kind: 'failure', error: `refused: ${reason}` });
    expect(isResolved).toBe(false);
    expect(merchant.connections).toBe(0);
  });

  it.each([
    ['a private address', ['127.0.0.1'], 'the address is not public (loopback)'],
    ['one private address among public ones', ['9.9.9.9', '10.0.0.1'], 'the address is not public (private)'],
    ['a mapped address', ['::ffff:127.0.0.1'], 'the address is not public (loopback)'],
    ['the metadata service', ['169.254.169.254'], 'the address is not public (link-local)'],
    ['no address', [], 'the host name has no address'],
    ['text that is not an address', ['shop.example'], 'the address cannot be read'],
  ])('refuses a name that resolves to %s', async (_name, answers, reason) => {
    const result = await production(answers).post(`https://shop.example:${port()}/`, {}, BODY);
    expect(result).toMatchObject({ kind: 'failure', error: `refused: ${reason}` });
    expect(merchant.connections).toBe(0);
  });

  it('checks the addresses of every lookup of a name', async () => {
    let turn = 0;
    const client = production([], {
      // Nothing listens there, and it is allowed here so that the first lookup passes the check.
      allowedCidrs: ['127.0.0.2/32'],
      resolve: async () => [{ address: turn++ === 0 ? '127.0.0.2' : '127.0.0.1', family: 4 }],
    });
    expect(await client.post(`https://shop.example:${port()}/`, {}, BODY)).toMatchObject({ kind: 'failure' });
    expect(await client.post(`https://shop.example:${port()}/`, {}, BODY)).toMatchObject({
      kind: 'failure',
      error: 'refused: the address is not public (loopback)',
    });
    expect(merchant.connections).toBe(0);
  });

  describe('with a range that the operator allows', () => {
    const { cert, key } = selfSigned('shop.example');
    let secure: Server;
    const seen: string[] = [];
    const secureUrl = (host: string) => `https://${host}:${(secure.address() as AddressInfo).port}/hook`;

    beforeAll(async () => {
      secure = createServer({ cert, key }, (request, response) => {
        seen.push(`${request.headers.host?.split(':')[0]}${request.url}`);
        request.resume().on('end', () => response.end('secure'));
      });
      secure.listen(0, '127.0.0.1');
      await once(secure, 'listening');
    });
    afterAll(async () => {
      secure.closeAllConnections();
      secure.close();
      await once(secure, 'close');
    });
    beforeEach(() => seen.splice(0));

    it('delivers over TLS at the checked address', async () => {
      const client = production(['127.0.0.1'], { allowedCidrs: ['127.0.0.0/8'], ca: cert });
      expect(await client.post(secureUrl('shop.example'), {}, BODY)).toMatchObject({
        status: 200,
        body: 'secure',
      });
      expect(seen).toEqual(['shop.example/hook']);
    });

    it('refuses a connection that reached another address before writing the request', async () => {
      // Linux connects 0.0.0.0 to loopback, so the checked address is allowed and the reached one is not.
      const client = production(['0.0.0.0'], { allowedCidrs: ['0.0.0.0'], ca: cert });
      expect(await client.post(secureUrl('shop.example'), {}, BODY)).toMatchObject({
        kind: 'failure',
        error: 'refused: the address is not public (loopback)',
      });
      expect(seen).toEqual([]);
    });

    it.each([
      ['a certificate of another name', 'other.example', cert, 'TLS failed (ERR_TLS_CERT_ALTNAME_INVALID)'],
      ['a self-signed certificate', 'shop.example', undefined, 'TLS failed (DEPTH_ZERO_SELF_SIGNED_CERT)'],
    ])('refuses %s', async (_name, host, ca, error) => {
      const client = production(['127.0.0.1'], { allowedCidrs: ['127.0.0.1'], ...(ca && { ca }) });
      expect(await client.post(secureUrl(host), {}, BODY)).toMatchObject({ kind: 'failure', error });
      expect(seen).toEqual([]);
    });
  });
});
