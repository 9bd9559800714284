// Must be the first import: it instruments libraries as they are loaded.
import { stopTracing } from './platform/observability/tracing.js';
import 'reflect-metadata';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { createApp } from './app.js';
import { FirstRun } from './identity/oauth/first-run.service.js';
import { SystemClock } from './platform/runtime/clock.pure.js';
import { migrate } from './platform/database/migrate.js';
import { GracefulShutdown } from './platform/http/graceful-shutdown.js';
import { listenError } from './platform/http/listen-address.js';
import { createPino, GatewayLogger } from './platform/observability/logger.js';
import { redactText } from './platform/observability/redaction.pure.js';
import { COMMIT, VERSION } from './platform/runtime/version.js';
import { isTransient } from './platform/database/sql.js';
import { type Config, ConfigError, environment, loadConfig } from './config.js';
import { problemsOf } from './env-file.js';

/** Services of the development profile beside the gateway; none in production. */
interface Surroundings {
  env: NodeJS.ProcessEnv;
  announce(config: Config, app: Awaited<ReturnType<typeof createApp>>): Promise<void>;
  stop(): Promise<void>;
}

const PRODUCTION: Surroundings = {
  env: environment,
  announce: async () => {},
  stop: async () => {},
};

/**
 * Without configuration `npm start` runs on a database, chain and rates of its own (specification/operations.md#profiles).
 */
async function prepare(): Promise<Surroundings> {
  if (environment['NODE_ENV'] === 'production') return PRODUCTION;
  const { startDevelopment } = await import('./demo/development.js');
  return startDevelopment(environment);
}

/** Longer than a webhook may take. Then connections are closed, so that a slow client cannot keep the process alive. */
const CLOSE_TIMEOUT_MS = 20_000;

/** Started services, stopped in reverse order. */
const stops: (() => Promise<void>)[] = [stopTracing];

async function stopAll(): Promise<void> {
  for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
}

async function start(): Promise<void> {
  const surroundings = await prepare();
  stops.push(surroundings.stop);
  const config = loadConfig(surroundings.env);
  // Migrations log before there is an app, whose logger replaces this one.
  Logger.overrideLogger(new GatewayLogger(createPino(config.logLevel)));
  const { applied } = await migrate(config);
  const app = await createApp(config, new SystemClock());
  stops.push(() => close(app));
  await app.listen(config.port, config.host).catch((error: unknown) => {
    throw listenError(error, config);
  });
  stops.push(async () => {
    app.get(GracefulShutdown).begin();
    await delay(config.shutdownDelayMs);
  });
  const { role } = config;
  const address = (app.getHttpServer() as Server).address();
  new Logger('Process').log(
    { version: VERSION, commit: COMMIT, role, address, migrations: applied },
    'ready',
  );
  await surroundings.announce(config, app);
  await app.get(FirstRun, { strict: false }).announce();
}

/** Completes polls, webhooks and requests in progress, then closes the connections to the database. */
async function close(app: Awaited<ReturnType<typeof createApp>>): Promise<void> {
  const server = app.getHttpServer() as Server;
  const cut = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS);
  await app.close();
  clearTimeout(cut);
}

async function run(): Promise<void> {
  const starting = start();
  // A signal during the start waits for its end, so that everything that was started is stopped.
  stopOnSignal(async () => {
    await Promise.allSettled([starting]);
    await stopAll();
  });
  try {
    await starting;
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** The first signal shuts down gracefully, a second one at once. */
function stopOnSignal(stop: () => Promise<void>): void {
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      stop().then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      );
    });
  }
}

/** Prints the message or the stack only: Node would print every property, also values of statements. */
function fail(error: unknown): never {
  const isExpected =
    error instanceof ConfigError || (error instanceof Error && ('code' in error || isTransient(error)));
  const stack = isExpected ? undefined : error instanceof Error ? error.stack : undefined;
  const message = error instanceof Error ? error.message : String(error);
  const text =
    environment['NODE_ENV'] === 'production' ? lastLine(message, stack, error) : (stack ?? message);
  process.stderr.write(`${redactText(text)}\n`);
  process.exit(1);
}

/**
 * As a line of the log, which the collector of all others reads (how-to/operations.md#logs).
 * @param stack of a mistake of ours; an expected error names the variable to change instead
 */
function lastLine(message: string, stack: string | undefined, error: unknown): string {
  return JSON.stringify({
    level: 'fatal',
    time: new SystemClock().now(),
    context: 'Process',
    version: VERSION,
    ...(error instanceof ConfigError && { problems: error.problems }),
    ...(error instanceof Error && { isTransient: isTransient(error) }),
    msg: message,
    stack,
  });
}

process.on('uncaughtException', fail);
run().catch((error: unknown) =>
  fail(error instanceof ConfigError ? new ConfigError(problemsOf(error)) : error),
);
