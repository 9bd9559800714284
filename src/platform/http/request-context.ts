import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { PrincipalRequest } from '../security/auth.js';
import type { AddressedRequest } from './client-address.pure.js';

/**
 * The header with the id that identifies a request to the client and in every log line (specification/errors.md#body).
 */
export const REQUEST_ID_HEADER = 'X-Request-Id';

/** The current request: its id, its client's address, and, after the access guard, its principal. */
export interface CurrentRequest {
  id: string;
  request: AddressedRequest & PrincipalRequest;
}

const storage = new AsyncLocalStorage<CurrentRequest>();

/** The current request; undefined in background work. */
export function currentRequest(): CurrentRequest | undefined {
  return storage.getStore();
}

/** Its id; undefined in background work. */
export function currentRequestId(): string | undefined {
  return storage.getStore()?.id;
}

/** Gives every request a new id. One sent by the client is not used, because it could forge log lines. */
export function requestContext(request: Request, response: Response, next: NextFunction): void {
  const id = randomUUID();
  response.setHeader(REQUEST_ID_HEADER, id);
  // Express types `user` as Passport's; the guard stores the principal there.
  storage.run({ id, request: request as AddressedRequest & PrincipalRequest }, next);
}
