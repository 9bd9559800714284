import { z } from 'zod';
import {
  accountsOfDefaultKeys,
  appKeys,
  describeProblems,
  httpUrl,
  integer,
  isOwnAccount,
  isRange,
  list,
  perHour,
  perMinute,
  pollInterval,
  postgresUrl,
  problemsOfRoles,
  proxyUrl,
  retrySchedule,
  signingKeys,
  updateCheckUrl,
  type WalletApps,
  tronWalletApps,
  walletApps,
} from './config-fields.js';
export type { WalletApps } from './config-fields.js';
import {
  mailFrom,
  type NoticesConfig,
  noticesOf,
  noticeTemplate,
  problemsOfPairs,
  smtpUrl,
} from './config-notices.js';
import { type ChainConfig, isChainKey, readChains } from './config-chains.js';
import { isPlaceholder } from './platform/web/contract/placeholder.pure.js';
import { isAddress } from './platform/kernel/dns/ip-address.pure.js';

/** The parts of the gateway that a process runs: all, or one of them where it is scaled out. */
export type Role = 'all' | 'api' | 'worker' | 'watcher';

/** Address families that can have a default wallet. */
export type WalletFamily = 'evm' | 'bitcoin' | 'litecoin' | 'dogecoin' | 'bitcoincash' | 'tron';

/** The whole configuration, validated once at start and frozen. docs/reference/configuration.md and docs/reference/configuration-chains.md explain each key. */
export interface Config {
  production: boolean;
  host: string;
  port: number;
  /** Public URL without a trailing slash; checkout links and the OAuth issuer are built from it. */
  baseUrl: string;
  databaseUrl: string;
  /** The role that owns the schema; null: that of `databaseUrl` does. */
  databaseMigrationUrl: string | null;
  databasePoolSize: number;
  /** For how long tokens and applications are remembered; 0: not at all. */
  accessCacheMs: number;
  /** How a pooler between gateway and Postgres shares its connections; "session" without one. */
  databasePoolMode: 'session' | 'transaction';
  role: Role;
  /** Between "not ready" and closing, so that load balancers notice. */
  shutdownDelayMs: number;
  /** False only in tests, which drive every loop by hand. */
  loops: boolean;
  logLevel: string;
  /** Addresses or ranges of reverse proxies whose X-Forwarded-* headers count. */
  trustedProxies: string[];
  /** Newest first: the first key encrypts, all decrypt. */
  appKeys: { id: string; key: Buffer }[];
  /** Newest first: the first key signs, all verify. */
  checkoutSigningKeys: string[];
  checkoutDefaultTtlSeconds: number;
  /** Links that open a page in the browser of a wallet's app, in the order in which they are offered. */
  walletApps: WalletApps;
  quoteTtlSeconds: number;
  chains: ChainConfig[];
  /** Between two polls of every chain; null: each at its own pace (chains/poll-interval.pure.ts). */
  chainPollIntervalMs: number | null;
  /** Average block times without a new head after which a chain counts as stalled; 0 never. */
  chainStallBlocks: number;
  /** Time limit for one request to a node, from the first byte to the last. */
  chainRpcTimeoutMs: number;
  /** From the beginning of a scheduled verification to the next one; 0: none is made. */
  verifyIntervalSeconds: number;
  /** Who is asked once a day for the newest version; may contain a secret; null: nobody is. */
  updateCheckUrl: string | null;
  /** Bearer token of `GET /metrics`; null switches it off. */
  metricsToken: string | null;
  /** Operator-wide extended public keys by address family. */
  defaultWallets: Partial<Record<WalletFamily, string>>;
  /** The accounts that these keys serve: ids, `operators` (users with operator rights), or `all` alone. */
  defaultWalletAccounts: string[];
  rates: { krakenUrl: string; coinbaseUrl: string; timeoutMs: number };
  webhooks: {
    timeoutMs: number;
    retryScheduleSeconds: number[];
    allowedCidrs: string[];
    /** An egress proxy, with its credentials; null: webhooks go out directly. */
    proxyUrl: string | null;
  };
  notices: NoticesConfig;
  /** An identity provider of the operator, whose access tokens are accepted too. */
  externalIssuer: { issuer: string; audience: string; jwksUrl: string | undefined } | null;
  /** Seconds until a key that replaces another takes effect; 0: at once. */
  walletChangeDelaySeconds: number;
  maxApplicationsPerUser: number;
  maxClientTokensPerApplication: number;
  /** Open at once in one process; 0 switches them off. */
  eventStreams: { total: number; perUser: number };
  /** Of checkout pages, open at once in one process; 0 switches them off, and pages poll. */
  checkoutStreams: { total: number; perAddress: number };
  /** Open connections of clients in one process. */
  connections: { total: number; perAddress: number };
  /** Payments of one user that have received nothing (payments/unpaid-payments.pure.ts). */
  unpaidPayments: { open: number; recent: number };
  /** Requests, or failures, per minute unless stated otherwise; 0 switches a limit off. */
  rateLimits: {
    reads: number;
    writes: number;
    userReads: number;
    userWrites: number;
    payment: number;
    address: number;
    polls: number;
    addressPolls: number;
    tokenEndpoint: number;
    tokens: number;
    failedAuth: number;
    signIn: number;
    /** An hour. */
    account: number;
    /** Wrong current passwords of one user, an hour. */
    password: number;
  };
}

