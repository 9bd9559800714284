import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { customerLinks } from './checkout/customer-links.pure.js';
import type { DestinationStream } from 'pino';
import type { Clock } from './platform/kernel/clock.pure.js';
import { Cursors } from './platform/web/cursors/cursors.service.js';
import { EnvelopeAdapter } from './platform/web/http/envelope-adapter.js';
import { configureHttp } from './platform/web/http/http.js';
import { RateLimits } from './platform/web/rate-limiting/rate-limits.service.js';
import type { Config } from './config.js';
import { mountOAuth } from './identity/oauth/oauth-server.js';

/**
 * Builds the whole gateway, not listening yet, for the program and for tests.
 * @param logTo standard output unless given, by tests
 */
export async function createApp(
  config: Config,
  clock: Clock,
  logTo?: DestinationStream,
): Promise<NestExpressApplication> {
  const adapter = new EnvelopeAdapter();
  const app = await NestFactory.create<NestExpressApplication>(AppModule.register(config, clock), adapter, {
    bodyParser: false,
    bufferLogs: true,
    abortOnError: false,
  });
  const cursors = app.get(Cursors);
  await cursors.load();
  adapter.sealCursor = (position) => cursors.seal(position);
  const isSigned = customerLinks(config.checkoutSigningKeys);
  await configureHttp(app, config, mountOAuth, app.get(RateLimits).limit, isSigned, logTo);
  return app;
}
