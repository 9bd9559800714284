/**
 * @inOrder The search comes last, in all that the others have logged.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { isNativeError } from 'node:util/types';
import { Logger } from '@nestjs/common';
import { ApplicationsService } from '../src/applications/applications.service.js';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { migrate } from '../src/platform/schema/migrate.js';
import { Draft } from '../src/platform/web/contract/read-contract.js';
import { ConfigError, loadConfig } from '../src/config.js';
import { UsersService } from '../src/identity/oauth/people/users.service.js';
import { RatesService } from '../src/rates/rates.service.js';
import { changeSite } from './support/change-site.js';
import { ApplicationsApi } from './support/applications-api.js';
import { createClientToken } from './support/client-tokens.js';
import { databaseLeaks, plantSecret, takeLeaks, watched } from './support/leaks/watch-leaks.js';
import { createOwnerWithClient, type OwnerWithClient } from './support/principals.js';
import { EVM_XPUB } from './support/shop.js';
import { type Merchant, WebhookHarness } from './support/webhook-harness.js';

/**
 * Secrets in odd places, and errors around them. Every suite's answers, log lines and databases are searched
 * (support/leaks/watch-leaks.ts); this one looks for trouble, and shows that the search finds what it should.
 */
const canary = (kind: string) => `${kind}-${randomBytes(18).toString('base64url')}`;
const nodeKey = canary('node');
const nodePassword = canary('node-password');
const apiKey = canary('api-key');
const ratesKey = canary('rates');
const proxyPassword = canary('proxy');
const METRICS_TOKEN = canary('metrics');
const SECRET = `whsec_${randomBytes(24).toString('base64')}`;

let harness: WebhookHarness;
let merchant: Merchant;
let owner: OwnerWithClient;
let api: ApplicationsApi;
let applicationId: string;
let clientToken: string;

beforeAll(async () => {
  harness = await WebhookHarness.start({
    CHAIN_ETHEREUM_RPC_URL: `http://gateway:${nodePassword}@127.0.0.1:9/v3/${nodeKey}?key=${nodeKey}`,
    CHAIN_BITCOIN_RPC_URL: `http://gateway:${nodePassword}@127.0.0.1:9`,
    CHAIN_TRON_RPC_URL: `http://127.0.0.1:9/${nodeKey}`,
    CHAIN_TRON_API_KEY: apiKey,
    RATES_KRAKEN_URL: `http://127.0.0.1:9/${ratesKey}`,
    RATES_COINBASE_URL: `http://127.0.0.1:9/${ratesKey}`,
    WEBHOOK_PROXY_URL: `http://gateway:${proxyPassword}@127.0.0.1:9`,
    WALLET_EVM_XPUB: EVM_XPUB,
    METRICS_TOKEN,
  });
  merchant = await harness.addMerchant({ secret: SECRET });
  owner = await createOwnerWithClient(harness.gateway);
  await harness.gateway.get(UsersService).setOperator(owner.userId, true);
  api = new ApplicationsApi(harness.gateway, owner);
  ({ id: applicationId } = await api.create({ secret: SECRET }));
  clientToken = (await createClientToken(harness.gateway, owner, applicationId)).token;
  for (const value of [owner.clientSecret, owner.accessToken, clientToken, SECRET])
    plantSecret(value, 'planted');
});
afterAll(async () => {
  await harness.stop();
  const { secrets, answers, lines } = watched();
  process.stdout.write(
    `log canary: ${secrets} secrets, ${answers} answers, ${lines} log lines, all tables: no leak\n`,
  );
});

/** The request as it is, whatever comes back. */
async function send(method: string, path: string, init: RequestInit = {}): Promise<number> {
  const response = await fetch(`${harness.gateway.baseUrl}${path}`, { method, redirect: 'manual', ...init });
  await response.arrayBuffer();
  return response.status;
}

const everySecret = () => ({
  'client token': clientToken,
  'access token': owner.accessToken,
  'client secret': owner.clientSecret,
  'webhook secret': SECRET,
});

