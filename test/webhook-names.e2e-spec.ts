import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { execFileSync } from 'node:child_process';
import type { LookupAddress } from 'node:dns';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HostResolver, type HostResolverOptions } from '../src/platform/kernel/dns/host-resolver.js';
import { HostLookupError } from '../src/platform/kernel/dns/dns-answers.pure.js';
import { GetaddrinfoQueue } from '../src/platform/kernel/dns/getaddrinfo-queue.js';
import { WebhookSender, type WebhookSenderOptions } from '../src/webhooks/webhook-sender.js';
import { DnsServer } from './support/dns-server.js';
import { MerchantServer } from './support/merchant-server.js';

/**
 * How webhooks find the hosts of merchants: what one merchant's name servers do, or do not, does not delay others'
 * webhooks (specification/webhooks.md#delivery).
 */
const BODY = Buffer.from('{"n":1}');
const LOCAL: LookupAddress = { address: '127.0.0.1', family: 4 };
const notFound = (name: string) => Promise.reject(new HostLookupError('ENOTFOUND', name));

let dns: DnsServer;
let merchant: MerchantServer;
let folder: string;
let hostsFile: string;
const senders: WebhookSender[] = [];

function sender(names: HostResolverOptions | null, options: Partial<WebhookSenderOptions> = {}) {
  const system = new GetaddrinfoQueue(notFound);
  const resolver = new HostResolver({ servers: [dns.address], hostsFile, system, ...names });
  const made = new WebhookSender({
    production: false,
    timeoutMs: 20_000,
    allowedCidrs: [],
    userAgent: 'test',
    ...(names && { resolve: resolver.resolve }),
    ...options,
  });
  senders.push(made);
  return made;
}

async function post(client: WebhookSender, host: string): Promise<number | string> {
  const url = `http://${host}:${new URL(merchant.url).port}/hook`;
  const result = await client.post(url, {}, BODY);
  return result.kind === 'response' ? result.status : result.error;
}

/** Sockets on this machine that are connected to the name server: Node does not list those of c-ares (proc(5)). */
function nameSockets(): number {
  const port = Number(dns.address.split(':')[1]).toString(16).toUpperCase().padStart(4, '0');
  const [, ...sockets] = readFileSync('/proc/net/udp', 'ascii').trim().split('\n');
  return sockets.filter((line) => line.trim().split(/\s+/)[2]?.endsWith(`:${port}`)).length;
}

/** Timers that run because of what was called in here: other work goes on in this process, which counts say nothing of. */
const caller = new AsyncLocalStorage<Set<number>>();
const timers = new Set<number>();
const watch = createHook({
  init(id, type) {
    if (type === 'Timeout') caller.getStore()?.add(id);
  },
  destroy: (id) => timers.delete(id),
});

beforeAll(async () => {
  watch.enable();
  dns = await DnsServer.start();
  folder = mkdtempSync(join(tmpdir(), 'names-'));
  hostsFile = join(folder, 'hosts');
});
beforeEach(async () => {
  writeFileSync(hostsFile, '');
  merchant = await MerchantServer.start();
});
afterEach(async () => {
  for (const used of senders.splice(0)) await used.close();
  await merchant.down();
});
afterAll(async () => {
  watch.disable();
  await dns.stop();
  rmSync(folder, { recursive: true });
});

describe('a name server that is silent', () => {
  it('delays only the webhooks of its own merchants, and no longer than the deadline', async () => {
    const hanging = Array.from({ length: 20 }, (_, n) => `shop${n}.hang.test`);
    dns.zone = Object.fromEntries([
      ...hanging.map((name) => [name, ['SILENCE']]),
      ['ok.test', ['127.0.0.1']],
    ]);
    const client = sender({}, { timeoutMs: 6_000 });
    let ended = 0;
    const tries = caller.run(timers, () =>
      hanging.map((host) => post(client, host).finally(() => (ended += 1))),
    );
    expect(await post(client, 'ok.test')).toBe(200);
    expect(ended).toBe(0);
    expect(nameSockets()).toBeGreaterThanOrEqual(hanging.length);
    expect(timers.size).toBeGreaterThanOrEqual(hanging.length);
    // Neither the deadline of the connection nor that of the whole attempt had to end them.
    expect(await Promise.all(tries)).toEqual(hanging.map(() => 'host name lookup failed'));
    await client.close();
    expect(nameSockets()).toBe(0);
    while (timers.size > 0) await new Promise(setImmediate);
  });

  it('only for AAAA does not prevent delivery to its A record', async () => {
    dns.zone = { 'v4.test': ['127.0.0.1', 'SILENCE AAAA'] };
    expect(await post(sender({}), 'v4.test')).toBe(200);
  });

  it('is skipped for another one that responds', async () => {
    const silent = await DnsServer.start();
    silent.zone = { 'ok.test': ['SILENCE'] };
    dns.zone = { 'ok.test': ['127.0.0.1'] };
    expect(await post(sender({ servers: [silent.address, dns.address] }), 'ok.test')).toBe(200);
    await silent.stop();
  });
});

