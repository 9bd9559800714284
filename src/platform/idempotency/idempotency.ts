import { type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { firstValueFrom, type Observable, of } from 'rxjs';
import type { PrincipalRequest } from '../security/auth.js';
import { toErrorBody, toGatewayError } from '../errors/error.filter.js';
import { stringifyExact } from '../http/exact-json.pure.js';
import { sha256 } from '../security/hmac.pure.js';
import { IDEMPOTENCY_KEY_HEADER, readIdempotencyKey } from './idempotency-key.js';
import { IdempotencyService, type KeyedRequest, type StoredResponse } from './idempotency.service.js';
import type { RawBodyRequest } from '../http/request-body.js';
import { REQUEST_ID_HEADER } from '../http/request-context.js';

export const IDEMPOTENT = 'gateway:idempotent';

/**
 * Accepts an `Idempotency-Key` (specification/idempotency.md#idempotency-key): with one, the handler and the storing of
 * its response are one transaction, and a repeated request returns that response. For every POST that creates or
 * changes something and is not idempotent by itself. Such a handler must not wait for the network, and wakes loops by
 * `afterCommit`.
 */
export const Idempotent = () => SetMetadata(IDEMPOTENT, true);

/** Errors that are not stored: the client corrects the request, or waits, and may send it again with the same key. */
const NEVER_KEPT = new Set([400, 401, 403, 422, 429]);

type KeyableRequest = Omit<Request, 'user'> & PrincipalRequest & RawBodyRequest;

/** Requests with an `Idempotency-Key` to routes that are {@link Idempotent}. */
@Injectable()
export class IdempotentRequests {
  constructor(
    private readonly reflector: Reflector,
    private readonly idempotency: IdempotencyService,
  ) {}

  /** Null: the route ignores keys, or the request has none. @throws BadRequestError */
  findKey(context: ExecutionContext): string | null {
    const { headers, headersDistinct } = context.switchToHttp().getRequest<KeyableRequest>();
    const isKeyed = headers[IDEMPOTENCY_KEY_HEADER] !== undefined;
    if (!isKeyed || !this.reflector.get<boolean | undefined>(IDEMPOTENT, context.getHandler())) return null;
    return readIdempotencyKey(headersDistinct[IDEMPOTENCY_KEY_HEADER]);
  }

  /** @param handle runs the handler and returns the body as it is sent */
  async once(
    context: ExecutionContext,
    key: string,
    handle: () => Observable<unknown>,
  ): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<KeyableRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    const stored = await this.idempotency.once(describe(request, key), {
      run: async () => {
        const body: unknown = await firstValueFrom(handle());
        return { status: response.statusCode, body: body === undefined ? null : stringifyExact(body) };
      },
      describeFailure: (error) => keptFailure(error, response),
    });
    // Text in both cases, so that the replayed response equals the first one byte for byte.
    response.status(stored.status);
    if (stored.isReplayed) response.setHeader('Idempotency-Replayed', 'true');
    if (stored.body === null) return of(undefined);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    return of(stored.body);
  }
}

/** Contains the request id of the first request, which identifies its log entries. */
function keptFailure(error: unknown, response: Response): StoredResponse | null {
  const { refusal } = toGatewayError(error);
  if (refusal.status >= 500 || NEVER_KEPT.has(refusal.status)) return null;
  const requestId = String(response.getHeader(REQUEST_ID_HEADER) ?? '');
  return { status: refusal.status, body: stringifyExact(toErrorBody(refusal, requestId)) };
}

function describe(request: KeyableRequest, key: string): KeyedRequest {
  const { user, params, rawBody } = request;
  if (!user) throw new Error('an idempotent route without a token');
  const { path: template } = request.route as { path: string };
  return {
    userId: user.userId,
    application: user.kind === 'client' ? user.applicationId : (user.member?.userId ?? ''),
    method: request.method,
    // Not the path as received: Express also accepts capitals and a trailing slash.
    path: template.replace(/:(\w+)/g, (_, name: string) => String(params[name])),
    key,
    bodyHash: sha256(rawBody ?? ''),
  };
}