describe('a secret in an unexpected place', () => {
  it.each(['client token', 'access token', 'client secret', 'webhook secret'] as const)(
    'a %s is neither logged nor returned',
    async (kind) => {
      const secret = everySecret()[kind];
      const plain = encodeURIComponent(secret);
      const bearer = { authorization: `Bearer ${owner.accessToken}` };
      const json = { 'content-type': 'application/json' };
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const statuses = [
        await send('GET', `/api/payment?token=${plain}`, { headers: bearer }),
        await send('GET', `/api/payment/${plain}`, { headers: bearer }),
        await send('GET', `/${plain}`),
        await send('GET', `/api/oauth/${plain}`),
        await send(
          'GET',
          `/api/oauth/authorize?client_id=${plain}&redirect_uri=https://shop.example/${plain}`,
        ),
        await send('GET', `/checkout/${plain}?expires=1&signature=${plain}`),
        await send(plain.replace(/[^A-Z]/g, '') || 'PATCH', '/api/payment').catch(() => 400),
        await send('GET', '/api/payment', { headers: { authorization: secret } }),
        await send('GET', '/api/payment', { headers: { authorization: `Bearer ${secret}x` } }),
        await send('GET', '/api/payment', { headers: { authorization: `Bearer ${secret} ${secret}` } }),
        await send('GET', '/api/payment', { headers: { authorization: `Basic ${secret}` } }),
        await send('GET', '/api/payment', {
          headers: { ...bearer, 'x-request-id': secret, cookie: `a=${secret}` },
        }),
        await send('GET', '/api/payment', {
          headers: { ...bearer, accept: `text/${plain}`, origin: `https://${plain}` },
        }),
        await send('POST', '/api/payment/checkout', {
          headers: { ...bearer, ...json },
          body: `{"secret":"${secret}",`,
        }),
        await send('POST', '/api/payment/checkout', {
          headers: { ...bearer, 'content-type': `text/${plain}` },
          body: secret,
        }),
        await send('POST', '/api/payment/checkout', {
          headers: { ...bearer, ...json },
          body: JSON.stringify({
            [secret]: 1,
            amount: secret,
            currencyCode: secret,
            clientId: secret,
            reference: [secret],
          }),
        }),
        await send('POST', '/api/payment-applications', {
          headers: { ...bearer, ...json, 'idempotency-key': secret },
          body: JSON.stringify({
            name: [secret],
            secret: 1,
            callbackUrl: secret,
            currencyWhitelist: [secret],
            confirmations: { [secret]: 1 },
          }),
        }),
        await send('POST', '/api/payment-applications', {
          headers: { ...bearer, ...json },
          body: `"${secret.repeat(2_000)}"`,
        }),
        await send('PUT', `/api/payment-applications/${applicationId}/wallets/evm`, {
          headers: { ...bearer, ...json },
          body: JSON.stringify({ extendedPublicKey: secret }),
        }),
        await send('POST', '/api/account/password', {
          headers: { ...bearer, ...json },
          body: JSON.stringify({ currentPassword: secret, newPassword: secret }),
        }),
        await send('POST', '/api/oauth/token', {
          headers: form,
          body: `grant_type=${plain}&client_id=${plain}&client_secret=${plain}`,
        }),
        await send('POST', '/api/oauth/token', {
          headers: form,
          body: `grant_type=authorization_code&code=${plain}&client_id=${plain}`,
        }),
        await send('POST', '/api/oauth/token', { headers: json, body: `{"client_secret":"${secret}` }),
        await send('POST', '/api/oauth/introspect', { headers: form, body: `token=${plain}` }),
        await send('POST', '/api/oauth/revoke', { headers: form, body: `token=${plain}&client_id=${plain}` }),
        await send('GET', '/metrics', { headers: { authorization: `Bearer ${secret}` } }),
      ];
      // 200: the access token's own list of payments; a wrong parameter of a list is no error.
      expect(statuses.filter((status) => status !== 200 && (status < 300 || status > 499))).toEqual([]);
    },
  );
});

