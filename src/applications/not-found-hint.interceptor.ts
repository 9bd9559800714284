import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { catchError, from, mergeMap, type Observable, throwError } from 'rxjs';
import type { Principal, PrincipalRequest } from '../platform/security/auth.js';
import type { ErrorCode } from '../platform/errors/error-catalog.pure.js';
import { type GatewayError, NotFoundError } from '../platform/errors/errors.pure.js';
import { describePathId, type IdKind } from '../platform/http/path-id.pure.js';
import { OwnObjectsRepository } from './own-objects.repository.js';

/** The path parameter that an error code refers to, and the kind of object it names. */
const PARAMETERS: Partial<Record<ErrorCode, readonly [parameter: string, kind: IdKind][]>> = {
  payment_not_found: [['paymentId', 'payment']],
  payment_application_not_found: [['id', 'payment application']],
  refund_not_found: [['refundId', 'refund']],
  not_found: [
    ['siteId', 'site'],
    ['tokenId', 'client token'],
    ['deliveryId', 'webhook delivery'],
  ],
};

/** Adds a hint to a 404: the form of the id in the path, and what it is if it belongs to the caller. */
@Injectable()
export class NotFoundHintInterceptor implements NestInterceptor {
  constructor(private readonly objects: OwnObjectsRepository) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Omit<Request, 'user'> & PrincipalRequest>();
    return next.handle().pipe(
      catchError((error: unknown) => {
        const { user } = request;
        if (!(error instanceof NotFoundError) || error.extra.hint !== undefined || !user)
          return throwError(() => error);
        return from(this.explain(error, request.params, user)).pipe(
          mergeMap((explained) => throwError(() => explained)),
        );
      }),
    );
  }

  private async explain(
    error: NotFoundError,
    params: Record<string, unknown>,
    principal: Principal,
  ): Promise<GatewayError> {
    const [parameter, kind] =
      PARAMETERS[error.code]?.find(([name]) => typeof params[name] === 'string') ?? [];
    if (!parameter || !kind) return error;
    const id = String(params[parameter]);
    const actual = await this.objects.findKind(principal, id);
    return error.withHint(hintFor(kind, actual, id));
  }
}

function hintFor(kind: IdKind, actual: IdKind | null, id: string): string {
  if (actual === null) return describePathId(kind, id);
  return actual === kind
    ? `This ${kind} exists, but not below what the path names before it.`
    : `This is the id of one of your ${plural(actual)}; this path needs the id of a ${kind}.`;
}

function plural(kind: IdKind): string {
  return kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}
