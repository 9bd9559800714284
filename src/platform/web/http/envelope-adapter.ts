import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { CursorPage } from './cursor-page.js';
import { envelope } from './envelope.js';

/**
 * Express, where what a handler returns is sent in its {@link envelope}, and positions as cursors that tell nothing. An
 * interceptor would cost each request more.
 */
export class EnvelopeAdapter extends ExpressAdapter {
  /** Makes the cursor of a position; set once its keys are known. */
  sealCursor: (position: string) => string = () => {
    throw new Error('no cursor can be made yet');
  };

  override reply(response: Response, result: unknown, status?: number): unknown {
    return super.reply(response, envelope(this.sealed(result)), status) as unknown;
  }

  private sealed(result: unknown): unknown {
    if (!(result instanceof CursorPage)) return result;
    const { items, cursor } = result as CursorPage<unknown>;
    return new CursorPage(items, { next: this.sealCursor(cursor.next), hasMore: cursor.hasMore });
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
