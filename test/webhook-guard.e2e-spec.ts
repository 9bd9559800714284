import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { TLSSocket } from 'node:tls';
import { ApplicationsService } from '../src/applications/applications.service.js';
import { ValidationError } from '../src/platform/kernel/errors/errors.pure.js';
import { Draft } from '../src/platform/web/contract/read-contract.js';
import { WebhookSender, type WebhookSenderOptions } from '../src/webhooks/webhook-sender.js';
import { changeSite } from './support/change-site.js';
import { ApplicationsApi } from './support/applications-api.js';
import { CanaryServer } from './support/canary-server.js';
import { DnsServer } from './support/dns-server.js';
import { freePort } from './support/free-port.js';
import { createOwner } from './support/principals.js';
import { selfSigned } from './support/self-signed.js';
import { canonical, IPV4_SPELLINGS, IPV6_SPELLINGS, LOCAL_NAMES, ssrfCases } from './support/ssrf-table.js';
import { WebhookHarness } from './support/webhook-harness.js';

/**
 * The SSRF guard of webhooks (specification/webhooks.md#target-addresses) against the whole table of spellings and
 * ranges, when a URL is saved and when something is sent, with a canary in the own network that must stay untouched.
 */
const BODY = Buffer.from('{"n":1}');
const PRODUCTION = { NODE_ENV: 'production', BASE_URL: 'https://pay.example' };
const { cert, key } = selfSigned('shop.example');

const senders: WebhookSender[] = [];
function sender(options: Partial<WebhookSenderOptions> = {}): WebhookSender {
  const made = new WebhookSender({
    production: true,
    timeoutMs: 20_000,
    allowedCidrs: [],
    userAgent: 'test',
    ca: cert,
    ...options,
  });
  senders.push(made);
  return made;
}

const counts = { cases: 0, saves: 0, sends: 0, deliveries: 0, names: 0, redirects: 0, controls: 0 };
/** On every address of this machine. */
let canary: CanaryServer;

beforeAll(async () => {
  canary = await CanaryServer.start(['::']);
});
afterEach(async () => {
  for (const used of senders.splice(0)) await used.close();
});
afterAll(async () => {
  await canary.stop();
  const cases = ssrfCases(0);
  const ranges = new Set(cases.map(({ range }) => range)).size;
  process.stdout.write(
    `SSRF guard: ${IPV4_SPELLINGS.length + IPV6_SPELLINGS.length} spellings, ${ranges} ranges, ` +
      `${counts.cases} URLs; refused ${counts.saves} saves, ${counts.sends} sends, ${counts.deliveries} deliveries; ` +
      `${counts.names} DNS lookups, ${counts.redirects} redirects; canary reached 0 times, ` +
      `and by ${counts.controls} URLs when allowed\n`,
  );
});

/** Private addresses of this machine beside loopback, as far as a URL can hold them. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ address, internal }) => !internal && !address.startsWith('fe80:'))
    .map(({ address }) => address);
}

/** How many sockets this process opens meanwhile, to anywhere. */
async function socketsOpened(work: () => Promise<void>): Promise<number> {
  let opened = 0;
  const count = () => (opened += 1);
  subscribe('net.client.socket', count);
  try {
    await work();
  } finally {
    unsubscribe('net.client.socket', count);
  }
  return opened;
}

