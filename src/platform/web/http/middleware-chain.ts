import type { NextFunction, Request, RequestHandler, Response } from 'express';

/**
 * Middleware that always runs, as one layer of Express: it would compare the path with each layer, and prepare parameters
 * for it. What a handler throws goes to `next`, also when it runs in a later turn of the event loop.
 */
export function chain(...handlers: readonly RequestHandler[]): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const runFrom = (place: number): void => {
      const handler = handlers[place];
      if (!handler) return next();
      const proceed: NextFunction = (refusal?: unknown) => (refusal ? next(refusal) : runFrom(place + 1));
      try {
        void handler(request, response, proceed);
      } catch (error) {
        next(error);
      }
    };
    runFrom(0);
  };
}
