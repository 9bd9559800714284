import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

/**
 * The time between "look elsewhere" and the end of this process: it is not ready any more and yet answers
 * everything, because load balancers need a moment to notice.
 */
@Injectable()
export class GracefulShutdown {
  hasBegun = false;

  begin(): void {
    this.hasBegun = true;
  }

  /** Keep-alive clients are asked to close their connection, so that their next one reaches another process. */
  readonly closeConnections: RequestHandler = (_request: Request, response: Response, next: NextFunction) => {
    if (this.hasBegun) response.setHeader('Connection', 'close');
    next();
  };
}