describe('the table of spellings and ranges', () => {
  it('has the address that URL parsing makes of each spelling', () => {
    const wrong = ssrfCases(8443).filter(({ url, address, spelling }) => {
      const hostname = URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : null;
      const reading = hostname === null ? 'nothing' : hostname === canonical(address) ? 'address' : 'carrier';
      return reading !== spelling.reading;
    });
    expect(wrong).toEqual([]);
  });

  it('reaches the canary when its addresses are allowed, so the other tests prove something', async () => {
    const allowed = sender({
      allowedCidrs: ['0.0.0.0/0', '::/0'],
      // Not every system knows `localhost.` and the names below it.
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    const open = ssrfCases(canary.port).filter(
      ({ address, spelling, url }) =>
        ['127.0.0.1', '::1', '127.255.255.254'].includes(address) &&
        (spelling.reading === 'address' || spelling.name.startsWith('IPv4-mapped')) &&
        URL.canParse(url) &&
        new URL(url).username === '',
    );
    const names = LOCAL_NAMES.map((name) => `https://${name}:${canary.port}/`);
    const own = ownAddresses().map(
      (address) => `https://${address.includes(':') ? `[${address}]` : address}:${canary.port}/`,
    );
    const before = canary.hits;
    for (const url of [...open.map((row) => row.url), ...names, ...own]) {
      const { hits } = canary;
      await allowed.post(url, {}, BODY);
      expect([url, canary.hits > hits]).toEqual([url, true]);
      counts.controls += 1;
    }
    expect(canary.hits - before).toBeGreaterThanOrEqual(counts.controls);
    expect(counts.controls).toBeGreaterThan(90);
    canary.hits = 0;
  });
});

describe('the SSRF guard in production', () => {
  let harness: WebhookHarness;

  beforeAll(async () => {
    harness = await WebhookHarness.start(PRODUCTION);
  });
  afterAll(() => harness.stop());

  it('refuses to save every case with a 422 that names the field', async () => {
    const { gateway } = harness;
    const owner = await createOwner(gateway);
    const api = new ApplicationsApi(gateway, owner);
    const { id } = await api.create({ callbackUrl: 'https://shop.example/hook' });
    // Through the API: every range, every spelling of loopback, and every name.
    const cases = ssrfCases(canary.port);
    const [plain] = IPV4_SPELLINGS;
    const [plainIpv6] = IPV6_SPELLINGS;
    const urls = [
      ...cases.filter(({ spelling, isFirst }) => isFirst && [plain, plainIpv6].includes(spelling)),
      ...cases.filter(({ address }) => ['127.0.0.1', '::1'].includes(address)),
    ].map(({ url }) => url);
    const queue = new Set([
      ...urls,
      ...LOCAL_NAMES.map((name) => `https://${name}:${canary.port}/`),
    ]).values();
    const wrong: unknown[] = [];
    const saving = async () => {
      for (const callbackUrl of queue) {
        const { status, error } = await api.put(id, { callbackUrl });
        counts.saves += 1;
        if (status !== 422 || Object.keys(error.errors ?? {}).join() !== 'callbackUrl')
          wrong.push({ callbackUrl, status, error });
      }
    };
    await Promise.all(Array.from({ length: 4 }, saving));
    expect(wrong).toEqual([]);
    expect(counts.saves).toBeGreaterThan(100);

    // Through the service: the whole table.
    const applications = gateway.get(ApplicationsService);
    for (const { url } of cases) {
      const outcome = await applications
        .update(owner.userId, id, Draft.of({ callbackUrl: url }))
        .catch((error: unknown) => error);
      counts.saves += 1;
      if (!(outcome instanceof ValidationError) || !outcome.message.includes('callbackUrl'))
        wrong.push({ url, outcome });
    }
    expect(wrong).toEqual([]);
    expect((await api.get(id)).data.site.callbackUrl).toBe('https://shop.example/hook');
    expect(canary.hits).toBe(0);
  });

  it('opens no socket for any case', async () => {
    const { production, webhooks } = harness.gateway.config;
    expect({ production, ...webhooks }).toMatchObject({ production: true, allowedCidrs: [], proxyUrl: null });
    const guarded = harness.gateway.get(WebhookSender);
    const own = ownAddresses().map((address) => (address.includes(':') ? `[${address}]` : address));
    const urls = [
      ...ssrfCases(canary.port).map(({ url }) => url),
      ...[...LOCAL_NAMES, ...own].map((host) => `https://${host}:${canary.port}/`),
    ];
    counts.cases = urls.length;
    const wrong: unknown[] = [];
    const opened = await socketsOpened(async () => {
      for (const url of urls) {
        const result = await guarded.post(url, {}, BODY);
        counts.sends += 1;
        if (result.kind !== 'failure' || !result.error.startsWith('refused: the '))
          wrong.push({ url, result });
      }
    });
    expect(wrong).toEqual([]);
    expect(opened).toBe(0);
    expect(canary.hits).toBe(0);
  });

  it('delivers to no refused URL that is already stored, and logs the reason', async () => {
    const urls = IPV4_SPELLINGS.map(({ url }) => url('127.0.0.1', canary.port)).concat(
      `https://169.254.169.254/latest/meta-data`,
      `https://localhost:${canary.port}/`,
    );
    for (const url of urls) {
      const merchant = await harness.addMerchant({ callbackUrl: 'https://shop.example/hook' });
      await changeSite(harness.gateway, merchant.applicationId, 'callback_url = $2', url);
      await harness.addPaymentEvent(merchant);
      await merchant.server.down();
    }
    await harness.drain();
    const attempts = await harness.sql.query<{ url: string; error: string; status: number | null }>(
      'select url, error, http_status as status from webhook_attempts',
    );
    expect(attempts.map(({ url }) => url).toSorted()).toEqual(urls.toSorted());
    for (const attempt of attempts)
      expect(attempt).toEqual({ ...attempt, error: expect.stringMatching(/^refused: the /), status: null });
    counts.deliveries = attempts.length;
    expect(canary.hits).toBe(0);
  });
});

describe('host names and redirects', () => {
  /** Stands for a public address: allowed, and the only one that is. */
  const PUBLIC = '127.0.0.9';
  let dns: DnsServer;
  let shop: Server;
  /** Where the shop is not: the same port of other local addresses. */
  let inside: CanaryServer;
  let answer: { status: number; headers: Record<string, string> };
  const seen: { servername: string | false | null; host: string | undefined; at: string | undefined }[] = [];

  const port = () => (shop.address() as AddressInfo).port;
  const guarded = () => sender({ allowedCidrs: [`${PUBLIC}/32`], resolve: dns.resolver() });
  const post = (client = guarded(), host = 'shop.example') =>
    client.post(`https://${host}:${port()}/hook`, {}, BODY);

  beforeAll(async () => {
    dns = await DnsServer.start();
    shop = createServer({ cert, key }, (request, response) => {
      const { servername, localAddress } = request.socket as TLSSocket;
      seen.push({ servername, host: request.headers.host, at: localAddress });
      request.resume().on('end', () => response.writeHead(answer.status, answer.headers).end('shop'));
    });
    shop.listen(await freePort(), PUBLIC);
    await once(shop, 'listening');
    inside = await CanaryServer.start(['127.0.0.1', '::1'], port());
  });
  beforeEach(() => {
    seen.splice(0);
    dns.asked.clear();
    answer = { status: 200, headers: {} };
  });
  afterEach(() => expect(inside.hits).toBe(0));
  afterAll(async () => {
    await inside.stop();
    shop.closeAllConnections();
    shop.close();
    await once(shop, 'close');
    await dns.stop();
  });

  it('are resolved once and connected at that address, with the name in TLS', async () => {
    // Public at the first lookup, private at any later one.
    dns.zone = { 'shop.example': (asked) => [asked === 0 ? PUBLIC : '127.0.0.1'] };
    expect(await post()).toMatchObject({ kind: 'response', status: 200, body: 'shop' });
    expect(dns.asked.get('shop.example')).toBe(1);
    expect(seen).toEqual([{ servername: 'shop.example', host: `shop.example:${port()}`, at: PUBLIC }]);
    expect(await post()).toMatchObject({
      kind: 'failure',
      error: 'refused: the address is not public (loopback)',
    });
    counts.names += 2;
  });

  it('are checked again for every connection when their addresses change', async () => {
    dns.zone = { 'shop.example': (asked) => [asked % 2 === 0 ? PUBLIC : '127.0.0.1'] };
    const resolve = dns.resolver();
    for (let turn = 0; turn < 20; turn++) {
      const result = await post(sender({ allowedCidrs: [PUBLIC], resolve }));
      expect([turn, result.kind]).toEqual([turn, turn % 2 === 0 ? 'response' : 'failure']);
    }
    expect(seen.map(({ at }) => at)).toEqual(Array.from({ length: 10 }, () => PUBLIC));
    counts.names += 20;
  });

  const loopback = 'refused: the address is not public (loopback)';
  it.each<[string, Record<string, string[]>, string]>([
    ['a private address', { 'shop.example': ['127.0.0.1'] }, loopback],
    ['a private address behind a public one', { 'shop.example': [PUBLIC, '127.0.0.1'] }, loopback],
    ['a private address before a public one', { 'shop.example': ['127.0.0.1', PUBLIC] }, loopback],
    [
      'one private address among thirty',
      { 'shop.example': [...Array.from({ length: 12 }, () => PUBLIC), '10.0.0.1'] },
      'refused: the address is not public (private)',
    ],
    ['IPv6 loopback alone', { 'shop.example': ['::1'] }, loopback],
    ['IPv6 loopback beside a public address', { 'shop.example': [PUBLIC, '::1'] }, loopback],
    ['a mapped address', { 'shop.example': ['::ffff:127.0.0.1'] }, loopback],
    ['NAT64', { 'shop.example': ['64:ff9b::7f00:1'] }, 'refused: the address is not public (NAT64)'],
    ['6to4', { 'shop.example': ['2002:7f00:1::'] }, 'refused: the address is not public (6to4)'],
    ['0.0.0.0', { 'shop.example': ['0.0.0.0'] }, 'refused: the address is not public (unspecified)'],
    ['::', { 'shop.example': ['::'] }, 'refused: the address is not public (unspecified)'],
    ['metadata', { 'shop.example': ['169.254.169.254'] }, 'refused: the address is not public (link-local)'],
    ['a private alias', { 'shop.example': ['CNAME db.internal'], 'db.internal': ['127.0.0.1'] }, loopback],
    [
      'an alias of a private name through two more',
      {
        'shop.example': ['CNAME a.example'],
        'a.example': ['CNAME b.example'],
        'b.example': ['CNAME db.internal'],
        'db.internal': ['::1'],
      },
      loopback,
    ],
    ['a name without addresses', { 'shop.example': ['CNAME nothing.example'] }, 'host name not found'],
    ['no address', { 'shop.example': [] }, 'host name not found'],
    ['an unknown name', {}, 'host name not found'],
    ['an error', { 'shop.example': ['SERVFAIL'] }, 'host name lookup failed'],
  ])('that resolve to %s are not connected', async (_case, zone, error) => {
    dns.zone = zone;
    expect(await post()).toMatchObject({ kind: 'failure', error });
    expect(seen).toEqual([]);
    counts.names += 1;
  });

  it('that are an alias of a name with a public address are connected', async () => {
    dns.zone = { 'shop.example': ['CNAME cdn.example'], 'cdn.example': [PUBLIC] };
    expect(await post()).toMatchObject({ status: 200 });
    expect(seen[0]?.servername).toBe('shop.example');
    counts.names += 1;
  });

  it.each([
    '127.0.0.1.rebind.example',
    '7f000001.rebind.example',
    'localhost.example',
    'localhost.localdomain',
  ])('that look public but resolve to loopback are not connected: %s', async (name) => {
    dns.zone = { [name]: ['127.0.0.1'] };
    expect(await post(guarded(), name)).toMatchObject({ kind: 'failure', error: loopback });
    counts.names += 1;
  });

  it('that only the system resolver knows are checked in the same way', async () => {
    const client = sender({ allowedCidrs: [] });
    for (const name of ['ip6-localhost', 'ip6-loopback']) {
      const result = await post(client, name);
      // Where /etc/hosts does not name them, there is nothing to reach.
      expect([
        'refused: the address is not public (loopback)',
        'host name not found',
        'host name lookup failed',
      ]).toContain(result.kind === 'failure' ? result.error : result);
    }
  });

  it('are not redirected to a private address', async () => {
    dns.zone = { 'shop.example': [PUBLIC] };
    for (const status of [300, 301, 302, 303, 304, 305, 307, 308])
      for (const location of ['https://127.0.0.1', 'https://[::1]', 'http://127.0.0.1', '//127.0.0.1']) {
        const target = `${location}:${port()}/`;
        answer = {
          status,
          headers: { location: target, refresh: `0; url=${target}`, 'alt-svc': `h2="127.0.0.1:${port()}"` },
        };
        expect(await post()).toMatchObject({ kind: 'response', status });
        counts.redirects += 1;
      }
    expect(seen).toHaveLength(counts.redirects);
  });

  it('need a certificate for the name', async () => {
    dns.zone = { 'other.example': [PUBLIC], 'shop.example': [PUBLIC] };
    expect(await post(guarded(), 'other.example')).toMatchObject({
      kind: 'failure',
      error: 'TLS failed (ERR_TLS_CERT_ALTNAME_INVALID)',
    });
    const { ca: _own, ...stranger } = { ca: cert, allowedCidrs: [`${PUBLIC}/32`], resolve: dns.resolver() };
    const untrusting = new WebhookSender({
      production: true,
      timeoutMs: 20_000,
      userAgent: 'test',
      ...stranger,
    });
    senders.push(untrusting);
    expect(await post(untrusting)).toMatchObject({
      kind: 'failure',
      error: 'TLS failed (DEPTH_ZERO_SELF_SIGNED_CERT)',
    });
    expect(seen).toEqual([]);
  });
});
