import type { NextFunction, Request, Response } from 'express';
import { repairLink } from '../../kernel/mailed-link.pure.js';

/** What people open; its parts are asked for by scripts. */
const PAGE = /^\/(?:checkout|receipt|refund)\/[^/?]+\?/;

/**
 * Reads a link as it was meant (mailed-link.pure.ts), before anything looks at it. A page whose path was changed moves
 * to the right one, because its script asks by the address that the browser shows; the target is a path of this gateway.
 */
export function readMailedLinks(request: Request, response: Response, next: NextFunction): void {
  const meant = repairLink(request.url);
  if (meant === null) return next();
  const isMoved = meant.split('?', 1)[0] !== request.path && request.method === 'GET';
  if (isMoved && PAGE.test(meant)) {
    response.status(302).set('Location', meant).end();
    return;
  }
  request.url = meant;
  request.originalUrl = meant;
  next();
}
