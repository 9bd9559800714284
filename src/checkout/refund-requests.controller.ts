import { Body, Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { EXAMPLE_PAYMENT_ID } from '../payments/payment.contract.js';
import { data, Operation, PathParameters, uuidParameter } from '../platform/web/contract/operation.js';
import { Public } from '../platform/web/security/auth.js';
import { RequestRefundContract, ReturnableFundsContract } from '../refunds/refund-request.contract.js';
import { RefundRequests } from '../refunds/refund-requests.service.js';
import { CheckoutLinkGuard } from './checkout-link.guard.js';

/** What the customer asks back, for shops with a page of their own (specification/refunds.md#requests). */
@Controller('api/checkout/payment/:paymentId/refund-request')
@UseGuards(CheckoutLinkGuard)
@PathParameters({ paymentId: uuidParameter('The payment.', EXAMPLE_PAYMENT_ID, 'PaymentId') })
export class RefundRequestsController {
  constructor(private readonly requests: RefundRequests) {}

  /** Idempotent by itself: while the refund stands, the same one is returned. */
  @Post()
  @Public()
  @HttpCode(200)
  @Operation({
    id: 'requestRefund',
    tag: 'Public checkout',
    summary: 'Ask for money back',
    description:
      'Creates a refund of some `returnable` funds of the payment; the customer enters the address at its `claimUrl`. ' +
      'The shop then sends the money or cancels the refund. Asking again returns the same refund.',
    returns: data(ReturnableFundsContract, 'The funds, with the link of the refund.'),
    errors: ['invalid_state_transition'],
  })
  request(
    @Param('paymentId') paymentId: string,
    @Body() { type, transferId, payoutAmountAtomic }: RequestRefundContract,
  ): Promise<ReturnableFundsContract> {
    return this.requests.request(
      paymentId,
      { type, transferId: transferId ?? null },
      payoutAmountAtomic ?? null,
    );
  }
}
