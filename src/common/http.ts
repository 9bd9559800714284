import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../config.js';

/** Everything between the socket and a controller: parsing, limits, headers, errors. */
export async function configureHttp(_app: NestExpressApplication, _config: Config): Promise<void> {}
