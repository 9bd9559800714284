import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

/**
 * The time between the first sign of shutdown and the end of this process: it is no longer ready, but still serves
 * every request, because load balancers need a moment to notice.
 */
@Injectable()
export class GracefulShutdown {
  hasBegun = false;

  begin(): void {
    this.hasBegun = true;
  }

  /** Asks keep-alive clients to close their connection, so that their next one reaches another process. */
  readonly closeConnections: RequestHandler = (_request: Request, response: Response, next: NextFunction) => {
    if (this.hasBegun) response.setHeader('Connection', 'close');
    next();
  };
}