describe('the thread pool', () => {
  const fifo = () => join(folder, 'fifo');

  /** Opening a pipe blocks a thread until its other end is opened. */
  async function withAllThreadsHeld(work: () => Promise<void>): Promise<void> {
    execFileSync('mkfifo', [fifo()]);
    const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
    const held = Array.from({ length: threads }, () => open(fifo(), 'r'));
    try {
      await work();
    } finally {
      const end = openSync(fifo(), constants.O_RDWR | constants.O_NONBLOCK);
      for (const opened of held) await (await opened).close();
      closeSync(end);
      rmSync(fifo());
    }
  }

  it('is not needed to resolve names of the hosts file or of DNS', async () => {
    dns.zone = { 'ok.test': ['127.0.0.1'] };
    const results: (number | string)[] = [];
    await withAllThreadsHeld(async () => {
      results.push(await post(sender(null), 'localhost'), await post(sender({}), 'ok.test'));
    });
    expect(results).toEqual([200, 200]);
  });
});

describe('the hosts file', () => {
  it('takes precedence over DNS, and changes take effect', async () => {
    dns.zone = { 'shop.test': ['127.0.0.1'] };
    const client = sender({}, { production: true, allowedCidrs: ['192.0.2.0/24'] });
    const failure = async () => {
      const result = await client.post('https://shop.test:8443/', {}, BODY);
      return result.kind === 'failure' && result.error;
    };
    writeFileSync(hostsFile, '10.0.0.1 shop.test\n');
    expect(await failure()).toBe('refused: the address is not public (private)');
    writeFileSync(hostsFile, '192.0.2.1 shop.test\n169.254.169.254 SHOP.test # and metadata\n');
    expect(await failure()).toBe('refused: the address is not public (link-local)');
    rmSync(hostsFile);
    expect(await failure()).toBe('refused: the address is not public (loopback)');
  });
});

describe('the system’s own lookup', () => {
  it('is used for names that DNS does not know, and its addresses are checked too', async () => {
    dns.zone = { 'empty.test': [] };
    const system = () => new GetaddrinfoQueue(async () => [LOCAL]);
    for (const host of ['shop', 'unknown.test', 'empty.test'])
      expect(await post(sender({ system: system() }), host)).toBe(200);
    const client = sender({ system: system() }, { production: true });
    expect(await client.post('https://shop.internal/', {}, BODY)).toMatchObject({
      error: 'refused: the address is not public (loopback)',
    });
  });

  it.each([
    ['times out', 'hang.test', ['SILENCE']],
    ['fails', 'broken.test', ['SERVFAIL']],
  ])('is not used when DNS %s', async (_what, host, records) => {
    dns.zone = { [host]: records };
    const asked: string[] = [];
    const system = new GetaddrinfoQueue(async (name) => {
      asked.push(name);
      return [LOCAL];
    });
    expect(await post(sender({ system }, { timeoutMs: 2_000 }), host)).toBe('host name lookup failed');
    expect(asked).toEqual([]);
  });

  it('reports the error of DNS when it does not know the name either', async () => {
    dns.zone = {};
    expect(await post(sender({}), 'unknown.test')).toBe('host name not found');
    const unreachable = sender({ servers: ['127.0.0.1:9'] });
    expect(await post(unreachable, 'unknown.test')).toBe('host name not found');
  });

  it('runs one at a time, is shared by name, and is awaited no longer than the deadline', async () => {
    dns.zone = {};
    const asked: string[] = [];
    let release: (addresses: LookupAddress[]) => void = () => undefined;
    const stuck = new Promise<LookupAddress[]>((resolve) => (release = resolve));
    const system = new GetaddrinfoQueue((name) => {
      asked.push(name);
      return name === 'stuck.test' ? stuck : Promise.resolve([LOCAL]);
    });
    const short = sender({ system }, { timeoutMs: 2_000 });
    const given = ['stuck.test', 'stuck.test', 'given-up.test'].map((host) => post(short, host));
    expect(await Promise.all(given)).toEqual(Array.from({ length: 3 }, () => 'host name not found'));
    expect(asked).toEqual(['stuck.test']);
    const patient = ['stuck.test', 'next.test', 'next.test'].map((host) => post(sender({ system }), host));
    dns.zone = { 'ok.test': ['127.0.0.1'] };
    expect(await post(sender({ system }), 'ok.test')).toBe(200);
    expect(asked).toEqual(['stuck.test']);
    release([LOCAL]);
    expect(await Promise.all(patient)).toEqual([200, 200, 200]);
    // The lookup whose requests were given up is not started.
    expect(asked).toEqual(['stuck.test', 'next.test']);
  });
});
