import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import type { Request, Response } from 'express';
import { ignoredFieldsHeader } from './ignored-names.pure.js';
import { DraftPipe, fieldNames, isContract } from '../contract/read-contract.js';

export const IGNORED_FIELDS_HEADER = 'X-Ignored-Fields';

/** Nest's number for `@Body()` (RouteParamtypes, which is a const enum). */
const BODY = 3;

interface Argument {
  index: number;
  pipes: unknown[];
}

/**
 * Names the fields of a body that the route does not know and ignores (specification/conventions.md#unknown-input), on
 * every response: also on a refusal, and on one that is repeated for its `Idempotency-Key`, since unknown fields belong to it.
 * It refuses nothing; a guard knows the route and costs a request less than an interceptor.
 */
@Injectable()
export class IgnoredFieldsGuard implements CanActivate {
  private readonly known = new WeakMap<object, readonly string[] | null>();

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const body: unknown = http.getRequest<Request>().body;
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
      const known = this.fieldsOf(context);
      const header = known && ignoredFieldsHeader(Object.keys(body), known);
      if (header) http.getResponse<Response>().setHeader(IGNORED_FIELDS_HEADER, header);
    }
    return true;
  }

  /** Null: the route reads its body itself. */
  private fieldsOf(context: ExecutionContext): readonly string[] | null {
    const handler = context.getHandler();
    const cached = this.known.get(handler);
    if (cached !== undefined) return cached;
    const contract = bodyContract(context.getClass(), handler.name);
    const fields = contract && fieldNames(contract);
    this.known.set(handler, fields);
    return fields;
  }
}

/** The class of the `@Body()` or `@DraftBody()` parameter. */
function bodyContract(controller: Type<object>, name: string): Type<object> | null {
  const metadata = (key: string, target: object) => Reflect.getMetadata(key, target, name) as unknown;
  const args = (metadata(ROUTE_ARGS_METADATA, controller) ?? {}) as Record<string, Argument>;
  const [, body] = Object.entries(args).find(([key]) => key.startsWith(`${BODY}:`)) ?? [];
  if (!body) return null;
  const draft = body.pipes.find((pipe) => pipe instanceof DraftPipe);
  if (draft) return draft.contract;
  const types = (metadata('design:paramtypes', controller.prototype as object) ?? []) as unknown[];
  const type = types[body.index];
  return isContract(type) ? type : null;
}
