import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { PrincipalRequest } from '../platform/security/auth.js';
import { UUID } from '../platform/runtime/ids.pure.js';
import { UnmatchedTransfersService } from './unmatched-transfers.service.js';

/**
 * Asks for the rate of a transfer that is about to be accepted. With an `Idempotency-Key` the handler runs inside
 * one transaction, where nothing waits for the network (platform/idempotency/idempotency.ts); guards run before it opens.
 * Lets every request pass: what is wrong with it, the handler says.
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

/** The id in a body that nobody has checked yet, or null. */
function readTransferId(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('transferId' in body)) return null;
  const { transferId } = body;
  const text = typeof transferId === 'string' ? transferId.toLowerCase() : '';
  return UUID.test(text) ? text : null;
}