describe('an error', () => {
  it('of a node, of a rate source or of the proxy shows none of their keys', async () => {
    const { gateway } = harness;
    for (const slug of ['ethereum', 'bitcoin', 'tron'])
      await gateway
        .get(ChainWatcherService)
        .runOnce(slug)
        .catch((error: unknown) => new Logger('Test').warn({ error }));
    await gateway
      .get(RatesService)
      .findRate('ETH', 'USD')
      .catch((error: unknown) => new Logger('Test').warn(error));
    const paymentId = await harness.addPayment(merchant);
    await harness.pay(merchant, paymentId);
    await harness.drain();
    const delivery = await harness.delivery(paymentId, 'payment.received');
    expect(delivery.log).toMatchObject([{ error: 'egress proxy: connection refused' }]);
    const bearer = { authorization: `Bearer ${owner.accessToken}` };
    for (const path of ['/api/admin/chains', '/api/currencies', '/api/blockchains'])
      expect(await send('GET', path, { headers: bearer })).toBe(200);
    expect(await send('GET', '/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).toBe(
      200,
    );
  });

  it('of a statement shows none of its values', async () => {
    const { sql } = harness;
    await sql.query('alter table client_tokens rename to client_tokens_away');
    await sql.query('alter table sites rename to sites_away');
    const bearer = { authorization: `Bearer ${owner.accessToken}`, 'content-type': 'application/json' };
    try {
      const application = JSON.stringify({ name: 'Shop', secret: SECRET });
      expect(await send('POST', '/api/payment-applications', { headers: bearer, body: application })).toBe(
        500,
      );
      expect(
        await send('GET', '/api/payment/x', { headers: { authorization: `Bearer ${clientToken}` } }),
      ).toBe(500);
    } finally {
      await sql.query('alter table client_tokens_away rename to client_tokens');
      await sql.query('alter table sites_away rename to sites');
    }
  });

  it('of the database’s address ends a start without its password', async () => {
    const password = canary('database');
    const addresses = [
      `postgres://gateway:${password}@127.0.0.1:1/gateway`,
      `postgres://gateway:${password}@127.0.0.1:99999/gateway`,
      `postgres://gateway:${password}@bad host/gateway`,
      `postgres://gateway:%zz${password}@127.0.0.1:1/gateway`,
      `postgres://gateway:${password}@[::/gateway`,
      `postgres://gateway:${password}@nowhere.invalid/gateway?sslmode=${password}`,
    ];
    for (const DATABASE_URL of addresses) {
      const outcome = await startWith({ DATABASE_URL });
      expect(isNativeError(outcome)).toBe(true);
      // What Node prints of an uncaught error: every property.
      expect([
        DATABASE_URL.replace(password, '…'),
        inspect(outcome, { depth: 10 }).includes(password),
      ]).toEqual([DATABASE_URL.replace(password, '…'), false]);
    }
  });

  it('that is uncaught ends the program, logging only its stack', async () => {
    const secret = canary('uncaught');
    const database = createServer().listen(0, '127.0.0.1');
    await once(database, 'listening');
    const { port } = database.address() as AddressInfo;
    // Thrown once the program is on its way, while it waits for a database that never answers.
    const trouble = `const turn = setInterval(() => {
      if (process.listenerCount('uncaughtException') === 0) return;
      clearInterval(turn);
      throw Object.assign(new Error('boom'), { query: 'select $1', parameters: [process.env.CANARY] });
    }, 10)`;
    const program = spawn(
      process.execPath,
      [
        '--import',
        './scripts/register-typescript.mjs',
        '--import',
        `data:text/javascript,${encodeURIComponent(trouble)}`,
        'src/main.ts',
      ],
      {
        cwd: path.resolve(import.meta.dirname, '..'),
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          PATH: process.env['PATH'],
          NODE_ENV: 'production',
          CANARY: secret,
          BASE_URL: 'https://pay.example',
          DATABASE_URL: `postgres://gateway:${secret}@127.0.0.1:${port}/gateway`,
          APP_KEYS: `t1:${randomBytes(32).toString('base64')}`,
          CHECKOUT_SIGNING_KEY: randomBytes(32).toString('hex'),
          CHAIN_ETHEREUM_RPC_URL: `http://127.0.0.1:9/${secret}`,
        },
      },
    );
    const [output, errors, [code]] = await Promise.all([
      text(program.stdout),
      text(program.stderr),
      once(program, 'exit'),
    ]);
    database.close();
    expect(errors).toContain('Error: boom');
    expect(`${output}${errors}`).not.toContain(secret);
    expect(code).toBe(1);
  });

  it('of the configuration repeats no value', () => {
    const secret = canary('value');
    const keys = [
      'DATABASE_URL',
      'APP_KEYS',
      'CHECKOUT_SIGNING_KEY',
      'METRICS_TOKEN',
      'WEBHOOK_PROXY_URL',
      'CHAIN_ETHEREUM_RPC_URL',
      'CHAIN_ETHEREUM_ESPLORA_URL',
      'CHAIN_TRON_API_KEY',
      'OAUTH_JWKS_URL',
      'RATES_KRAKEN_URL',
      'PORT',
      'ROLE',
    ];
    for (const key of keys)
      try {
        loadConfig({
          [key]: `${secret} ${secret}`,
          CHECKOUT_SIGNING_KEY: key === 'CHECKOUT_SIGNING_KEY' ? ' x' : '',
        });
        throw new Error(`${key} was taken`);
      } catch (error) {
        expect([key, error]).toEqual([key, expect.any(ConfigError)]);
        expect([key, inspect(error).includes(secret)]).toEqual([key, false]);
      }
  });
});

