import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { ApplicationsService } from '../src/applications/applications.service.js';
import type { CreateApplicationContract } from '../src/applications/applications.contract.js';
import { Draft } from '../src/platform/web/contract/read-contract.js';
import { runCli } from '../src/cli.js';
import type { Finding } from '../src/operations/doctor/finding.js';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { RpcProxy } from './support/rpc-proxy.js';
import { selfSigned } from './support/self-signed.js';
import { SECRET, Shop } from './support/shop.js';

const LIMITED = { RATE_LIMIT_FAILED_AUTH: '100', METRICS_TOKEN: 'a-metrics-token-that-is-long-enough' };
/** A port without a listener: it was free a moment ago. */
const UNREACHABLE = 'http://127.0.0.1:9';

let shop: Shop;
let node: RpcProxy;

beforeAll(async () => {
  shop = await Shop.open(LIMITED, async (url) => {
    node = await RpcProxy.start(url);
    return node.url;
  });
  await shop.gateway
    .get(UsersService)
    .create({ email: 'op@example.test', password: 'a long password', isOperator: true });
});
afterAll(async () => {
  await shop.close();
  await node.stop();
});

async function doctor(environment: Record<string, string> = {}, args: string[] = []) {
  const [output, errors]: string[][] = [[], []];
  const { config, baseUrl } = shop.gateway;
  const env = {
    ...LIMITED,
    APP_KEYS: config.appKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
    CHECKOUT_SIGNING_KEY: config.checkoutSigningKeys.join(','),
    DATABASE_URL: config.databaseUrl,
    DATABASE_POOL_MODE: config.databasePoolMode,
    BASE_URL: baseUrl,
    CHAIN_STALL_BLOCKS: '0',
    CHAIN_ETHEREUM_RPC_URL: node.url,
    CHAIN_ETHEREUM_CHAIN_ID: String(shop.chain.chainId),
    RATES_KRAKEN_URL: config.rates.krakenUrl,
    RATES_COINBASE_URL: config.rates.coinbaseUrl,
    ...environment,
  };
  const code = await runCli(['doctor', ...args], env, {
    input: (async function* () {})(),
    write: (text) => output!.push(text),
    writeError: (text) => errors!.push(text),
  });
  return { code, output: output!.join(''), errors: errors!.join('') };
}

/** What is said of a subject. */
async function about(subject: string, environment: Record<string, string> = {}): Promise<Finding[]> {
  const { output } = await doctor(environment, ['--json']);
  return (JSON.parse(output) as Finding[]).filter((finding) => finding.subject === subject);
}

it('the doctor finds a gateway that owns its schema, and a role with rights that it does not need', async () => {
  const { databaseUrl, sql } = shop.gateway;
  // Past the pooler, where there is one.
  const owner = { DATABASE_URL: databaseUrl, DATABASE_POOL_MODE: 'session' };
  expect(await about('database role', owner)).toEqual([
    expect.objectContaining({ severity: 'warning', found: expect.stringContaining('is a superuser') }),
  ]);
  await sql.query('grant update (amount) on payment_transfers to gateway_app');
  expect(await about('database role')).toEqual([
    expect.objectContaining({
      severity: 'failure',
      found: expect.stringContaining('update (amount) on payment_transfers'),
    }),
  ]);
  await sql.query('revoke update (amount) on payment_transfers from gateway_app');
});