/** The environment of the process, for the program's entry points; everything else injects the {@link Config}. */
export const environment: NodeJS.ProcessEnv = process.env;

/** Injection token of the {@link Config}. */
export const CONFIG = Symbol('Config');

/** Lists every problem of the environment by variable name, never with a value that may be secret. */
export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(
      `The configuration has ${problems.length} problem(s):\n${problems.map((p) => `  - ${p}`).join('\n')}`,
    );
  }
}

const PRODUCTION_SHUTDOWN_DELAY_MS = 5_000;

const schema = z.object({
  HOST: z.string().optional(),
  PORT: integer(0, 65_535).default(3000),
  BASE_URL: httpUrl.optional(),
  DATABASE_URL: postgresUrl,
  DATABASE_MIGRATION_URL: postgresUrl.optional(),
  DATABASE_POOL_SIZE: integer(2, 200).default(16),
  ACCESS_CACHE_MS: integer(0, 1_000).default(1_000),
  DATABASE_POOL_MODE: z.enum(['session', 'transaction']).default('session'),
  ROLE: z.enum(['all', 'api', 'worker', 'watcher']).default('all'),
  SHUTDOWN_DELAY_MS: integer(0, 20_000).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  TRUSTED_PROXIES: list
    .refine(
      (proxies) => proxies.every((proxy) => isAddress(proxy) || isRange(proxy)),
      'must be addresses or ranges such as 10.0.0.0/8, comma-separated',
    )
    .default([]),
  APP_KEYS: appKeys,
  CHECKOUT_SIGNING_KEY: signingKeys,
  CHECKOUT_DEFAULT_TTL: integer(60, 31_536_000).default(86_400),
  CHECKOUT_WALLET_APPS: walletApps,
  CHECKOUT_TRON_WALLET_APPS: tronWalletApps,
  QUOTE_TTL: integer(60, 86_400).default(900),
  CHAIN_POLL_INTERVAL_MS: pollInterval.optional(),
  CHAIN_STALL_BLOCKS: integer(0, 10_000).default(10),
  CHAIN_RPC_TIMEOUT_MS: integer(100, 120_000).default(10_000),
  START_WITHOUT_CHAINS: z.enum(['true', 'false']).default('false'),
  VERIFY_INTERVAL: integer(0, 2_592_000).default(86_400),
  UPDATE_CHECK_URL: updateCheckUrl.optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{32,}$/, 'needs at least 32 characters of randomness, without spaces')
    .optional(),
  WALLET_EVM_XPUB: z.string().optional(),
  WALLET_BITCOIN_XPUB: z.string().optional(),
  WALLET_LITECOIN_XPUB: z.string().optional(),
  WALLET_DOGECOIN_XPUB: z.string().optional(),
  WALLET_BITCOINCASH_XPUB: z.string().optional(),
  WALLET_TRON_XPUB: z.string().optional(),
  WALLET_XPUB_ACCOUNTS: accountsOfDefaultKeys,
  WALLET_CHANGE_DELAY: integer(0, 2_592_000).default(0),
  RATES_KRAKEN_URL: httpUrl.default('https://api.kraken.com'),
  RATES_COINBASE_URL: httpUrl.default('https://api.coinbase.com'),
  RATES_TIMEOUT_MS: integer(100, 30_000).default(3_000),
  WEBHOOK_TIMEOUT_MS: integer(100, 60_000).default(15_000),
  WEBHOOK_RETRY_SCHEDULE: retrySchedule,
  WEBHOOK_ALLOWED_CIDRS: list
    .refine((ranges) => ranges.every(isRange), 'must be ranges such as 10.0.0.0/8, comma-separated')
    .default([]),
  WEBHOOK_PROXY_URL: proxyUrl.optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailFrom.optional(),
  NOTICE_URL: httpUrl.optional(),
  NOTICE_TEMPLATE: noticeTemplate.optional(),
  BACKUP_FOLDER: z.string().startsWith('/', 'must be an absolute path').optional(),
  OAUTH_ISSUER: httpUrl.optional(),
  OAUTH_AUDIENCE: z.string().optional(),
  OAUTH_JWKS_URL: httpUrl.optional(),
  MAX_APPLICATIONS_PER_USER: integer(1, 100_000).default(100),
  MAX_CLIENT_TOKENS_PER_APPLICATION: integer(1, 10_000).default(50),
  EVENT_STREAMS: integer(0, 100_000).default(500),
  EVENT_STREAMS_PER_USER: integer(0, 100_000).default(10),
  CHECKOUT_STREAMS: integer(0, 100_000).default(1_000),
  CHECKOUT_STREAMS_PER_ADDRESS: integer(0, 100_000).default(100),
  MAX_CONNECTIONS: integer(16, 1_000_000).default(4_096),
  MAX_CONNECTIONS_PER_ADDRESS: integer(1, 1_000_000).default(512),
  MAX_OPEN_PAYMENTS_PER_USER: integer(1, 100_000_000).default(100_000),
  MAX_UNPAID_PAYMENTS_PER_USER: integer(1, 100_000_000).default(1_000_000),
  RATE_LIMIT_READS: perMinute.default(600),
  RATE_LIMIT_WRITES: perMinute.default(120),
  RATE_LIMIT_USER_READS: perMinute.default(6_000),
  RATE_LIMIT_USER_WRITES: perMinute.default(1_200),
  RATE_LIMIT_PAYMENT: perMinute.default(60),
  RATE_LIMIT_ADDRESS: perMinute.default(300),
  RATE_LIMIT_POLLS: perMinute.default(60),
  RATE_LIMIT_ADDRESS_POLLS: perMinute.default(600),
  RATE_LIMIT_TOKEN_ENDPOINT: perMinute.default(10),
  RATE_LIMIT_TOKENS: perMinute.default(120),
  RATE_LIMIT_FAILED_AUTH: perMinute.default(20),
  RATE_LIMIT_SIGN_IN: perMinute.default(5),
  RATE_LIMIT_ACCOUNT: perHour.default(20),
  RATE_LIMIT_PASSWORD: perHour.default(60),
});

