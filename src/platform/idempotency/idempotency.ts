import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { firstValueFrom, type Observable, of } from 'rxjs';
import type { PrincipalRequest } from '../security/auth.js';
import { toErrorBody, toGatewayError } from '../errors/error.filter.js';
import { type HintedRequest, NotFoundHints } from '../errors/not-found-hints.js';
import { envelope } from '../http/envelope.js';
import { stringifyExact } from '../http/exact-json.pure.js';
import { sha256 } from '../security/hmac.pure.js';
import { IDEMPOTENCY_KEY_HEADER, readIdempotencyKey } from './idempotency-key.js';
import type { FinishedKey } from './idempotency-key.repository.js';
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
export const Idempotent = () =>
  applyDecorators(SetMetadata(IDEMPOTENT, true), UseInterceptors(IdempotencyInterceptor));

const WRITES_KEY = 'gateway:writes-key';

/**
 * Beside {@link Idempotent}, for a handler that takes the {@link RequestKey} and writes it by the same statement as its
 * effect (`writtenKeys`, idempotency-key.repository.ts), which saves the transaction. Until then it must have no effect:
 * it runs before the key is known to be free, and again when an earlier request is still running.
 */
export const WritesKey = () => SetMetadata(WRITES_KEY, true);

/** The key of a request, to be written by its handler. */
export interface KeyToWrite {
  /** @param result what the handler returns once the row is written */
  finish: (result: unknown) => FinishedKey;
}

/** What a handler with {@link WritesKey} is to write; null: there is no key, or it is written around the handler. */
export const RequestKey = createParamDecorator(
  (_data: unknown, context: ExecutionContext): KeyToWrite | null =>
    context.switchToHttp().getRequest<KeyableRequest>().keyToWrite ?? null,
);

/** Errors that are not stored: the client corrects the request, or waits, and may send it again with the same key. */
const NEVER_KEPT = new Set([400, 401, 403, 422, 429]);

type KeyableRequest = Omit<Request, 'user'> &
  PrincipalRequest &
  RawBodyRequest & { keyToWrite?: KeyToWrite | null };

/** Runs the handlers of requests with an `Idempotency-Key`. */
@Injectable()
class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly idempotency: IdempotencyService,
    private readonly hints: NotFoundHints,
  ) {}

  /** @throws BadRequestError if the key is not valid */
  intercept(
    context: ExecutionContext,
    next: CallHandler,
  ): Observable<unknown> | Promise<Observable<unknown>> {
    const { headers, headersDistinct } = context.switchToHttp().getRequest<KeyableRequest>();
    const isKeyed = headers[IDEMPOTENCY_KEY_HEADER] !== undefined;
    const key = isKeyed ? readIdempotencyKey(headersDistinct[IDEMPOTENCY_KEY_HEADER]) : null;
    return key === null ? next.handle() : this.once(context, key, () => this.run(context, next));
  }

  /** What the handler returns. An error is stored as it is sent, so it has its hint. */
  private async run(context: ExecutionContext, next: CallHandler): Promise<unknown> {
    try {
      return await firstValueFrom(next.handle());
    } catch (error) {
      throw await this.hints.addTo(error, context.switchToHttp().getRequest<HintedRequest>());
    }
  }

  private async once(
    context: ExecutionContext,
    key: string,
    handle: () => Promise<unknown>,
  ): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<KeyableRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    const present = (result: unknown): StoredResponse => {
      const body = envelope(result);
      return { status: response.statusCode, body: body === undefined ? null : stringifyExact(body) };
    };
    const writesKey = this.reflector.get<boolean | undefined>(WRITES_KEY, context.getHandler()) === true;
    const stored = await this.idempotency.once(describe(request, key), {
      run: async () => present(await handle()),
      describeFailure: (error) => keptFailure(error, response),
      ...(writesKey && {
        runWritingKey: async (finish) => {
          let written: StoredResponse | null = null;
          request.keyToWrite = { finish: (result) => finish((written = present(result))) };
          await handle().finally(() => (request.keyToWrite = null));
          if (!written) throw new Error('a handler has not written the key of its request');
          return written;
        },
      }),
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
