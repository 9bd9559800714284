import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { loadConfig } from '../src/config.js';
import { WebhookSender, type WebhookSenderOptions } from '../src/webhooks/webhook-sender.js';
import { ConnectProxy } from './support/connect-proxy.js';
import { MerchantServer } from './support/merchant-server.js';
import { selfSigned } from './support/self-signed.js';

/**
 * WEBHOOK_PROXY_URL: what the gateway sends to the proxy, and what of its guard
 * (specification/webhooks.md#target-addresses) stays its own.
 */
const BODY = Buffer.from('{"n":1}');
const { cert, key } = selfSigned('shop.example');
const senders: WebhookSender[] = [];
let proxy: ConnectProxy;
let merchant: MerchantServer;
let secure: Server;
/** What the TLS endpoint saw: the name of the handshake, and the Host header. */
const seen: { servername: string | false | null; host: string | undefined }[] = [];

function sender(options: Partial<WebhookSenderOptions> = {}): WebhookSender {
  const made = new WebhookSender({
    production: true,
    timeoutMs: 20_000,
    allowedCidrs: [],
    userAgent: 'test',
    ca: cert,
    proxyUrl: proxy.url,
    resolve: () => Promise.reject(new Error('the gateway must not resolve behind a proxy')),
    ...options,
  });
  senders.push(made);
  return made;
}

const securePort = () => (secure.address() as AddressInfo).port;
const secureUrl = (host = 'shop.example') => `https://${host}:${securePort()}/hook?shop=1`;

