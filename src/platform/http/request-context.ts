import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { PrincipalRequest } from '../security/auth.js';
import type { AddressedRequest } from './client-address.pure.js';

/** The header that names a request to the client, to support and in every log line (specification/errors.md#body). */
export const REQUEST_ID_HEADER = 'X-Request-Id';

/** The request under way: its id, where it came from, and, once the guard has looked, whose it is. */
export interface CurrentRequest {
  id: string;
  request: AddressedRequest & PrincipalRequest;
}

const storage = new AsyncLocalStorage<CurrentRequest>();

/** The request under way; undefined in background work. */
export function currentRequest(): CurrentRequest | undefined {
  return storage.getStore();
}

/** Its id; undefined in background work. */
export function currentRequestId(): string | undefined {
  return storage.getStore()?.id;
}

/** Gives every request an id of our own; one sent by the client could forge log lines, so it is not taken. */
export function requestContext(request: Request, response: Response, next: NextFunction): void {
  const id = randomUUID();
  response.setHeader(REQUEST_ID_HEADER, id);
  // Express types `user` as Passport's; the guard puts our principal there.
  storage.run({ id, request: request as AddressedRequest & PrincipalRequest }, next);
}
