import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { isLoopback, leadsElsewhere } from './public-name.pure.js';

/** Tells a browser that was led to the public name, and came back here, from one that comes by itself. */
const MOVED = 'gateway_moved';
const MOVED_SECONDS = 5;

const search = ({ originalUrl }: Request) => /\?.*$/s.exec(originalUrl)?.[0] ?? '';

/**
 * Leads pages under another name of this gateway to the public one, because signing in and links work under that only.
 * The target is made of the configuration and of the path, which begins with one slash, never of a header.
 */
export function leadToPublicName(baseUrl: string): RequestHandler {
  const base = new URL(baseUrl);
  return (request: Request, response: Response, next: NextFunction) => {
    const { headers, socket } = request;
    const isMoving = leadsElsewhere(
      {
        method: request.method,
        path: request.path,
        // Express reads X-Forwarded-Host of trusted proxies only.
        host: request.host,
        isForwardedHost: request.host !== headers.host,
        localPort: socket.localPort,
        isFromThisMachine: isLoopback(socket.remoteAddress ?? ''),
        wasMoved: headers.cookie?.includes(`${MOVED}=`) ?? false,
      },
      base,
    );
    if (!isMoving) return next();
    response
      .status(307)
      .set({
        Location: `${baseUrl}${request.path}${search(request)}`,
        'Set-Cookie': `${MOVED}=1; Path=/; Max-Age=${MOVED_SECONDS}; HttpOnly; SameSite=Lax`,
      })
      .end();
  };
}
