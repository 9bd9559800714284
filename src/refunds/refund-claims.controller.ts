import { Body, Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { Public } from '../platform/security/auth.js';
import { ClaimLinkGuard } from './claim-link.guard.js';
import { RefundClaims } from './refund-claims.service.js';
import { RefundAddressDto } from './refunds.dto.js';

/**
 * `/api/checkout/refund/{refundId}`: for the customer, who has no token but a signed link
 * (specification/refunds.md#claim-links).
 */
@Controller('api/checkout/refund')
@UseGuards(ClaimLinkGuard)
export class RefundClaimsController {
  constructor(private readonly claims: RefundClaims) {}

  @Get(':refundId')
  @Public()
  get(@Param('refundId') refundId: string) {
    return this.claims.describe(refundId);
  }

  /** Idempotent by itself: the same address again changes nothing, another one is refused. */
  @Post(':refundId')
  @Public()
  @HttpCode(200)
  claim(@Param('refundId') refundId: string, @Body() { address }: RefundAddressDto) {
    return this.claims.claim(refundId, address);
  }
}
