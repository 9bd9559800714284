import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { envelope } from './envelope.js';

/** Express, where what a handler returns is sent in its {@link envelope}. An interceptor would cost each request more. */
export class EnvelopeAdapter extends ExpressAdapter {
  override reply(response: Response, result: unknown, status?: number): unknown {
    return super.reply(response, envelope(result), status) as unknown;
  }
}