/** Names that {@link loadConfig} reads, but for those of chains. */
export const SETTINGS: readonly string[] = Object.keys(schema.shape);

/** Whether {@link loadConfig} reads a variable of this name. */
export const isConfigurationKey = (name: string): boolean => SETTINGS.includes(name) || isChainKey(name);

/** Empty variables count as unset: compose files and shells often pass them. */
function withoutEmpty(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
}

/**
 * The address on which the gateway will listen, without the rest of its configuration.
 * @throws ConfigError
 */
export function loadListenAddress(environment: NodeJS.ProcessEnv): Pick<Config, 'host' | 'port'> {
  const parsed = schema.pick({ HOST: true, PORT: true }).safeParse(withoutEmpty(environment));
  if (!parsed.success) throw new ConfigError(describeProblems(parsed.error));
  return { host: hostOf(environment, parsed.data.HOST), port: parsed.data.PORT };
}

/**
 * What the command `migrate` needs, without the rest of the configuration.
 * @throws ConfigError
 */
export function loadMigrationConfig(
  environment: NodeJS.ProcessEnv,
): Pick<Config, 'databaseUrl' | 'databaseMigrationUrl' | 'databasePoolMode' | 'appKeys'> {
  const keys = schema.pick({
    DATABASE_URL: true,
    DATABASE_MIGRATION_URL: true,
    DATABASE_POOL_MODE: true,
    APP_KEYS: true,
  });
  const env = withoutEmpty(environment);
  const parsed = keys.safeParse(env);
  const problems = [...(parsed.success ? [] : describeProblems(parsed.error)), ...problemsOfRoles(env)];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  const { data } = parsed;
  return {
    databaseUrl: data.DATABASE_URL,
    databaseMigrationUrl: data.DATABASE_MIGRATION_URL ?? null,
    databasePoolMode: data.DATABASE_POOL_MODE,
    appKeys: data.APP_KEYS,
  };
}

