import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { PrincipalRequest } from './principal.pure.js';
import type { Admission } from './admission.pure.js';
import { ContextVariable } from './context-variable.js';
import { type AddressedRequest, clientAddress } from './client-address.pure.js';
import { strangerOf } from './tenant-counts.pure.js';

/**
 * The header with the id that identifies a request to the client and in every log line (specification/errors.md#body).
 */
export const REQUEST_ID_HEADER = 'X-Request-Id';

/** The current request: its id, its client's address, and, after the access guard, its principal. */
export interface CurrentRequest {
  id: string;
  request: AddressedRequest & PrincipalRequest;
  /** What the rate limits decided; undefined where there are none, as for a health check. */
  admission?: Admission;
  /** Its token with the SHA-256 of it (presented-token.ts). */
  presented?: { token: string; hash: Buffer };
  /** The payment of a customer's page. */
  paymentId?: string;
  /** Whose it is without a token, once it was asked for: it is, with each statement. */
  stranger?: string;
  /** Lets another request run while this one waits for its last statement (concurrency-limit.ts). */
  freeSlot?: () => void;
  /** Lets others run between two parts of a long response; resolved when it is its turn again (concurrency-limit.ts). */
  nextTurn?: () => Promise<void>;
}

const variable = new ContextVariable<CurrentRequest>('request');

/** The current request; undefined in background work. */
export function currentRequest(): CurrentRequest | undefined {
  return variable.get();
}

/** Its id; undefined in background work. */
export function currentRequestId(): string | undefined {
  return variable.get()?.id;
}

/**
 * For whom the current work is done, so that one cannot use up what all share: the user of the token, or without one
 * its payment and its client's address; null in background work.
 */
export function currentTenant(): string | null {
  const current = variable.get();
  if (!current) return null;
  const userId = current.request.user?.userId ?? current.admission?.userId;
  if (userId) return `user ${userId}`;
  current.stranger ??= strangerOf(current.paymentId ?? null, clientAddress(current.request));
  return current.stranger;
}

/** Runs `work` as the gateway's own, and not for the client of the current request. */
export function asOwnWork<T>(work: () => T): T {
  return variable.run(undefined, work);
}

/** Gives every request a new id. One sent by the client is not used, because it could forge log lines. */
export function requestContext(request: Request, response: Response, next: NextFunction): void {
  const id = randomUUID();
  response.setHeader(REQUEST_ID_HEADER, id);
  // Express types `user` as Passport's; the guard stores the principal there.
  variable.run({ id, request: request as AddressedRequest & PrincipalRequest }, next);
}
