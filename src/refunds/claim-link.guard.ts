import type { KeyObject } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../platform/kernel/clock.pure.js';
import { TakesLink } from '../platform/web/contract/operation.js';
import { CheckoutLinkError } from '../platform/kernel/errors/errors.pure.js';
import { UUID } from '../platform/kernel/ids.pure.js';
import {
  CLAIM_LINK,
  describeExpiredLink,
  describeLinkMistake,
} from '../platform/web/errors/link-mistake.pure.js';
import { CONFIG, type Config } from '../config.js';
import { claimKeyOf, verifyClaim } from './claim-url.pure.js';
import { refundNotFound } from './refunds.service.js';

/**
 * Requires the signature of a claim link to match the refund in the path (specification/refunds.md#claim-links).
 */
@Injectable()
@TakesLink('claim-link')
export class ClaimLinkGuard implements CanActivate {
  private readonly keys: KeyObject[];

  constructor(
    @Inject(CONFIG) { checkoutSigningKeys }: Config,
    private readonly clock: Clock,
  ) {
    this.keys = checkoutSigningKeys.map(claimKeyOf);
  }

  canActivate(context: ExecutionContext): boolean {
    const { params, query, headers } = context.switchToHttp().getRequest<Request>();
    const refundId = String(params['refundId']);
    // Format only: existence is checked after the signature, so that ids do not leak.
    if (!UUID.test(refundId.toLowerCase())) throw refundNotFound(refundId);
    const verdict = verifyClaim(this.keys, refundId, query, this.clock.unixSeconds());
    if (verdict === 'valid') return true;
    const hasToken = headers.authorization !== undefined;
    throw new CheckoutLinkError(
      verdict,
      'Refund',
      verdict === 'link_expired'
        ? describeExpiredLink(query['expires'], 'Create a new refund for another link.')
        : describeLinkMistake({ id: refundId, query, hasToken }, CLAIM_LINK),
    );
  }
}
