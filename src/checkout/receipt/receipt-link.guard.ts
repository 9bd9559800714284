import type { KeyObject } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config } from '../../config.js';
import { paymentNotFound } from '../../payments/payments.service.js';
import { receiptKeyOf, verifyReceipt } from '../../payments/receipt-url.pure.js';
import { TakesLink } from '../../platform/web/contract/operation.js';
import { CheckoutLinkError } from '../../platform/kernel/errors/errors.pure.js';
import {
  describeExpiredLink,
  describeLinkMistake,
  RECEIPT_LINK,
} from '../../platform/web/errors/link-mistake.pure.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { UUID } from '../../platform/kernel/ids.pure.js';

/** Requires the signature of a receipt's link to match the payment in the path (specification/receipts.md#link). */
@Injectable()
@TakesLink('receipt-link')
export class ReceiptLinkGuard implements CanActivate {
  private readonly keys: KeyObject[];

  constructor(
    @Inject(CONFIG) { checkoutSigningKeys }: Config,
    private readonly clock: Clock,
  ) {
    this.keys = checkoutSigningKeys.map(receiptKeyOf);
  }

  canActivate(context: ExecutionContext): boolean {
    const { params, query, headers } = context.switchToHttp().getRequest<Request>();
    const paymentId = String(params['paymentId']);
    // Format only: existence is checked after the signature, so that ids do not leak.
    if (!UUID.test(paymentId.toLowerCase())) throw paymentNotFound(paymentId);
    const verdict = verifyReceipt(this.keys, paymentId, query, this.clock.unixSeconds());
    if (verdict === 'valid') return true;
    const hasToken = headers.authorization !== undefined;
    throw new CheckoutLinkError(
      verdict,
      'Receipt',
      verdict === 'link_expired'
        ? describeExpiredLink(query['expires'], 'With a token, GET /api/payment/{paymentId} still works.')
        : describeLinkMistake({ id: paymentId, query, hasToken }, RECEIPT_LINK),
    );
  }
}
