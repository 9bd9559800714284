import { Body, Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { data, Operation, PathParameters, uuidParameter } from '../platform/web/contract/operation.js';
import { Public } from '../platform/web/security/auth.js';
import { ClaimLinkGuard } from './claim-link.guard.js';
import { RefundClaims } from './refund-claims.service.js';
import {
  EXAMPLE_PAYOUT_ADDRESS,
  EXAMPLE_REFUND_ID,
  RefundAddressContract,
  RefundClaimContract,
} from './refund.contract.js';

/**
 * `/api/checkout/refund/{refundId}`: for the customer, who has no token but a signed link
 * (specification/refunds.md#claim-links).
 */
@Controller('api/checkout/refund')
@UseGuards(ClaimLinkGuard)
@PathParameters({ refundId: uuidParameter('The refund.', EXAMPLE_REFUND_ID, 'RefundId') })
export class RefundClaimsController {
  constructor(private readonly claims: RefundClaims) {}

  @Get(':refundId')
  @Public()
  @Operation({
    id: 'getRefundClaim',
    tag: 'Public checkout',
    summary: 'Get the refund of a claim link',
    description:
      'What the claim page shows: the amount, the network, the address once it is set, and how far the refund is.',
    returns: data(RefundClaimContract, 'The public part of the refund.'),
  })
  get(@Param('refundId') refundId: string): Promise<RefundClaimContract> {
    return this.claims.describe(refundId);
  }

  /** Idempotent by itself: the same address again changes nothing, another one is refused. */
  @Post(':refundId')
  @Public()
  @HttpCode(200)
  @Operation({
    id: 'claimRefund',
    tag: 'Public checkout',
    summary: 'Set the address of a refund',
    description: 'Once: sending the same address again changes nothing, another one is refused.',
    returns: data(RefundClaimContract, 'The refund with its address.', {
      example: { status: 'AWAITING_PAYMENT', address: EXAMPLE_PAYOUT_ADDRESS },
    }),
    errors: ['invalid_state_transition'],
  })
  claim(
    @Param('refundId') refundId: string,
    @Body() { address }: RefundAddressContract,
  ): Promise<RefundClaimContract> {
    return this.claims.claim(refundId, address);
  }
}
