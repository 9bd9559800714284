import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { TakesLink } from '../../platform/web/contract/operation.js';
import { CheckoutLinkError } from '../../platform/kernel/errors/errors.pure.js';
import { PageAccessService } from './page-access.service.js';

/** Requires a link whose page is still followed; it may have ended (specification/checkout.md#live-page). */
@Injectable()
@TakesLink('signed-link')
export class LivePageGuard implements CanActivate {
  constructor(private readonly access: PageAccessService) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (this.access.decide(String(request.params['paymentId']), request).mayFollow) return true;
    throw new CheckoutLinkError('link_expired', 'Checkout', 'Its page is not followed any more.');
  }
}
