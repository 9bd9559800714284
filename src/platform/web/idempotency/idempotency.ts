import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { PrincipalRequest } from '../../kernel/principal.pure.js';
import { toErrorBody, toGatewayError } from '../errors/error.filter.js';
import { withPathIdHint } from '../errors/path-id-hint.pure.js';
import { envelope } from '../http/envelope.js';
import { stringifyExact } from '../../kernel/exact-json.pure.js';
import { sha256 } from '../../kernel/hmac.pure.js';
import { IDEMPOTENCY_KEY_HEADER, readIdempotencyKey } from './idempotency-key.js';
import type { FinishedKey } from './idempotency-key.repository.js';
import {
  type Action,
  IdempotencyService,
  type KeyedRequest,
  type StoredResponse,
} from './idempotency.service.js';
import { meaningOf, type ReadFields } from './request-meaning.pure.js';
import { REQUEST_ID_HEADER } from '../../kernel/request-context.js';

export const IDEMPOTENT = 'gateway:idempotent';

/** What a handler returns: its result, or the text of a response that is stored with a key. */
export type Once<T> = T | string | undefined;

/** The key of a request, to be written by its handler. */
export interface KeyToWrite {
  /** @param result what the handler returns once the row is written */
  finish: (result: unknown) => FinishedKey;
}

/** Errors that are not stored: the client corrects the request, or waits, and may send it again with the same key. */
const NEVER_KEPT = new Set([400, 401, 403, 422, 429]);

type KeyableRequest = Omit<Request, 'user'> & PrincipalRequest;

/** A request whose handler acts once for each `Idempotency-Key` (specification/idempotency.md#idempotency-key). */
export class IdempotentRequest {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly request: KeyableRequest,
    private readonly response: Response,
    /** Null: without a key, everything is done as often as it is asked for. */
    private readonly key: string | null,
  ) {}

  /**
   * Acts and stores the response in one transaction, or returns the stored response of an earlier request with this key.
   * @param read the fields of the body; null: the route has none
   * @param act must not wait for the network, and wakes loops by `afterCommit`
   * @throws KeyInUseError; GatewayError `idempotency_key_reused`
   */
  async once<T>(read: ReadFields | null, act: () => Promise<T>): Promise<Once<T>> {
    if (this.key === null) return act();
    return this.send(this.key, read, { run: async () => this.present(await this.hinted(act())) });
  }

  /**
   * {@link once} for an action that writes the key by the same statement as its effect (`writtenKeys`,
   * idempotency-key.repository.ts), which saves the transaction.
   * @param act must have no effect before that statement: it runs before the key is known to be free, and again without a
   *   key to write when an earlier request is still running
   */
  async onceWritingKey<T>(read: ReadFields, act: (key: KeyToWrite | null) => Promise<T>): Promise<Once<T>> {
    if (this.key === null) return act(null);
    return this.send(this.key, read, {
      run: async () => this.present(await this.hinted(act(null))),
      runWritingKey: async (finish) => {
        let written: StoredResponse | null = null;
        await this.hinted(act({ finish: (result) => finish((written = this.present(result))) }));
        if (!written) throw new Error('a handler has not written the key of its request');
        return written;
      },
    });
  }

  /** Text in both cases, so that the replayed response equals the first one byte for byte. */
  private async send(
    key: string,
    read: ReadFields | null,
    action: Omit<Action, 'describeFailure'>,
  ): Promise<string | undefined> {
    const { response } = this;
    const stored = await this.idempotency.once(describe(this.request, key, read), {
      ...action,
      describeFailure: (error) => keptFailure(error, response),
    });
    response.status(stored.status);
    if (stored.isReplayed) response.setHeader('Idempotency-Replayed', 'true');
    if (stored.body === null) return undefined;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    return stored.body;
  }

  private present(result: unknown): StoredResponse {
    const body = envelope(result);
    return { status: this.response.statusCode, body: body === undefined ? null : stringifyExact(body) };
  }

  /** An error is stored as it is sent, so it has its hint. */
  private async hinted<T>(result: Promise<T>): Promise<T> {
    try {
      return await result;
    } catch (error) {
      throw withPathIdHint(error, this.request.params);
    }
  }
}

/** Makes the {@link IdempotentRequest} of a handler. */
@Injectable()
class IdempotentRequestPipe implements PipeTransform<ExecutionContext, IdempotentRequest> {
  constructor(private readonly idempotency: IdempotencyService) {}

  /** @throws BadRequestError if the key is not valid */
  transform(context: ExecutionContext): IdempotentRequest {
    const http = context.switchToHttp();
    const request = http.getRequest<KeyableRequest>();
    const isKeyed = request.headers[IDEMPOTENCY_KEY_HEADER] !== undefined;
    const key = isKeyed ? readIdempotencyKey(request.headersDistinct[IDEMPOTENCY_KEY_HEADER]) : null;
    return new IdempotentRequest(this.idempotency, request, http.getResponse<Response>(), key);
  }
}

const Context = createParamDecorator((_data: unknown, context: ExecutionContext) => context);

/**
 * `@Idempotent() request: IdempotentRequest`, the first parameter of every POST that creates or changes something and is
 * not idempotent by itself. It accepts an `Idempotency-Key`; the handler does everything within `request.once`, so that
 * a key that was used with another body is refused as such, whatever else is wrong with that body.
 */
export function Idempotent(): ParameterDecorator {
  return (controller, method, index) => {
    if (method === undefined) throw new Error('a constructor handles no request');
    Reflect.defineMetadata(IDEMPOTENT, true, Reflect.get(controller, method) as object);
    Context(IdempotentRequestPipe)(controller, method, index);
  };
}

/** Contains the request id of the first request, which identifies its log entries. */
function keptFailure(error: unknown, response: Response): StoredResponse | null {
  const { refusal } = toGatewayError(error);
  if (refusal.status >= 500 || NEVER_KEPT.has(refusal.status)) return null;
  const requestId = String(response.getHeader(REQUEST_ID_HEADER) ?? '');
  return { status: refusal.status, body: stringifyExact(toErrorBody(refusal, requestId)) };
}

function describe(request: KeyableRequest, key: string, read: ReadFields | null): KeyedRequest {
  const { user, params } = request;
  if (!user) throw new Error('an idempotent route without a token');
  const { path: template } = request.route as { path: string };
  return {
    userId: user.userId,
    application: user.kind === 'client' ? user.applicationId : (user.member?.userId ?? ''),
    method: request.method,
    // Not the path as received: Express also accepts capitals and a trailing slash.
    path: template.replace(/:(\w+)/g, (_, name: string) => String(params[name])),
    key,
    bodyHash: sha256(meaningOf(request.body, read)),
  };
}
