import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { TakesLink } from '../platform/web/contract/operation.js';
import { CheckoutLinkError } from '../platform/kernel/errors/errors.pure.js';
import { describeExpiredLink } from '../platform/web/errors/link-mistake.pure.js';
import { CheckoutLinks } from './checkout-links.service.js';

/**
 * Requires `?expires=&signature=` to match the payment in the path
 * (specification/checkout.md#signed-links).
 */
@Injectable()
@TakesLink('signed-link')
export class CheckoutLinkGuard implements CanActivate {
  constructor(private readonly links: CheckoutLinks) {}

  canActivate(context: ExecutionContext): boolean {
    const { params, query, headers } = context.switchToHttp().getRequest<Request>();
    const hasToken = headers.authorization !== undefined;
    if (this.links.verify(String(params['paymentId']), query, hasToken) === 'valid') return true;
    throw new CheckoutLinkError(
      'link_expired',
      'Checkout',
      describeExpiredLink(
        query['expires'],
        'Create a new payment for another link; with a token, GET /api/payment/{paymentId} still works.',
      ),
    );
  }
}
