import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { UUID } from '../platform/runtime/ids.pure.js';
import type { PrincipalRequest } from '../platform/security/auth.js';
import { UnmatchedTransfersService } from './unmatched-transfers.service.js';

const PREFETCHES_RATE = 'gateway:prefetches-rate';

/** On the route that accepts a transfer: its rate is in the cache before the handler runs. */
export const PrefetchRate = () => SetMetadata(PREFETCHES_RATE, true);

/**
 * Requests the rate of a transfer that is about to be accepted. With an `Idempotency-Key` the handler runs inside one
 * transaction, which must not wait for the network (platform/idempotency/idempotency.ts). Nest runs global interceptors
 * before those of a route, so this one is global, too: app.module.ts registers it before the idempotency interceptor.
 * It refuses nothing: the handler reports what is wrong with the request.
 */
@Injectable()
export class PrefetchRateInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly acceptances: UnmatchedTransfersService,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    if (this.reflector.get<boolean | undefined>(PREFETCHES_RATE, context.getHandler()))
      await this.prefetch(context.switchToHttp().getRequest<Omit<Request, 'user'> & PrincipalRequest>());
    return next.handle();
  }

  private async prefetch({ user, params, body }: Omit<Request, 'user'> & PrincipalRequest): Promise<void> {
    const paymentId = String(params['paymentId']);
    const transferId = readTransferId(body);
    if (user && UUID.test(paymentId) && transferId !== null)
      await this.acceptances.prefetchRate(user, paymentId, transferId);
  }
}

/** The id in a body that was not validated yet, or null. */
function readTransferId(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('transferId' in body)) return null;
  const { transferId } = body;
  const text = typeof transferId === 'string' ? transferId.toLowerCase() : '';
  return UUID.test(text) ? text : null;
}