describe('the search', () => {
  const leaksOf = async (work: () => unknown) => {
    expect(takeLeaks()).toEqual([]);
    await work();
    return takeLeaks();
  };

  it.each<[string, (secret: string) => unknown]>([
    ['as it is', (secret) => `refused ${secret}`],
    ['in a field', (secret) => ({ parameters: [1, { value: secret }] })],
    ['in an error', (secret) => new Error(`no such ${secret}`)],
    ['in the cause of an error', (secret) => new Error('outer', { cause: new Error(secret) })],
    ['in an address', (secret) => `GET /api/x?y=${encodeURIComponent(secret)}`],
    ['as base64', (secret) => `Value ${Buffer.from(secret).toString('base64')}`],
    ['as hexadecimal', (secret) => `\\x${Buffer.from(secret).toString('hex')}`],
  ])('finds a secret in a log line: %s', async (_case, message) => {
    const leaks = await leaksOf(() => new Logger('Test').warn(message(owner.clientSecret)));
    expect(leaks.length).toBeGreaterThan(0);
    for (const leak of leaks) expect(leak).toMatch(/^log: /);
  });

  it('finds a secret in a response and in a table', async () => {
    expect(await databaseLeaks()).toEqual([]);
    const name = `My ${owner.clientSecret}`;
    const leaks = await leaksOf(() => api.put(applicationId, { name }));
    expect(leaks.length).toBeGreaterThan(0);
    for (const leak of leaks) expect(leak).toMatch(/^answer of PUT \/api\/payment-applications\//);
    const stored = await databaseLeaks();
    expect(new Set(stored.map((leak) => leak.split(':')[0]))).toEqual(
      new Set(['table payment_applications', 'table sites']),
    );
    await harness.gateway
      .get(ApplicationsService)
      .update(owner.userId, applicationId, Draft.of({ name: 'My Store' }));
    await changeSite(harness.gateway, applicationId, 'title = $2', 'My Store');
    expect(await databaseLeaks()).toEqual([]);
  });

  it('has many secrets to look for, and has searched something', () => {
    const { secrets, answers, lines } = watched();
    expect(secrets).toBeGreaterThan(12);
    expect(answers).toBeGreaterThan(100);
    expect(lines).toBeGreaterThan(100);
  });
});

/** Starts like main.ts: configuration, then the schema. Returns the error. */
async function startWith(env: Record<string, string>): Promise<unknown> {
  const rest = {
    APP_KEYS: `t1:${randomBytes(32).toString('base64')}`,
    CHECKOUT_SIGNING_KEY: randomBytes(32).toString('hex'),
  };
  try {
    await migrate(loadConfig({ ...rest, ...env }));
    return null;
  } catch (error) {
    return error;
  }
}