/** Values that were copied from a document and not filled in. */
function problemsOfPlaceholders(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env)
    .filter(([name, value]) => isConfigurationKey(name) && isPlaceholder(value ?? ''))
    .map(([name]) => `${name}: is a placeholder; fill in the value`);
}

function hostOf(environment: NodeJS.ProcessEnv, host: string | undefined): string {
  return host ?? (environment['NODE_ENV'] === 'production' ? '0.0.0.0' : '127.0.0.1');
}

/**
 * Validates an environment into the frozen {@link Config}.
 * @throws ConfigError listing every problem by variable name
 */
export function loadConfig(environment: NodeJS.ProcessEnv): Config {
  const env = withoutEmpty(environment);
  const production = env['NODE_ENV'] === 'production';
  const parsed = schema.safeParse(env);
  const problems = parsed.success ? [] : describeProblems(parsed.error);
  const chains = readChains(env, production && env['START_WITHOUT_CHAINS'] !== 'true', problems);
  if (production && !env['BASE_URL']) problems.push('BASE_URL: is required');
  else if (production && env['BASE_URL']?.startsWith('http:'))
    problems.push('BASE_URL: must be an https URL');
  problems.push(...problemsOfRoles(env), ...problemsOfPlaceholders(env), ...problemsOfPairs(env));
  const accounts = parsed.data?.WALLET_XPUB_ACCOUNTS ?? [];
  // An identity provider of the operator has ids of its own form.
  if (!env['OAUTH_ISSUER'] && !accounts.every(isOwnAccount)) {
    problems.push('WALLET_XPUB_ACCOUNTS: must be all, or operators and ids of accounts, comma-separated');
  }
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  const value = parsed.data;
  return Object.freeze({
    production,
    host: hostOf(env, value.HOST),
    port: value.PORT,
    baseUrl: value.BASE_URL ?? `http://localhost:${value.PORT}`,
    databaseUrl: value.DATABASE_URL,
    databaseMigrationUrl: value.DATABASE_MIGRATION_URL ?? null,
    databasePoolSize: value.DATABASE_POOL_SIZE,
    accessCacheMs: value.ACCESS_CACHE_MS,
    databasePoolMode: value.DATABASE_POOL_MODE,
    role: value.ROLE,
    shutdownDelayMs: value.SHUTDOWN_DELAY_MS ?? (production ? PRODUCTION_SHUTDOWN_DELAY_MS : 0),
    loops: true,
    logLevel: value.LOG_LEVEL,
    trustedProxies: value.TRUSTED_PROXIES,
    appKeys: value.APP_KEYS,
    checkoutSigningKeys: value.CHECKOUT_SIGNING_KEY,
    checkoutDefaultTtlSeconds: value.CHECKOUT_DEFAULT_TTL,
    walletApps: { evm: value.CHECKOUT_WALLET_APPS, tron: value.CHECKOUT_TRON_WALLET_APPS },
    quoteTtlSeconds: value.QUOTE_TTL,
    chains,
    chainPollIntervalMs: value.CHAIN_POLL_INTERVAL_MS ?? null,
    chainStallBlocks: value.CHAIN_STALL_BLOCKS,
    chainRpcTimeoutMs: value.CHAIN_RPC_TIMEOUT_MS,
    verifyIntervalSeconds: value.VERIFY_INTERVAL,
    updateCheckUrl: value.UPDATE_CHECK_URL ?? null,
    metricsToken: value.METRICS_TOKEN ?? null,
    defaultWallets: {
      ...(value.WALLET_EVM_XPUB && { evm: value.WALLET_EVM_XPUB }),
      ...(value.WALLET_BITCOIN_XPUB && { bitcoin: value.WALLET_BITCOIN_XPUB }),
      ...(value.WALLET_LITECOIN_XPUB && { litecoin: value.WALLET_LITECOIN_XPUB }),
      ...(value.WALLET_DOGECOIN_XPUB && { dogecoin: value.WALLET_DOGECOIN_XPUB }),
      ...(value.WALLET_BITCOINCASH_XPUB && { bitcoincash: value.WALLET_BITCOINCASH_XPUB }),
      ...(value.WALLET_TRON_XPUB && { tron: value.WALLET_TRON_XPUB }),
    },
    defaultWalletAccounts: value.WALLET_XPUB_ACCOUNTS,
    walletChangeDelaySeconds: value.WALLET_CHANGE_DELAY,
    rates: {
      krakenUrl: value.RATES_KRAKEN_URL,
      coinbaseUrl: value.RATES_COINBASE_URL,
      timeoutMs: value.RATES_TIMEOUT_MS,
    },
    webhooks: {
      timeoutMs: value.WEBHOOK_TIMEOUT_MS,
      retryScheduleSeconds: value.WEBHOOK_RETRY_SCHEDULE,
      allowedCidrs: value.WEBHOOK_ALLOWED_CIDRS,
      proxyUrl: value.WEBHOOK_PROXY_URL ?? null,
    },
    notices: noticesOf(value),
    externalIssuer:
      value.OAUTH_ISSUER && value.OAUTH_AUDIENCE
        ? { issuer: value.OAUTH_ISSUER, audience: value.OAUTH_AUDIENCE, jwksUrl: value.OAUTH_JWKS_URL }
        : null,
    maxApplicationsPerUser: value.MAX_APPLICATIONS_PER_USER,
    maxClientTokensPerApplication: value.MAX_CLIENT_TOKENS_PER_APPLICATION,
    eventStreams: { total: value.EVENT_STREAMS, perUser: value.EVENT_STREAMS_PER_USER },
    checkoutStreams: { total: value.CHECKOUT_STREAMS, perAddress: value.CHECKOUT_STREAMS_PER_ADDRESS },
    connections: { total: value.MAX_CONNECTIONS, perAddress: value.MAX_CONNECTIONS_PER_ADDRESS },
    unpaidPayments: { open: value.MAX_OPEN_PAYMENTS_PER_USER, recent: value.MAX_UNPAID_PAYMENTS_PER_USER },
    rateLimits: {
      reads: value.RATE_LIMIT_READS,
      writes: value.RATE_LIMIT_WRITES,
      userReads: value.RATE_LIMIT_USER_READS,
      userWrites: value.RATE_LIMIT_USER_WRITES,
      payment: value.RATE_LIMIT_PAYMENT,
      address: value.RATE_LIMIT_ADDRESS,
      polls: value.RATE_LIMIT_POLLS,
      addressPolls: value.RATE_LIMIT_ADDRESS_POLLS,
      tokenEndpoint: value.RATE_LIMIT_TOKEN_ENDPOINT,
      tokens: value.RATE_LIMIT_TOKENS,
      failedAuth: value.RATE_LIMIT_FAILED_AUTH,
      signIn: value.RATE_LIMIT_SIGN_IN,
      account: value.RATE_LIMIT_ACCOUNT,
      password: value.RATE_LIMIT_PASSWORD,
    },
  });
}
