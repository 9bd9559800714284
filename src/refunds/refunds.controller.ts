import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CurrentPrincipal, type Principal, RequireScope } from '../platform/security/auth.js';
import { Idempotent } from '../platform/idempotency/idempotency.js';
import { UUID } from '../platform/runtime/ids.pure.js';
import { Page, PageQuery } from '../platform/http/pagination.js';
import { Draft, DraftBody } from '../platform/contract/read-dto.js';
import { paymentNotFound } from '../payments/payments.service.js';
import { RefundPresenter } from './refund-presenter.service.js';
import { CompleteRefundDto, CreateRefundDto, RefundAddressDto } from './refunds.dto.js';
import { RefundsService } from './refunds.service.js';

/**
 * `/api/payment/{paymentId}/refunds…` (specification/refunds.md#routes): an OAuth2 token, or a client token with `*`.
 */
@Controller('api/payment/:paymentId/refunds')
@RequireScope('*')
export class RefundsController {
  constructor(
    private readonly refunds: RefundsService,
    private readonly presenter: RefundPresenter,
  ) {}

  @Post()
  @Idempotent()
  async create(
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @DraftBody(CreateRefundDto) draft: Draft<CreateRefundDto>,
  ) {
    return this.presenter.refund(await this.refunds.create(principal, checked(paymentId), draft));
  }

  @Get()
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @Query() query: PageQuery,
  ) {
    const page = await this.refunds.list(principal, checked(paymentId), query);
    return new Page(
      page.items.map((refund) => this.presenter.refund(refund)),
      page.pagination,
    );
  }

  @Get(':refundId')
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @Param('refundId') refundId: string,
  ) {
    return this.presenter.refund(await this.refunds.get(principal, checked(paymentId), refundId));
  }

  @Post(':refundId/address')
  @Idempotent()
  @HttpCode(200)
  async setAddress(
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @Param('refundId') refundId: string,
    @Body() { address }: RefundAddressDto,
  ) {
    return this.presenter.refund(
      await this.refunds.setAddress(principal, checked(paymentId), refundId, address),
    );
  }

  @Post(':refundId/complete')
  @Idempotent()
  @HttpCode(200)
  async complete(
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @Param('refundId') refundId: string,
    @Body() { txHash }: CompleteRefundDto,
  ) {
    return this.presenter.refund(
      await this.refunds.complete(principal, checked(paymentId), refundId, txHash),
    );
  }

  @Post(':refundId/cancel')
  @Idempotent()
  @HttpCode(200)
  async cancel(
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @Param('refundId') refundId: string,
  ) {
    return this.presenter.refund(await this.refunds.cancel(principal, checked(paymentId), refundId));
  }
}

/** Anything but a canonical UUID is not found (specification/conventions.md#identifiers). */
function checked(paymentId: string): string {
  if (!UUID.test(paymentId)) throw paymentNotFound();
  return paymentId;
}
