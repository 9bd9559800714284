import { randomBytes } from 'node:crypto';
import type { INestApplication } from '@nestjs/common';
import { createApp } from '../../src/app.js';
import { SystemClock } from '../../src/platform/kernel/clock.pure.js';
import { Sql } from '../../src/platform/database/sql.js';
import { loadConfig } from '../../src/config.js';
import '../../src/platform/kernel/v8-flags.js';
import { asGateway } from '../../test/support/test-server.js';

/** The real gateway on a database of the benchmark. */
export interface BenchGateway {
  app: INestApplication;
  sql: Sql;
  /** What it was configured with. */
  environment: Record<string, string>;
  get<T>(type: abstract new (...args: never[]) => T): T;
  close(): Promise<void>;
}

/** Also authenticates the rows that benchmarks write. */
export const BENCH_KEY = { id: 'b1', key: randomBytes(32) };

/** @param loops whether its loops run by themselves, as they do in production */
export async function openGateway(
  databaseUrl: string,
  env: Record<string, string>,
  { loops = false }: { loops?: boolean } = {},
): Promise<BenchGateway> {
  const environment: Record<string, string> = {
    APP_KEYS: `${BENCH_KEY.id}:${BENCH_KEY.key.toString('base64')}`,
    CHECKOUT_SIGNING_KEY: randomBytes(32).toString('hex'),
    LOG_LEVEL: process.env['BENCH_LOG_LEVEL'] ?? 'silent',
    CHAIN_STALL_BLOCKS: '0',
    WALLET_XPUB_ACCOUNTS: 'all',
    VERIFY_INTERVAL: '0',
    DATABASE_URL: asGateway(databaseUrl),
    PORT: '0',
    ...env,
  };
  const settings = loadConfig(environment);
  const app = await createApp(Object.freeze({ ...settings, loops }), new SystemClock());
  await app.init();
  return {
    app,
    sql: app.get(Sql),
    environment,
    get: (type) => app.get(type, { strict: false }),
    close: () => app.close(),
  };
}
