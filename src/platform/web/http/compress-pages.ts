import compression from 'compression';
import type { Request, RequestHandler, Response } from 'express';
import { isOnlySeenCookie } from './cookies.pure.js';

/** Bytes; below it a response fits into one packet anyway. */
const THRESHOLD = 1_024;

/**
 * Compresses pages, scripts, styles and public documents. Responses to a bearer token or a session stay as they are: in
 * them a secret could be guessed from the length of a compressed response that repeats what an attacker sent (BREACH).
 * The pages of a signed link hold no secret but the signature, which whoever could make the browser send it has already.
 */
export function compressPages(): RequestHandler {
  const compress = compression({ threshold: THRESHOLD, filter: isCompressed });
  // Before the compressor, which puts itself between such a response and its socket, too.
  return (request, response, next) => (hasCredentials(request) ? next() : compress(request, response, next));
}

function hasCredentials({ headers: { authorization, cookie } }: Request): boolean {
  return authorization !== undefined || (cookie !== undefined && !isOnlySeenCookie(cookie));
}

function isCompressed(request: Request, response: Response): boolean {
  // A stream would wait in the compressor until a block is full.
  if (String(response.getHeader('Content-Type')).startsWith('text/event-stream')) return false;
  return compression.filter(request, response);
}
