import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { PrincipalRequest } from '../platform/security/auth.js';
import { UUID } from '../platform/runtime/ids.pure.js';
import { UnmatchedTransfersService } from './unmatched-transfers.service.js';

/**
 * Fetches the rate of a transfer that is about to be accepted. With an `Idempotency-Key` the handler runs inside one
 * transaction, in which nothing may wait for the network (platform/idempotency/idempotency.ts); guards run before that.
 * Every request passes; the handler validates it.
 */
@Injectable()
export class AcceptanceRateGuard implements CanActivate {
  constructor(private readonly acceptances: UnmatchedTransfersService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Omit<Request, 'user'> & PrincipalRequest>();
    const paymentId = String(request.params['paymentId']);
    const transferId = readTransferId(request.body);
    if (request.user && UUID.test(paymentId) && transferId !== null)
      await this.acceptances.prepare(request.user, paymentId, transferId);
    return true;
  }
}

/** The transfer id in an unvalidated body, or null. */
function readTransferId(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('transferId' in body)) return null;
  const { transferId } = body;
  const text = typeof transferId === 'string' ? transferId.toLowerCase() : '';
  return UUID.test(text) ? text : null;
}
