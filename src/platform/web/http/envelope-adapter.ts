import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { envelope } from './envelope.js';

/** Express, where what a handler returns is sent in its {@link envelope}. An interceptor would cost each request more. */
export class EnvelopeAdapter extends ExpressAdapter {
  override reply(response: Response, result: unknown, status?: number): unknown {
    return super.reply(response, envelope(result), status) as unknown;
  }

  /**
   * Express replaces the prototype of each request and response, and V8 then keeps them, with all that they hold, through
   * its young collections (docs/explanation/benchmarks.md). These are made with the right ones, so that nothing is
   * replaced.
   */
  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    class ExpressRequest extends IncomingMessage {}
    class ExpressResponse extends ServerResponse {}
    app.request = Object.setPrototypeOf(ExpressRequest.prototype, app.request) as Request;
    app.response = Object.setPrototypeOf(ExpressResponse.prototype, app.response) as Response;
    this.httpServer = createServer({ IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse }, app);
  }
}