/** A reverse proxy in front of the gateway. @param headers what it makes of those of the client, and of its address */
async function startProxy(
  headers: (of: Record<string, unknown>, client: string) => Record<string, unknown>,
): Promise<Server> {
  const target = new URL(shop.gateway.baseUrl);
  const server = createServer((incoming, outgoing) => {
    const forwarded = httpRequest(
      { host: target.hostname, port: target.port, path: incoming.url, method: incoming.method },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    for (const [name, value] of Object.entries(
      headers(incoming.headers, incoming.socket.remoteAddress ?? ''),
    ))
      if (typeof value === 'string') forwarded.setHeader(name, value);
    incoming.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const addressOf = (server: Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`;

describe('the doctor', () => {
  it('lists what it checked and what to do', async () => {
    const { code, output, errors } = await doctor();
    expect(errors).toBe('');
    for (const subject of [
      'clock',
      'DNS',
      'public address',
      'chain ethereum',
      'rates',
      'database role',
      'webhooks',
      'operator',
    ])
      expect(output).toMatch(new RegExp(`^ok +${subject} `, 'm'));
    // The tests' database is in a hurry, and the doctor finds it out.
    expect(output).toMatch(
      /^failure +database +fsync .*: a power failure can corrupt the database\n +→ do +set both/m,
    );
    expect(output).toMatch(/^failure +database +synchronous_commit/m);
    // The test speaks plain http.
    expect(output).toMatch(/^warning +TLS +BASE_URL is plain http/m);
    expect(output).toMatch(/^ok +proxy headers +this machine appears as 127\.0\.0\.[12]/m);
    expect(output).toMatch(/ 2 failures$/m);
    expect(code).toBe(1);
  });

  it('prints every error of an invalid configuration', async () => {
    const { code, errors } = await doctor({ APP_KEYS: 'nonsense' });
    expect(code).toBe(1);
    expect(errors).toContain('APP_KEYS');
  });

  it('prints nothing but JSON with --json, also of an invalid configuration', async () => {
    const { code, output, errors } = await doctor({ APP_KEYS: 'nonsense', TRUSTED_PROXIES: 'nginx' }, [
      '--json',
    ]);
    expect(code).toBe(1);
    expect(errors).toBe('');
    const findings = JSON.parse(output) as Finding[];
    expect(findings.map(({ subject, severity }) => [subject, severity])).toEqual([
      ['configuration', 'failure'],
      ['configuration', 'failure'],
    ]);
    expect(new Set(findings.map(({ found }) => found.split(':')[0]))).toEqual(
      new Set(['APP_KEYS', 'TRUSTED_PROXIES']),
    );
  });

  it('continues without a database, and exits with 1', async () => {
    const { code, output } = await doctor({ DATABASE_URL: 'postgres://nobody:secret-word@127.0.0.1:9/none' });
    expect(code).toBe(1);
    expect(output).toMatch(/^failure +database +it cannot be queried: .*ECONNREFUSED/m);
    expect(output).toMatch(/^ok +chain ethereum/m);
    expect(output).toMatch(/^warning +proxy headers +not checked/m);
    expect(output).not.toContain('secret-word');
  });

  it('reports a dead node and a node of another chain', async () => {
    expect(await about('chain ethereum', { CHAIN_ETHEREUM_RPC_URL: `${UNREACHABLE}/secret-key` })).toEqual([
      expect.objectContaining({ severity: 'failure', found: expect.not.stringContaining('secret-key') }),
    ]);
    expect(await about('chain ethereum', { CHAIN_ETHEREUM_CHAIN_ID: '1' })).toEqual([
      expect.objectContaining({ severity: 'failure', found: expect.stringMatching(/chain id/i) }),
    ]);
  });

  it('reports which rate source is unavailable', async () => {
    const one = await about('rates', { RATES_KRAKEN_URL: UNREACHABLE });
    expect(one.map(({ severity }) => severity)).toEqual(['warning', 'ok']);
    const both = await about('rates', { RATES_KRAKEN_URL: UNREACHABLE, RATES_COINBASE_URL: UNREACHABLE });
    expect(both.map(({ severity }) => severity)).toEqual(['failure', 'failure']);
    expect(both[0]?.fix).toMatch(/firewall/);
  });

  it('reports a host name without an address, and a refused connection', async () => {
    expect(await about('DNS', { BASE_URL: 'http://no-such-host.invalid' })).toEqual([
      expect.objectContaining({ severity: 'failure', found: expect.stringMatching(/no-such-host\.invalid/) }),
    ]);
    expect(await about('public address', { BASE_URL: UNREACHABLE })).toEqual([
      expect.objectContaining({ severity: 'failure', found: expect.stringMatching(/no response from/) }),
    ]);
    const stranger = createServer((_request, response) => response.end('welcome to nginx')).listen(
      0,
      '127.0.0.1',
    );
    await once(stranger, 'listening');
    try {
      expect(await about('public address', { BASE_URL: `http://${addressOf(stranger)}` })).toEqual([
        expect.objectContaining({
          severity: 'failure',
          found: expect.stringMatching(/another server responds/),
        }),
      ]);
    } finally {
      stranger.close();
    }
  });

  it('reports a certificate that browsers reject, as a warning where no authority certifies the name', async () => {
    const server = createTlsServer(selfSigned('localhost')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      expect(await about('TLS', { BASE_URL: `https://localhost:${port}` })).toEqual([
        expect.objectContaining({
          severity: 'warning',
          found: expect.stringMatching(/localhost is one of your own/),
        }),
      ]);
      expect(await about('TLS', { BASE_URL: `https://127.0.0.1:${port}` })).toEqual([
        expect.objectContaining({ severity: 'failure', found: expect.stringMatching(/signed by itself/) }),
      ]);
    } finally {
      server.close();
    }
    expect(await about('TLS', { BASE_URL: 'https://127.0.0.1:9' })).toEqual([
      expect.objectContaining({ severity: 'failure', found: expect.stringMatching(/no TLS connection/) }),
    ]);
  });

  it('reports, through a real proxy, whether clients can forge their address', async () => {
    shop.gateway = await shop.gateway.restart({ TRUSTED_PROXIES: '127.0.0.1' });
    const passing = await startProxy((of) => of);
    const appending = await startProxy((of, client) => ({
      ...of,
      'x-forwarded-for': `${String(of['x-forwarded-for'])}, ${client}`,
    }));
    const replacing = await startProxy((of) => ({ ...of, 'x-forwarded-for': '127.0.0.1' }));
    try {
      expect(await about('proxy headers', { BASE_URL: `http://${addressOf(passing)}` })).toEqual([
        expect.objectContaining({
          severity: 'failure',
          found: expect.stringMatching(/choose its own address/),
        }),
      ]);
      expect(await about('proxy headers', { BASE_URL: `http://${addressOf(replacing)}` })).toEqual([
        expect.objectContaining({ severity: 'ok', found: 'this machine appears as 127.0.0.1' }),
      ]);
      // Loopback has addresses that are not trusted.
      if (process.platform === 'linux')
        expect(
          await about('proxy headers', {
            BASE_URL: `http://${addressOf(appending)}`,
            TRUSTED_PROXIES: '127.0.0.1',
          }),
        ).toEqual([expect.objectContaining({ severity: 'ok', found: 'this machine appears as 127.0.0.2' })]);
    } finally {
      appending.close();
      passing.close();
      replacing.close();
    }
  });

  it('names the applications whose secret published verifiers cannot decode, without the secret', async () => {
    expect(await about('webhook secrets')).toEqual([expect.objectContaining({ severity: 'ok' })]);
    // Written directly: the API refuses such a secret now.
    const { id } = await shop.gateway.get(ApplicationsService).create(
      shop.owner.userId,
      Draft.of({
        name: 'Old shop',
        secret: 'whsec_of-enough-length-for-us',
      } as CreateApplicationContract),
    );
    const found = await about('webhook secrets');
    expect(found).toEqual([
      expect.objectContaining({
        severity: 'warning',
        found: expect.stringContaining(`application ${id} begins with whsec_`),
        fix: expect.stringContaining('openssl rand -base64 32'),
      }),
    ]);
    expect(JSON.stringify(found)).not.toContain('of-enough-length');
  });

  it("connects to the shops' endpoints without sending anything, and names what waits", async () => {
    const body = { name: 'Shop', secret: SECRET };
    const headers = { authorization: `Bearer ${shop.owner.accessToken}`, 'content-type': 'application/json' };
    for (const callbackUrl of [`${shop.merchant.url}&key=secret-path`, `${UNREACHABLE}/hooks`]) {
      const { status } = await fetch(`${shop.gateway.baseUrl}/api/payment-applications`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ ...body, callbackUrl }),
      });
      expect(status).toBe(201);
    }
    const before = shop.merchant.requests.length;
    const found = await about('webhook endpoint');
    expect(found.map(({ severity }) => severity).toSorted()).toEqual(['ok', 'warning']);
    expect(JSON.stringify(found)).not.toContain('secret-path');
    expect(shop.merchant.requests).toHaveLength(before);
    expect(await about('webhook proxy', { WEBHOOK_PROXY_URL: `${UNREACHABLE}` })).toEqual([
      expect.objectContaining({ severity: 'failure', found: expect.stringMatching(/127\.0\.0\.1:9 cannot/) }),
    ]);
    expect(await about('webhook proxy', { WEBHOOK_PROXY_URL: new URL(shop.merchant.url).origin })).toEqual([
      expect.objectContaining({ severity: 'ok' }),
    ]);
    await shop.gateway.sql.query(
      `insert into webhook_endpoints (application_id, paused_at, reason)
       select application_id, now(), 'it answered 410' from sites limit 1`,
    );
    expect(await about('webhooks')).toEqual([
      expect.objectContaining({ severity: 'warning', found: '1 endpoints are paused' }),
    ]);
  });
});
