import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

/** The header that names a request to the client, to support and in every log line (api.md E1). */
export const REQUEST_ID_HEADER = 'X-Request-Id';

const storage = new AsyncLocalStorage<string>();

/** The id of the request under way; undefined in background work. */
export function currentRequestId(): string | undefined {
  return storage.getStore();
}

/** Gives every request an id of our own; one sent by the client could forge log lines, so it is not taken. */
export function requestContext(_request: Request, response: Response, next: NextFunction): void {
  const id = randomUUID();
  response.setHeader(REQUEST_ID_HEADER, id);
  storage.run(id, next);
}
