import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { createApp } from '../../src/app.js';
import { dataSourceOptions } from '../../src/platform/database/database.js';
import { Sql } from '../../src/platform/database/sql.js';
import { Meters } from '../../src/platform/kernel/meters.js';
import { loadConfig, type Config } from '../../src/config.js';
import { watchContract } from './contract/watch-contract.js';
import { isWatching, logSink, watchConfiguration } from './leaks/watch-leaks.js';
import { sealEmptyAuditLog } from './audit-anchor.js';
import { databaseUrl, gatewayDatabase, TEST_APP_KEY } from './test-server.js';
import { TestClock } from './test-clock.js';

/** A whole gateway on a database of its own; loops stand still, tests drive them by runOnce(). */
export interface TestGateway {
  app: NestExpressApplication;
  baseUrl: string;
  config: Config;
  clock: TestClock;
  /** As the owner of the schema, for rows that tests plant; the gateway itself works with the rights of its role. */
  sql: Sql;
  /** As the owner; `config.databaseUrl` is the gateway's. */
  databaseUrl: string;
  /** The variables that the configuration was read from, for a command of the command line. */
  environment: Record<string, string>;
  get<T>(type: Type<T> | (abstract new (...args: never[]) => T)): T;
  /** Stops the gateway; its database stays until the test file ends. */
  close(): Promise<void>;
  /** The same database under a new process, so to say. */
  restart(env?: Record<string, string>): Promise<TestGateway>;
  /** One more process on the same database, at the same time. */
  another(env?: Record<string, string>): Promise<TestGateway>;
}

const CHECKOUT_KEY = 'test-checkout-signing-key-with-enough-length';
/** Tests are in a hurry, and all of one address; the ones of the limits give values of their own. */
const NO_LIMITS = {
  RATE_LIMIT_READS: '0',
  RATE_LIMIT_WRITES: '0',
  RATE_LIMIT_USER_READS: '0',
  RATE_LIMIT_USER_WRITES: '0',
  RATE_LIMIT_PAYMENT: '0',
  RATE_LIMIT_ADDRESS: '0',
  RATE_LIMIT_POLLS: '0',
  RATE_LIMIT_ADDRESS_POLLS: '0',
  RATE_LIMIT_TOKEN_ENDPOINT: '0',
  RATE_LIMIT_TOKENS: '0',
  RATE_LIMIT_FAILED_AUTH: '0',
  RATE_LIMIT_SIGN_IN: '0',
  RATE_LIMIT_ACCOUNT: '0',
};
const TEST_ENV = {
  ...NO_LIMITS,
  APP_KEYS: `t1:${TEST_APP_KEY.toString('base64')}`,
  CHECKOUT_SIGNING_KEY: CHECKOUT_KEY,
  // Every line, so that secrets are looked for in all of them; see leaks/watch-leaks.ts.
  LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? (isWatching ? 'trace' : 'silent'),
  DATABASE_POOL_SIZE: '10',
  // The operator's keys serve the merchants of tests, who are no operators; default-keys.e2e-spec.ts has the default.
  WALLET_XPUB_ACCOUNTS: 'all',
  // Tests change rows behind its back; access-cache.e2e-spec.ts has it on.
  ACCESS_CACHE_MS: '0',
  // Clocks move while chains stand still.
  CHAIN_STALL_BLOCKS: '0',
  // The reconciliation pauses by it between two readings.
  CHAIN_POLL_INTERVAL_MS: '50',
};

async function withAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: process.env['TEST_ADMIN_URL'] });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

/** Of this test file. Without jest, which drops them, they go with the server. */
const databases = ((globalThis as { testDatabases?: string[] }).testDatabases ??= []);

/**
 * A database cloned from the migrated template, or from another one without connections, like a restored backup.
 * Dropped after the test file (jest/drop-databases.mjs).
 */
export async function createTestDatabase(templateUrl?: string): Promise<string> {
  const template = templateUrl ? new URL(templateUrl).pathname.slice(1) : 'template_gateway';
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withAdmin(async (admin) => {
    // A pooler keeps its own connections after those of its clients are closed, and a template may have none.
    if (process.env['TEST_POOLER_URL'])
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        template,
      ]);
    await admin.query(`create database ${name} template ${template}`);
    // A clone does not have the template's rights of the database itself.
    await admin.query(`revoke create, temporary on database ${name} from public`);
  });
  databases.push(name);
  return databaseUrl(process.env['TEST_ADMIN_URL'] ?? '', name);
}

/** Milliseconds; a browser can leave a connection open on which it never asked anything. */
const CLOSE_TIMEOUT_MS = 10_000;

/** As the program closes (main.ts): what is under way may end, and then connections are cut. */
async function closeApp(app: Awaited<ReturnType<typeof createApp>>): Promise<void> {
  const server = app.getHttpServer() as Server;
  const cut = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
  }
}

/** Without the time that the gateway gives a statement: what tests plant at once takes longer on a busy machine. */
async function connectOwner(url: string, poolSize: number): Promise<DataSource> {
  const options = dataSourceOptions(url, poolSize);
  const extra = {
    ...options.extra,
    stream: () => new Socket(),
    onConnect: async (client: pg.ClientBase) => {
      await options.extra.onConnect(client);
      await client.query('set statement_timeout = 0');
    },
  };
  return new DataSource({ ...options, extra }).initialize();
}

/** @param env configuration beside the test defaults, e.g. CHAIN_ETHEREUM_RPC_URL */
export async function startTestGateway(
  env: Record<string, string> = {},
  clock = new TestClock(),
  database?: string,
): Promise<TestGateway> {
  const url = database ?? (await createTestDatabase());
  const settings = { ...TEST_ENV, ...gatewayDatabase(url), PORT: '0', ...env };
  const config = Object.freeze({ ...loadConfig(settings), loops: false });
  watchConfiguration(settings, url);
  // The template was migrated with the key of all tests.
  if (env['APP_KEYS'] !== undefined && database === undefined) await sealEmptyAuditLog(url, config.appKeys);
  const app = await createApp(config, clock, logSink);
  const owner = await connectOwner(url, config.databasePoolSize);
  // Some tests close it twice.
  const close = async () => {
    if (owner.isInitialized) await owner.destroy();
    await closeApp(app);
  };
  // Before anybody can ask: every answer of every test is what the document says.
  const server = app.getHttpServer() as Server;
  watchContract(server);
  // A client in the same process may take up an idle connection in the second in which the server closes it.
  server.keepAliveTimeout = 3_600_000;
  // Any free one, unless the test has to know it before.
  await app.listen(config.port, '127.0.0.1');
  const { port } = server.address() as AddressInfo;
  return {
    app,
    baseUrl: `http://127.0.0.1:${port}`,
    config,
    clock,
    sql: new Sql(owner, new Meters()),
    databaseUrl: url,
    environment: settings,
    get: (type) => app.get(type as Type, { strict: false }),
    close,
    another: (changes = {}) => startTestGateway({ ...env, ...changes }, clock, url),
    restart: async (changes = {}) => {
      await close();
      return startTestGateway({ ...env, ...changes }, clock, url);
    },
  };
}
