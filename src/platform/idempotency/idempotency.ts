import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { firstValueFrom, type Observable, of } from 'rxjs';
import type { PrincipalRequest } from '../security/auth.js';
import { toErrorBody, toGatewayError } from '../errors/error.filter.js';
import { stringifyExact } from '../http/exact-json.pure.js';
import { sha256 } from '../security/hmac.pure.js';
import { IDEMPOTENCY_KEY_HEADER, readIdempotencyKey } from './idempotency-key.js';
import { type Answer, IdempotencyService, type KeyedRequest } from './idempotency.service.js';
import type { RawBodyRequest } from '../http/request-body.js';
import { REQUEST_ID_HEADER } from '../http/request-context.js';

export const IDEMPOTENT = 'gateway:idempotent';

/**
 * Takes an `Idempotency-Key` (specification/idempotency.md#idempotency-key): with one, the handler runs inside one
 * transaction with the record of its answer, and a repeated request answers that. For every POST that creates or
 * changes and is not idempotent by itself. Such a handler waits for no network, and
 * gives hints by `afterCommit`.
 */
export const Idempotent = () => SetMetadata(IDEMPOTENT, true);

/** Errors that are not stored: the client corrects the request, or waits, and may send it again with the same key. */
const NEVER_KEPT = new Set([400, 401, 403, 422, 429]);

type KeyableRequest = Omit<Request, 'user'> & PrincipalRequest & RawBodyRequest;

/** Runs outside the envelope interceptor: it stores the body as it is sent. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly idempotency: IdempotencyService,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    if (!this.reflector.get<boolean | undefined>(IDEMPOTENT, context.getHandler())) return next.handle();
    const request = context.switchToHttp().getRequest<KeyableRequest>();
    const key = readIdempotencyKey(request.headersDistinct[IDEMPOTENCY_KEY_HEADER]);
    if (key === null) return next.handle();
    const response = context.switchToHttp().getResponse<Response>();
    const answer = await this.idempotency.once(describe(request, key), {
      run: async () => {
        const body: unknown = await firstValueFrom(next.handle());
        return { status: response.statusCode, body: body === undefined ? null : stringifyExact(body) };
      },
      describeFailure: (error) => keptFailure(error, response),
    });
    // Text in both cases, so that the replayed response equals the first one byte for byte.
    response.status(answer.status);
    if (answer.isReplayed) response.setHeader('Idempotency-Replayed', 'true');
    if (answer.body === null) return of(undefined);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    return of(answer.body);
  }
}

/** Carries the request id of the first response, under which the log has its entries. */
function keptFailure(error: unknown, response: Response): Answer | null {
  const { answer } = toGatewayError(error);
  if (answer.status >= 500 || NEVER_KEPT.has(answer.status)) return null;
  const requestId = String(response.getHeader(REQUEST_ID_HEADER) ?? '');
  return { status: answer.status, body: stringifyExact(toErrorBody(answer, requestId)) };
}

function describe(request: KeyableRequest, key: string): KeyedRequest {
  const { user, params, rawBody } = request;
  if (!user) throw new Error('an idempotent route without a token');
  const { path: template } = request.route as { path: string };
  return {
    userId: user.userId,
    application: user.kind === 'client' ? user.applicationId : '',
    method: request.method,
    // Not the address as it came: Express also takes it in capitals and with a slash at the end.
    path: template.replace(/:(\w+)/g, (_, name: string) => String(params[name])),
    key,
    bodyHash: sha256(rawBody ?? ''),
  };
}
