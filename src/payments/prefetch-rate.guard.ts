import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { UUID } from '../platform/kernel/ids.pure.js';
import type { PrincipalRequest } from '../platform/kernel/principal.pure.js';
import { UnmatchedTransfersService } from './transfers/unmatched-transfers.service.js';

/**
 * On the route that accepts a transfer: requests its rate, so that it is in the cache before the handler runs. With an
 * `Idempotency-Key` the handler acts inside one transaction, which must not wait for the network
 * (platform/web/idempotency/idempotency.ts); guards run before that, and this one after the global access guard. It refuses
 * nothing: the handler reports what is wrong with the request.
 */
@Injectable()
export class PrefetchRateGuard implements CanActivate {
  constructor(private readonly acceptances: UnmatchedTransfersService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.prefetch(context.switchToHttp().getRequest<Omit<Request, 'user'> & PrincipalRequest>());
    return true;
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
