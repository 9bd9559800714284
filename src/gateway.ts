import 'reflect-metadata';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from './app.js';
import { type Config, environment } from './config.js';
import { FirstRun } from './identity/oauth/first-run.service.js';
import { migrate } from './platform/schema/migrate.js';
import { GracefulShutdown } from './platform/web/http/graceful-shutdown.js';
import { listenError } from './platform/web/http/listen-address.js';
import { createPino, GatewayLogger } from './platform/web/observability/logger.js';
import { SystemClock } from './platform/kernel/clock.pure.js';
import { listUnreadSettings } from './unread-settings.js';
import { COMMIT, VERSION } from './platform/kernel/version.js';

/** Longer than a webhook may take. Then connections are closed, so that a slow client cannot keep the process alive. */
const CLOSE_TIMEOUT_MS = 20_000;

/**
 * Migrates, listens and says so. main.ts loads this file, and with it nearly everything, beside other work.
 * @param stops gets what ends each part that was started, also when a later part fails
 */
export async function startGateway(
  config: Config,
  stops: (() => Promise<void>)[],
): Promise<NestExpressApplication> {
  // Migrations log before there is an app, whose logger replaces this one.
  Logger.overrideLogger(new GatewayLogger(createPino(config.logLevel)));
  for (const sentence of listUnreadSettings(environment)) new Logger('Configuration').warn(sentence);
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
  return app;
}

/** The last line of a start: how to make the first user, if there is none. */
export function announceFirstRun(app: NestExpressApplication): Promise<void> {
  return app.get(FirstRun, { strict: false }).announce();
}

/** Completes polls, webhooks and requests in progress, then closes the connections to the database. */
async function close(app: NestExpressApplication): Promise<void> {
  const server = app.getHttpServer() as Server;
  const cut = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS);
  await app.close();
  clearTimeout(cut);
}
