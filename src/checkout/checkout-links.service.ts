import type { KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { checkoutKeyOf, verifyCheckout } from '../payments/checkout-url.pure.js';
import { paymentNotFound } from '../payments/payments.service.js';
import { CheckoutLinkError } from '../platform/kernel/errors/errors.pure.js';
import { CHECKOUT_LINK, describeLinkMistake } from '../platform/web/errors/link-mistake.pure.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { UUID } from '../platform/kernel/ids.pure.js';

/** Verifies the signatures of checkout links (specification/checkout.md#signed-links). */
@Injectable()
export class CheckoutLinks {
  private readonly keys: KeyObject[];

  constructor(
    @Inject(CONFIG) { checkoutSigningKeys }: Config,
    private readonly clock: Clock,
  ) {
    this.keys = checkoutSigningKeys.map(checkoutKeyOf);
  }

  /**
   * Runs before anything is loaded, so that ids do not leak.
   * @param hasToken whether the request has an Authorization header, for the hint of the error
   * @throws NotFoundError for a malformed id; CheckoutLinkError for a wrong signature
   */
  verify(
    paymentId: string,
    query: Readonly<Record<string, unknown>>,
    hasToken: boolean,
  ): 'valid' | 'link_expired' {
    // Only the format: whether the payment exists is checked after the signature.
    if (!UUID.test(paymentId.toLowerCase())) throw paymentNotFound(paymentId);
    const result = verifyCheckout(
      this.keys,
      paymentId,
      query['expires'],
      query['signature'],
      this.clock.unixSeconds(),
    );
    if (result !== 'invalid_signature') return result;
    const hint = describeLinkMistake({ id: paymentId, query, hasToken }, CHECKOUT_LINK);
    throw new CheckoutLinkError(result, 'Checkout', hint);
  }
}
