// Must be the first import: it instruments libraries as they are loaded.
import { stopTracing } from './platform/web/observability/tracing.js';
import './platform/kernel/v8-flags.js';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type Config, ConfigError, environment, loadConfig } from './config.js';
import { problemsOf, refuseDevelopment } from './env-file.js';
import { isTransient } from './platform/database/database-errors.pure.js';
import { redactText } from './platform/kernel/redaction.pure.js';
import { SystemClock } from './platform/kernel/clock.pure.js';
import { VERSION } from './platform/kernel/version.js';

/** Services of the development profile beside the gateway; none in production. */
interface Surroundings {
  env: NodeJS.ProcessEnv;
  announce(config: Config, app: NestExpressApplication): Promise<void>;
  stop(): Promise<void>;
}

const PRODUCTION: Surroundings = {
  env: environment,
  announce: async () => {},
  stop: async () => {},
};

/**
 * Without configuration `npm start` runs on a database, chain and rates of its own (specification/operations.md#profiles).
 * @returns what starts them
 */
async function findSurroundings(): Promise<() => Promise<Surroundings>> {
  if (environment['NODE_ENV'] === 'production') return async () => PRODUCTION;
  const { startDevelopment } = await import('./demo/development.js').catch(refuseDevelopment);
  return () => startDevelopment(environment);
}

/** Started services, stopped in reverse order. */
const stops: (() => Promise<void>)[] = [stopTracing];

async function stopAll(): Promise<void> {
  for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
}

/** Loading the gateway takes as long as starting the services of the development profile: both at once. */
async function start(): Promise<void> {
  const startServices = await findSurroundings();
  const [services, gateway] = await Promise.allSettled([startServices(), import('./gateway.js')]);
  // What was started is stopped, even if the gateway cannot be loaded.
  if (services.status === 'fulfilled') stops.push(services.value.stop);
  if (services.status === 'rejected') throw services.reason;
  if (gateway.status === 'rejected') throw gateway.reason;
  const surroundings = services.value;
  const config = loadConfig(surroundings.env);
  const app = await gateway.value.startGateway(config, stops);
  await surroundings.announce(config, app);
  await gateway.value.announceFirstRun(app);
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

/** Whether the message alone helps: of the configuration, of the system, or of a database that is away. */
function isExpected(error: Error): boolean {
  if (error instanceof ConfigError || isTransient(error)) return true;
  // A statement that Postgres refuses is a mistake of ours, and has a code as well.
  return 'code' in error && error.name !== 'QueryFailedError';
}

/** Prints the message or the stack only: Node would print every property, also values of statements. */
function fail(error: unknown): never {
  const stack = error instanceof Error && !isExpected(error) ? error.stack : undefined;
  const message = error instanceof Error ? error.message : String(error);
  const text =
    environment['NODE_ENV'] === 'production' ? lastLine(message, stack, error) : (stack ?? message);
  process.stderr.write(`${redactText(text)}\n`);
  process.exit(1);
}

/**
 * As a line of the log, which the collector of all others reads (how-to/growth.md#logs).
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
