import { randomBytes } from 'node:crypto';
import { type Config, ConfigError, isConfigurationKey, loadConfig, loadListenAddress } from './config.js';

const APP_KEY = `k1:${randomBytes(32).toString('base64')}`;
const SIGNING_KEY = randomBytes(32).toString('base64url');

/** The least that a production start needs. */
const PRODUCTION = {
  NODE_ENV: 'production',
  BASE_URL: 'https://pay.example.com',
  DATABASE_URL: 'postgres://gateway:database-password@db.example.com/gateway',
  APP_KEYS: APP_KEY,
  CHECKOUT_SIGNING_KEY: SIGNING_KEY,
  CHAIN_ETHEREUM_RPC_URL: 'https://rpc.example.com/secret-project-id',
};

/** The least that any start needs. */
const MINIMUM = { DATABASE_URL: 'postgres:///x', APP_KEYS: APP_KEY, CHECKOUT_SIGNING_KEY: SIGNING_KEY };

function refusal(env: NodeJS.ProcessEnv): ConfigError {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

describe('loadConfig', () => {
  it('needs few variables in development and freezes the result', () => {
    const config = loadConfig(PRODUCTION);
    expect(config).toMatchObject<Partial<Config>>({
      production: true,
      host: '0.0.0.0',
      port: 3000,
      baseUrl: 'https://pay.example.com',
      role: 'all',
      loops: true,
      checkoutDefaultTtlSeconds: 86_400,
      // src/config-wallet-apps.spec.ts
      walletApps: expect.any(Object) as never,
      quoteTtlSeconds: 900,
      chains: [{ slug: 'ethereum', rpcUrls: ['https://rpc.example.com/secret-project-id'] }],
      defaultWallets: {},
      defaultWalletAccounts: ['operators'],
      externalIssuer: null,
    });
    expect(config.appKeys.map(({ id, key }) => [id, key.length])).toEqual([['k1', 32]]);
    expect(Object.isFrozen(config)).toBe(true);
  });

  // test/specification.spec.ts compares them with the documents.
  it('has the same rate limits in production and in development, none of them switched off', () => {
    const { rateLimits } = loadConfig(PRODUCTION);
    expect(loadConfig(MINIMUM).rateLimits).toEqual(rateLimits);
    expect(Object.values(rateLimits)).not.toContain(0);
  });

  it('lists every missing variable of a production start at once', () => {
    expect(refusal({ NODE_ENV: 'production' }).problems).toEqual([
      'DATABASE_URL: is required',
      'APP_KEYS: is required',
      'CHECKOUT_SIGNING_KEY: is required',
      'CHAIN_<SLUG>_RPC_URL: at least one chain is required, e.g. CHAIN_ETHEREUM_RPC_URL',
      'BASE_URL: is required',
    ]);
  });

  it('reports all problems in one readable message', () => {
    expect(refusal({ ...PRODUCTION, BASE_URL: '', PORT: 'x', ROLE: 'boss' }).message).toMatch(
      /^The configuration has 3 problem\(s\):\n {2}- PORT: .+\n {2}- ROLE: .+\n {2}- BASE_URL: is required$/,
    );
  });

  it('treats an empty or blank variable as absent', () => {
    expect(loadConfig({ ...PRODUCTION, PORT: '', QUOTE_TTL: '  ', OAUTH_ISSUER: '' })).toMatchObject({
      port: 3000,
      quoteTtlSeconds: 900,
      externalIssuer: null,
    });
  });

  it('has weaker requirements outside production', () => {
    expect(loadConfig(MINIMUM)).toMatchObject({
      production: false,
      host: '127.0.0.1',
      baseUrl: 'http://localhost:3000',
      chains: [],
    });
  });

  const key = (bytes: Buffer, id = 'k1'): string => `${id}:${bytes.toString('base64')}`;

  it.each<[variable: string, values: string[]]>([
    ['BASE_URL', ['http://pay.example.com', 'pay.example.com', 'ftp://pay.example.com']],
    ['PORT', ['-1', '65536', '3000.5', 'http', '1e9']],
    [
      'DATABASE_URL',
      [
        'mysql://db.example.com/x',
        'db.example.com',
        '/var/run/postgresql',
        'postgres://a:100%@db.example.com/x',
      ],
    ],
    ['DATABASE_POOL_SIZE', ['1', '201', '2.5', 'many']],
    ['ROLE', ['ALL', 'boss', 'api,worker']],
    ['LOG_LEVEL', ['verbose', 'INFO', '3']],
    [
      'APP_KEYS',
      [
        // No id; too short; too long; not base64; a bad id; a bad second key.
        randomBytes(32).toString('base64'),
        key(randomBytes(31)),
        key(randomBytes(16)),
        key(randomBytes(33)),
        'k1:?!',
        key(randomBytes(32), 'a key'),
        key(randomBytes(32), 'x'.repeat(17)),
        `${APP_KEY},k2:short`,
        // 32 bytes, but obviously not random.
        key(Buffer.alloc(32)),
        key(Buffer.alloc(32, 'password')),
      ],
    ],
    [
      'CHECKOUT_SIGNING_KEY',
      ['short', 'x'.repeat(31), 'a'.repeat(64), 'changeme'.repeat(8), `${SIGNING_KEY},short`, ','],
    ],
    ['CHECKOUT_DEFAULT_TTL', ['59', '31536001', '1d', '-60', '60.5']],
    ['QUOTE_TTL', ['59', '86401', '15m']],
    ['CHAIN_POLL_INTERVAL_MS', ['49', '60001', '1s']],
    ['CHAIN_ETHEREUM_POLL_INTERVAL_MS', ['49', '60001', '1s']],
    ['RATES_KRAKEN_URL', ['api.kraken.com', 'ws://api.kraken.com']],
    ['RATES_COINBASE_URL', ['api.coinbase.com', 'ws://api.coinbase.com']],
    ['RATES_TIMEOUT_MS', ['99', '30001', 'soon']],
    ['WEBHOOK_TIMEOUT_MS', ['99', '60001', 'never']],
    [
      'WEBHOOK_RETRY_SCHEDULE',
      ['now', '0,x', '-1', '1.5', '2592001', ',', '0;5;30', '5,30', '0,5,5', '0,30,5'],
    ],
    ['TRUSTED_PROXIES', ['proxy', '10.0.0.0/33', '10.0.0.1,all', '10.1/16', '10.1']],
    [
      'WEBHOOK_ALLOWED_CIDRS',
      ['192.168.0.1', 'localhost', '10.0.0.0/33', '10.0.0.0/8,shop', '10.1/16', '0x0a000000/8'],
    ],
    ['OAUTH_ISSUER', ['login.example.com', 'ldap://login.example.com']],
    ['OAUTH_JWKS_URL', ['login.example.com/jwks', 'file:///etc/jwks']],
    ['MAX_APPLICATIONS_PER_USER', ['0', '100001', 'all']],
    ['MAX_CLIENT_TOKENS_PER_APPLICATION', ['0', '10001', 'all']],
    ['RATE_LIMIT_READS', ['-1', '1.5', 'off', '1000001']],
    ['RATE_LIMIT_WRITES', ['-1', '120/min']],
    ['RATE_LIMIT_PAYMENT', ['-1', 'none']],
    ['RATE_LIMIT_ADDRESS', ['-1', '3.5']],
    ['RATE_LIMIT_TOKEN_ENDPOINT', ['-1', 'ten']],
    ['RATE_LIMIT_TOKENS', ['-1', 'many']],
    ['RATE_LIMIT_FAILED_AUTH', ['-1', 'false']],
    ['RATE_LIMIT_SIGN_IN', ['-1', '0.5']],
    ['RATE_LIMIT_ACCOUNT', ['-1', '0.5']],
    ['RATE_LIMIT_PASSWORD', ['-1', '0.5']],
    [
      'CHAIN_ETHEREUM_RPC_URL',
      [
        'rpc.example.com',
        'ws://rpc.example.com',
        'ipc:///geth.ipc',
        ',',
        'https://one.example.com/key,two.example.com/key',
        'https://one.example.com/key, https://one.example.com/key',
        Array.from({ length: 9 }, (_, i) => `https://${i}.example.com/key`).join(),
      ],
    ],
    ['CHAIN_ETHEREUM_FINALITY', ['safe', 'latest', 'FINALIZED', '12']],
    ['CHAIN_ETHEREUM_AGREE_FROM', ['0.5', 'ETH', 'ETH:', 'eth:1', 'ETH:-1', 'ETH:1e3', 'ETH:1,5', 'ETH:.5']],
    ['CHAIN_ETHEREUM_PROVE_FROM', ['0.5', 'ETH', 'ETH:', 'eth:1', 'ETH:-1']],
    ['CHAIN_ETHEREUM_CHAIN_ID', ['0', '-1', '0xzz', '281474976710657', 'mainnet']],
    [
      'CHAIN_ETHEREUM_TOKENS',
      [
        'USDT',
        'usdt:0xdac17f958d2ee523a2206206994597c13d831ec7:6',
        'USDT:0xdac17f958d2ee523a2206206994597c13d831e:6',
        'USDT:0xdac17f958d2ee523a2206206994597c13d831ec7',
        'USDT:0xdac17f958d2ee523a2206206994597c13d831ec7:six',
      ],
    ],
    [
      'CHAIN_ETHEREUM_CONFIRMATIONS',
      [
        '0',
        '10001',
        'some',
        '1e3',
        '-2',
        '2.5',
        'ETH:10:32',
        '12,ETH:10',
        '12,ETH:10:0',
        '12,ETH:10:10001',
        '12,eth:10:32',
        '12,ETH:1e3:32',
        '12,ETH:-1:32',
        '12,32',
      ],
    ],
    ['CHAIN_ETHEREUM_CONFIRMATIONS_MIN', ['0', '10001', 'none']],
    ['CHAIN_ETHEREUM_CONFIRMATIONS_MAX', ['0', '10001', 'none']],
    ['CHAIN_ETHEREUM_NETWORK', ['btc', 'testnet3', 'Mainnet']],
    ['CHAIN_BITCOIN_MIN_DIFFICULTY', ['-1', '1,5', '0x10', 'easy', '1e', 'Infinity', '1e400']],
    ['CHAIN_ETHEREUM_START_HEIGHT', ['-1', 'tip', '1.5']],
  ])('names an invalid %s and never repeats its value', (variable, values) => {
    for (const value of values) {
      // With another chain that is right, and an issuer for the audience.
      const { problems, message } = refusal({
        ...PRODUCTION,
        CHAIN_POLYGON_RPC_URL: 'https://rpc.example.com',
        OAUTH_AUDIENCE: 'x',
        OAUTH_ISSUER: 'https://login.example.com',
        [variable]: value,
      });
      expect({ value, names: [...new Set(problems.map((problem) => problem.split(':')[0]))] }).toEqual({
        value,
        names: [variable],
      });
      if (value.length > 3) expect(message).not.toContain(value);
    }
  });

  it('repeats no secret of the valid variables either', () => {
    const { message } = refusal({ ...PRODUCTION, PORT: 'x' });
    for (const secret of ['database-password', 'secret-project-id', SIGNING_KEY, APP_KEY.slice(3)])
      expect(message).not.toContain(secret);
  });

  it.each<[environment: NodeJS.ProcessEnv, expected: Partial<Config>]>([
    [{ BASE_URL: 'https://pay.example.com///' }, { baseUrl: 'https://pay.example.com' }],
    [
      { HOST: '::1', PORT: '0' },
      { host: '::1', port: 0 },
    ],
    [{ PORT: '4000' }, { port: 4000 }],
    [{}, { shutdownDelayMs: 0 }],
    [{ SHUTDOWN_DELAY_MS: '250' }, { shutdownDelayMs: 250 }],
    [{ TRUSTED_PROXIES: '10.0.0.0/8, ::1,' }, { trustedProxies: ['10.0.0.0/8', '::1'] }],
    [
      { OAUTH_ISSUER: 'https://login.example.com/', OAUTH_AUDIENCE: 'gateway' },
      {
        externalIssuer: { issuer: 'https://login.example.com', audience: 'gateway', jwksUrl: undefined },
      },
    ],
    [{ WALLET_EVM_XPUB: 'xpub…' }, { defaultWallets: { evm: 'xpub…' } }],
    [
      {
        CHAIN_ETHEREUM_RPC_URL: 'http://127.0.0.1:8545/',
        CHAIN_ETHEREUM_CHAIN_ID: '31337',
        CHAIN_ETHEREUM_CONFIRMATIONS: '3',
        CHAIN_ETHEREUM_CONFIRMATIONS_MIN: '1',
        CHAIN_ETHEREUM_CONFIRMATIONS_MAX: '60',
        CHAIN_POLYGON_AMOY_CONFIRMATIONS: '64, POL:0.5:70,USDC:1000:finalized,',
        CHAIN_ETHEREUM_POLL_INTERVAL_MS: '2500',
        CHAIN_ETHEREUM_START_HEIGHT: '0',
        CHAIN_ETHEREUM_PROVE_FROM: 'ETH:0.5,USDT:1000',
        CHAIN_ETHEREUM_TOKENS: 'USDT:0xDAC17F958D2ee523a2206206994597C13D831ec7:6',
        CHAIN_POLYGON_AMOY_RPC_URL: 'https://rpc.example.com, https://user:pass@other.example.com/a%2Cb/,',
        CHAIN_POLYGON_AMOY_FINALITY: 'finalized',
        CHAIN_POLYGON_AMOY_AGREE_FROM: 'POL:0.5, USDC:1000',
        CHAIN_BITCOIN_ESPLORA_URL: 'https://esplora.example.com/api/',
      },
      {
        chains: [
          {
            slug: 'ethereum',
            rpcUrls: ['http://127.0.0.1:8545'],
            chainId: 31_337,
            confirmations: 3,
            confirmationsMin: 1,
            confirmationsMax: 60,
            pollIntervalMs: 2_500,
            startHeight: 0,
            proveFrom: [
              { code: 'ETH', amount: '0.5' },
              { code: 'USDT', amount: '1000' },
            ],
            tokens: [{ code: 'USDT', contract: '0xdac17f958d2ee523a2206206994597c13d831ec7', decimals: 6 }],
          },
          {
            slug: 'polygon-amoy',
            rpcUrls: ['https://rpc.example.com', 'https://user:pass@other.example.com/a%2Cb'],
            confirmations: 64,
            confirmationTiers: [
              { code: 'POL', amount: '0.5', required: 70 },
              { code: 'USDC', amount: '1000', required: 'finalized' },
            ],
            finality: 'finalized',
            agreeFrom: [
              { code: 'POL', amount: '0.5' },
              { code: 'USDC', amount: '1000' },
            ],
          },
          { slug: 'bitcoin', rpcUrls: [], esploraUrl: 'https://esplora.example.com/api' },
        ],
      },
    ],
  ])('reads %j', (environment, expected) => {
    expect(loadConfig({ ...MINIMUM, ...environment })).toMatchObject(expected);
  });

  it('encrypts with the newest application key and keeps the others', () => {
    const { appKeys } = loadConfig({ ...MINIMUM, APP_KEYS: `${key(randomBytes(32), 'k2')}, ${APP_KEY}` });
    expect(appKeys.map(({ id }) => id)).toEqual(['k2', 'k1']);
  });

  it('signs links with the newest checkout key and keeps the others', () => {
    const newest = randomBytes(32).toString('base64url');
    const { checkoutSigningKeys } = loadConfig({
      ...MINIMUM,
      CHECKOUT_SIGNING_KEY: `${newest},${SIGNING_KEY}`,
    });
    expect(checkoutSigningKeys).toEqual([newest, SIGNING_KEY]);
  });

  it('retries webhooks for 72 hours by default, or by the configured schedule', () => {
    const schedule = (env: NodeJS.ProcessEnv): number[] =>
      loadConfig({ ...MINIMUM, ...env }).webhooks.retryScheduleSeconds;
    const standard = schedule({});
    expect(standard.slice(0, 10)).toEqual([0, 5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 43_200]);
    expect(standard.at(-1)).toBe(68 * 3_600);
    expect(schedule({ WEBHOOK_RETRY_SCHEDULE: '0, 1,2' })).toEqual([0, 1, 2]);
  });

  it.each([
    [{ OAUTH_ISSUER: 'https://login.example.com' }, 'OAUTH_AUDIENCE: must be set together with OAUTH_ISSUER'],
    [{ OAUTH_AUDIENCE: 'gateway' }, 'OAUTH_AUDIENCE: must be set together with OAUTH_ISSUER'],
    [{ CHAIN_ETHEREUM_CHAIN_ID: '1' }, 'CHAIN_ETHEREUM_RPC_URL: is required'],
    [{ CHAIN_ETHEREUM_RPC_URL: ',' }, 'CHAIN_ETHEREUM_RPC_URL: is required'],
    [
      { CHAIN_BITCOIN_RPC_URL: 'http://127.0.0.1:8332', CHAIN_BITCOIN_ESPLORA_URL: 'http://127.0.0.1:3000' },
      'CHAIN_BITCOIN_ESPLORA_URL: replaces CHAIN_BITCOIN_RPC_URL; set only one of the two',
    ],
    [{ CHAIN_BITCOIN_ESPLORA_URL: 'esplora' }, 'CHAIN_BITCOIN_ESPLORA_URL: must be an http(s) URL'],
    [
      { CHAIN_ETHEREUM_AGREE_FROM: 'ETH:1', CHAIN_ETHEREUM_RPC_URL: 'https://rpc.example.com/key' },
      'CHAIN_ETHEREUM_AGREE_FROM: needs two endpoints on different hosts in CHAIN_ETHEREUM_RPC_URL',
    ],
    [
      {
        CHAIN_ETHEREUM_AGREE_FROM: 'ETH:1',
        CHAIN_ETHEREUM_RPC_URL: 'https://rpc.example.com/a,https://rpc.example.com/b',
      },
      'CHAIN_ETHEREUM_AGREE_FROM: needs two endpoints on different hosts in CHAIN_ETHEREUM_RPC_URL',
    ],
    [
      {
        CHAIN_ETHEREUM_PROVE_FROM: 'ETH:1',
        CHAIN_ETHEREUM_RPC_URL: 'https://a.example.com,https://b.example.com',
      },
      'CHAIN_ETHEREUM_PROVE_FROM: with endpoints on two hosts use CHAIN_ETHEREUM_AGREE_FROM',
    ],
    [
      { OAUTH_JWKS_URL: 'https://login.example.com/jwks' },
      'OAUTH_JWKS_URL: must be set together with OAUTH_ISSUER',
    ],
  ])('rejects %j without the variable that belongs to it', (environment, problem) => {
    expect(refusal({ ...MINIMUM, ...environment }).problems).toEqual([problem]);
  });
});

describe('loadListenAddress', () => {
  it.each<[NodeJS.ProcessEnv, string, number]>([
    [{}, '127.0.0.1', 3000],
    [{ PORT: '', HOST: '' }, '127.0.0.1', 3000],
    [{ PORT: '3100', HOST: '::1' }, '::1', 3100],
    [{ NODE_ENV: 'production' }, '0.0.0.0', 3000],
  ])('returns the same address as loadConfig for %j', (env, host, port) => {
    expect(loadListenAddress(env)).toEqual({ host, port });
    expect(loadConfig({ ...PRODUCTION, NODE_ENV: '', ...env })).toMatchObject({ host, port });
  });

  it('names an invalid PORT', () => {
    expect(() => loadListenAddress({ PORT: '70000' })).toThrow(/PORT: /);
  });
});

it.each<[string, boolean]>([
  ['DATABASE_URL', true],
  ['CHAIN_BITCOIN_RPC_URL', true],
  ['WALLET_EVM_XPUB', true],
  ['NODE_ENV', false],
  ['AWS_SECRET_ACCESS_KEY', false],
  ['CHAIN_BITCOIN_COLOUR', false],
  ['toString', false],
])('isConfigurationKey of %s is %s', (name, isOne) => {
  expect(isConfigurationKey(name)).toBe(isOne);
});
