import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { TakesLink } from '../platform/contract/operation.js';
import { Clock } from '../platform/runtime/clock.pure.js';
import { CheckoutLinkError } from '../platform/errors/errors.pure.js';
import { UUID } from '../platform/runtime/ids.pure.js';
import {
  CHECKOUT_LINK,
  describeExpiredLink,
  describeLinkMistake,
} from '../platform/errors/link-mistake.pure.js';
import { CONFIG, type Config } from '../config.js';
import { verifyCheckout } from '../payments/checkout-url.pure.js';
import { paymentNotFound } from '../payments/payments.service.js';

/**
 * Requires `?expires=&signature=` to match the payment in the path
 * (specification/checkout.md#signed-links).
 */
@Injectable()
@TakesLink('signed-link')
export class CheckoutLinkGuard implements CanActivate {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const { params, query, headers } = context.switchToHttp().getRequest<Request>();
    const paymentId = String(params['paymentId']);
    // Format only: existence is checked after the signature, so that ids do not leak.
    if (!UUID.test(paymentId.toLowerCase())) throw paymentNotFound(paymentId);
    const verdict = verifyCheckout(
      this.config.checkoutSigningKeys,
      paymentId,
      query['expires'],
      query['signature'],
      this.clock.unixSeconds(),
    );
    if (verdict === 'valid') return true;
    const hasToken = headers.authorization !== undefined;
    throw new CheckoutLinkError(
      verdict,
      'Checkout',
      verdict === 'link_expired'
        ? describeExpiredLink(
            query['expires'],
            'Create a new payment for another link; with a token, GET /api/payment/{paymentId} still answers.',
          )
        : describeLinkMistake({ id: paymentId, query, hasToken }, CHECKOUT_LINK),
    );
  }
}
