import 'reflect-metadata';
import { createApp } from './app.js';
import { SystemClock } from './common/clock.js';
import { migrate } from './common/database.js';
import { type Config, ConfigError, environment, loadConfig } from './config.js';

/** What the development profile started beside the gateway; production has nothing of it. */
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

/** `npm start` without configuration runs on its own database, chain and rates (design.md, Development profile). */
async function prepare(): Promise<Surroundings> {
  if (environment['NODE_ENV'] === 'production') return PRODUCTION;
  const { startDevelopment } = await import('./demo/development.js');
  return startDevelopment(environment);
}

async function run(): Promise<void> {
  const surroundings = await prepare();
  try {
    const config = loadConfig(surroundings.env);
    await migrate(config.databaseUrl);
    const app = await createApp(config, new SystemClock());
    stopOnSignal(async () => {
      await app.close();
      await surroundings.stop();
    });
    await app.listen(config.port, config.host);
    await surroundings.announce(config, app);
  } catch (error) {
    await surroundings.stop();
    throw error;
  }
}

/** The first signal drains and leaves cleanly; a second one does not wait. */
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

function fail(error: unknown): never {
  const isExpected = error instanceof ConfigError || (error instanceof Error && 'code' in error);
  process.stderr.write(
    `${isExpected ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(1);
}

run().catch(fail);