beforeAll(async () => {
  secure = createServer({ cert, key }, (request, response) => {
    seen.push({ servername: (request.socket as TLSSocket).servername, host: request.headers.host });
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
beforeEach(async () => {
  seen.splice(0);
  merchant = await MerchantServer.start();
  proxy = await ConnectProxy.start(() => '127.0.0.1');
});
afterEach(async () => {
  for (const used of senders.splice(0)) await used.close();
  await proxy.stop();
  await merchant.down();
});

describe('webhooks through WEBHOOK_PROXY_URL', () => {
  it('reach an https endpoint in a tunnel, where the proxy resolves and TLS verifies the name', async () => {
    const client = sender();
    for (let i = 0; i < 3; i++)
      expect(await client.post(secureUrl(), {}, BODY)).toMatchObject({ status: 200, body: 'secure' });
    const authority = `shop.example:${securePort()}`;
    expect(seen[0]).toEqual({ servername: 'shop.example', host: authority });
    expect(proxy.asked[0]).toEqual({ authority, host: authority, authorization: null });
    // Tunnels are reused; the pool opens a second one before the first is free again.
    expect(proxy.asked.length).toBeLessThanOrEqual(2);
  });

  it('name host and port to the proxy, also for port 443 and IPv6', async () => {
    proxy.mood = { status: 403 };
    for (const host of ['shop.example', '9.9.9.9', '[2606:4700::1111]'])
      expect(await sender().post(`https://${host}/`, {}, BODY)).toMatchObject({
        kind: 'failure',
        error: 'egress proxy: HTTP 403',
      });
    expect(proxy.asked.map(({ authority }) => authority)).toEqual([
      'shop.example:443',
      '9.9.9.9:443',
      '[2606:4700::1111]:443',
    ]);
  });

  it('use the proxy in development too, also for plain http', async () => {
    const url = merchant.url.replace('127.0.0.1', 'shop.example');
    expect(await sender({ production: false }).post(url, { 'webhook-id': 'e1' }, BODY)).toMatchObject({
      status: 200,
    });
    expect(merchant.requests[0]).toMatchObject({ path: '/webhooks/payments?shop=1', body: BODY });
    expect(merchant.requests[0]?.headers).toMatchObject({ host: new URL(url).host, 'webhook-id': 'e1' });
    expect(merchant.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
    expect(proxy.asked).toHaveLength(1);
  });

  it.each([
    ['user:p%40ss%3Aword', 'user:p@ss:word'],
    ['user', 'user:'],
    [':secret', ':secret'],
    ['us%C3%A9r:pw', 'usér:pw'],
  ])('send the credentials %s to the proxy only', async (userInfo, plain) => {
    proxy.authorization = `Basic ${Buffer.from(plain).toString('base64')}`;
    const client = sender({ production: false, proxyUrl: `http://${userInfo}@127.0.0.1:${proxy.port}` });
    expect(await client.post(merchant.url.replace('127.0.0.1', 'shop.example'), {}, BODY)).toMatchObject({
      status: 200,
    });
    expect(JSON.stringify(merchant.requests[0]?.headers)).not.toContain(
      Buffer.from(plain).toString('base64'),
    );
  });

  it.each([
    ['https://127.0.0.1', 'the address is not public (loopback)'],
    ['https://0x7f.1', 'the address is not public (loopback)'],
    ['https://[::ffff:a9fe:a9fe]', 'the address is not public (link-local)'],
    ['https://localhost', 'the address is not public (loopback)'],
    ['https://user@shop.example', 'the URL carries user information'],
    ['http://shop.example', 'the URL is not https'],
  ])('are refused for %s before the proxy is contacted', async (origin, reason) => {
    expect(await sender().post(`${origin}:${securePort()}/`, {}, BODY)).toMatchObject({
      kind: 'failure',
      error: `refused: ${reason}`,
    });
    expect(proxy.asked).toEqual([]);
  });

  it('follow no redirect of the proxy or the endpoint', async () => {
    proxy.mood = { status: 302 };
    expect(await sender().post(secureUrl(), {}, BODY)).toMatchObject({
      kind: 'failure',
      error: 'egress proxy: HTTP 302',
    });
    proxy.mood = 'tunnel';
    merchant.plan({ status: 307, headers: { location: merchant.url } });
    const url = merchant.url.replace('127.0.0.1', 'shop.example');
    expect(await sender({ production: false }).post(url, {}, BODY)).toMatchObject({ status: 307 });
    expect(merchant.requests).toHaveLength(1);
  });

  it.each<[string, ConnectProxy['mood'] | 'down', string]>([
    ['wants other credentials', { status: 407 }, 'egress proxy: HTTP 407'],
    ['cannot reach the endpoint', { status: 502 }, 'egress proxy: HTTP 502'],
    ['closes the connection', 'close', 'egress proxy: connection closed'],
    ['does not speak HTTP', 'garbage', 'egress proxy: malformed HTTP response'],
    ['does not respond', 'hang', 'egress proxy: no response within 100 ms'],
    ['is down', 'down', 'egress proxy: connection refused'],
  ])('fail with a specific error when the proxy %s', async (_case, mood, error) => {
    const client = sender({ timeoutMs: mood === 'hang' ? 100 : 5_000 });
    const expected = mood === 'hang' ? [error, 'no response within 100 ms'] : [error];
    if (mood === 'down') {
      const { url } = proxy;
      await proxy.stop();
      proxy = await ConnectProxy.start(() => '127.0.0.1');
      expect(url).not.toBe(proxy.url);
    } else proxy.mood = mood;
    const result = await client.post(secureUrl(), {}, BODY);
    expect(result.kind === 'failure' && expected.includes(result.error) ? error : result).toBe(error);
    expect(seen).toEqual([]);
  });

  it('refuse a certificate of another name wherever the proxy connects', async () => {
    expect(await sender().post(secureUrl('other.example'), {}, BODY)).toMatchObject({
      kind: 'failure',
      error: 'TLS failed (ERR_TLS_CERT_ALTNAME_INVALID)',
    });
    expect(seen).toEqual([]);
  });
});

describe('WEBHOOK_PROXY_URL', () => {
  const env = {
    DATABASE_URL: 'postgres://u:x@db/g',
    APP_KEYS: `k1:${Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')}`,
    CHECKOUT_SIGNING_KEY: 'test-checkout-signing-key-with-enough-length',
  };

  it.each([
    'http://proxy.internal:3128',
    'https://proxy.internal',
    'http://10.0.0.7:3128/',
    'http://user:p%40ss@proxy.internal:3128',
  ])('accepts %s', (url) => {
    expect(loadConfig({ ...env, WEBHOOK_PROXY_URL: url }).webhooks.proxyUrl).toBe(url);
  });

  it.each([
    'proxy.internal:3128',
    'socks5://canary-user@proxy.internal',
    'http://canary@',
    'http://proxy.internal/canary',
    'http://proxy.internal?canary=1',
    'http://canary:%zz@proxy.internal',
    'http://canary:%0d%0a@proxy.internal',
  ])('refuses %s without repeating it in the error', (url) => {
    const load = () => loadConfig({ ...env, WEBHOOK_PROXY_URL: url });
    expect(load).toThrow(/WEBHOOK_PROXY_URL: must be http:\/\/host:port/);
    expect(load).not.toThrow(/canary/);
  });

  it('defaults to no proxy', () => {
    expect(loadConfig(env).webhooks.proxyUrl).toBeNull();
  });
});
