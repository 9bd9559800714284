import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CurrentPrincipal, RequireScope } from '../platform/web/security/auth.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { Idempotent, IdempotentRequest, type Once } from '../platform/web/idempotency/idempotency.js';
import { UUID } from '../platform/kernel/ids.pure.js';
import { Page, PageQuery } from '../platform/web/http/pagination.js';
import { data, Operation, page, PathParameters, uuidParameter } from '../platform/web/contract/operation.js';
import { Draft, DraftBody } from '../platform/web/contract/read-contract.js';
import { paymentNotFound } from '../payments/payments.service.js';
import { RefundPresenter } from './refund-presenter.service.js';
import {
  ADDRESSED,
  CompleteRefundContract,
  CreateRefundContract,
  EXAMPLE_REFUND_ID,
  PROCESSING,
  RefundAddressContract,
  RefundContract,
} from './refund.contract.js';
import { RefundsService } from './refunds.service.js';

const STEP_ERRORS = ['payment_not_found', 'refund_not_found', 'invalid_state_transition'] as const;

/**
 * `/api/payment/{paymentId}/refunds…` (specification/refunds.md#routes): an OAuth2 token, or a client token with `*`.
 */
@Controller('api/payment/:paymentId/refunds')
@RequireScope('*', 'refunds')
@PathParameters({
  paymentId: uuidParameter('The payment.', '550e8400-e29b-41d4-a716-446655440000', 'PaymentId'),
  refundId: uuidParameter('The refund.', EXAMPLE_REFUND_ID, 'RefundId'),
})
export class RefundsController {
  constructor(
    private readonly refunds: RefundsService,
    private readonly presenter: RefundPresenter,
  ) {}

  @Post()
  @Operation({
    id: 'createRefund',
    tag: 'Refunds',
    summary: 'Create a refund',
    description:
      'For a payment that is UNDERPAID, RECEIVED or CONFIRMED, or for funds of a closed one. The refunds of a ' +
      'payment that are neither CANCELLED nor EXPIRED never exceed what was received. You pay from your own ' +
      'wallet: the gateway holds no key. The payment becomes REFUND when completed refunds cover all that was received.',
    returns: data(RefundContract, 'The new refund.'),
    errors: ['payment_not_found', 'invalid_state_transition'],
  })
  create(
    @Idempotent() request: IdempotentRequest,
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @DraftBody(CreateRefundContract) draft: Draft<CreateRefundContract>,
  ): Promise<Once<RefundContract>> {
    return request.once(draft, async () =>
      this.presenter.refund(await this.refunds.create(principal, checked(paymentId), draft)),
    );
  }

  @Get()
  @Operation({
    id: 'listRefunds',
    tag: 'Refunds',
    summary: 'List the refunds of a payment',
    description: 'Newest first.',
    returns: page(RefundContract, 'One page of refunds.'),
    errors: ['payment_not_found'],
  })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @Query() query: PageQuery,
  ): Promise<Page<RefundContract>> {
    const page = await this.refunds.list(principal, checked(paymentId), query);
    return new Page(
      page.items.map((refund) => this.presenter.refund(refund)),
      page.pagination,
    );
  }

  @Get(':refundId')
  @Operation({
    id: 'getRefund',
    tag: 'Refunds',
    summary: 'Get a refund',
    description:
      'Its status, the amount and address to pay, the claim link, and the transaction with its confirmations so far.',
    returns: data(RefundContract, 'The refund.'),
    errors: ['payment_not_found', 'refund_not_found'],
  })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @Param('refundId') refundId: string,
  ): Promise<RefundContract> {
    return this.presenter.refund(await this.refunds.get(principal, checked(paymentId), refundId));
  }

  @Post(':refundId/address')
  @HttpCode(200)
  @Operation({
    id: 'setRefundAddress',
    tag: 'Refunds',
    summary: 'Set or correct the address of a refund',
    description:
      'While it is AWAITING_ADDRESS, AWAITING_PAYMENT or FAILED. Sending the same address again changes nothing.',
    returns: data(RefundContract, 'The refund, ready to be paid.', { example: ADDRESSED }),
    errors: STEP_ERRORS,
  })
  setAddress(
    @Idempotent() request: IdempotentRequest,
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @Param('refundId') refundId: string,
    @DraftBody(RefundAddressContract) draft: Draft<RefundAddressContract>,
  ): Promise<Once<RefundContract>> {
    return request.once(draft, async () => {
      const { address } = draft.finish();
      return this.presenter.refund(
        await this.refunds.setAddress(principal, checked(paymentId), refundId, address),
      );
    });
  }

  @Post(':refundId/complete')
  @HttpCode(200)
  @Operation({
    id: 'completeRefund',
    tag: 'Refunds',
    summary: 'Record the transaction that has paid a refund',
    description:
      'While it is AWAITING_PAYMENT, PROCESSING (a sped-up transaction has another hash) or FAILED. The gateway verifies ' +
      'on chain that it paid at least `payoutAmount` of the right coin to `address`, with enough confirmations: the ' +
      'refund becomes COMPLETED or FAILED. A transaction may pay several refunds, and counts for all of them together once.',
    returns: data(RefundContract, 'The refund, being verified.', { example: PROCESSING }),
    errors: STEP_ERRORS,
  })
  complete(
    @Idempotent() request: IdempotentRequest,
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @Param('refundId') refundId: string,
    @DraftBody(CompleteRefundContract) draft: Draft<CompleteRefundContract>,
  ): Promise<Once<RefundContract>> {
    return request.once(draft, async () => {
      const { txHash } = draft.finish();
      return this.presenter.refund(
        await this.refunds.complete(principal, checked(paymentId), refundId, txHash),
      );
    });
  }

  @Post(':refundId/cancel')
  @HttpCode(200)
  @Operation({
    id: 'cancelRefund',
    tag: 'Refunds',
    summary: 'Cancel a refund',
    description:
      'Before a transaction is recorded, or after it turned out to have paid nothing. Cancelling again returns the same.',
    returns: data(RefundContract, 'The refund, cancelled.', { example: { status: 'CANCELLED' } }),
    errors: STEP_ERRORS,
  })
  cancel(
    @Idempotent() request: IdempotentRequest,
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @Param('refundId') refundId: string,
  ): Promise<Once<RefundContract>> {
    return request.once(null, async () =>
      this.presenter.refund(await this.refunds.cancel(principal, checked(paymentId), refundId)),
    );
  }
}

/** Anything but a canonical UUID is not found (specification/conventions.md#identifiers). */
function checked(paymentId: string): string {
  if (!UUID.test(paymentId)) throw paymentNotFound();
  return paymentId;
}
