import { Body, Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { CurrentPrincipal, OAuthOnly, type Principal, RequireScope } from '../platform/security/auth.js';
import { Idempotent } from '../platform/idempotency/idempotency.js';
import { UUID } from '../platform/runtime/ids.pure.js';
import { Page } from '../platform/http/pagination.js';
import { Draft, DraftBody } from '../platform/contract/read-dto.js';
import { AcceptanceRateGuard } from './acceptance-rate.guard.js';
import { UnmatchedTransfersService } from './unmatched-transfers.service.js';
import { PaymentListService } from './payment-list.service.js';
import { PaymentPresenter } from './payment-presenter.service.js';
import {
  AcceptPaymentDto,
  CancelPaymentDto,
  CreatePaymentDto,
  ListPaymentsQuery,
  PaymentsByReferenceQuery,
} from './payments.dto.js';
import type { PaymentSummary } from './payment.pure.js';
import { paymentNotFound, PaymentsService } from './payments.service.js';

/** `/api/payment…` (specification/payments.md#resource). */
@Controller('api/payment')
export class PaymentsController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly acceptances: UnmatchedTransfersService,
    private readonly paymentList: PaymentListService,
    private readonly presenter: PaymentPresenter,
  ) {}

  @Post('checkout')
  @Idempotent()
  @RequireScope('payments.create')
  create(
    @CurrentPrincipal() principal: Principal,
    @DraftBody(CreatePaymentDto) draft: Draft<CreatePaymentDto>,
  ) {
    return this.payments.create(principal, draft);
  }

  @Get()
  @OAuthOnly()
  async list(@CurrentPrincipal() { userId }: Principal, @Query() query: ListPaymentsQuery) {
    return this.shown(await this.paymentList.list(userId, query));
  }

  /** Before `:paymentId`, which would take it for an id. In the query, because a reference may hold any character. */
  @Get('by-reference')
  @RequireScope('payments.get')
  async listByReference(@CurrentPrincipal() principal: Principal, @Query() query: PaymentsByReferenceQuery) {
    return this.shown(await this.paymentList.listByReference(principal, query));
  }

  @Get(':paymentId')
  @RequireScope('payments.get')
  async get(@CurrentPrincipal() principal: Principal, @Param('paymentId') paymentId: string) {
    return this.presenter.payment(await this.payments.getOwned(principal, checked(paymentId)));
  }

  /** An OAuth2 token, or a client token with `*` (specification/authentication.md#scopes). */
  @Post(':paymentId/cancel')
  @HttpCode(200)
  @RequireScope('*')
  async cancel(
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @Body() body: CancelPaymentDto,
  ) {
    return this.presenter.payment(
      await this.payments.cancel(principal, checked(paymentId), body.reason ?? null),
    );
  }

  @Post(':paymentId/accept')
  @Idempotent()
  @HttpCode(200)
  @RequireScope('*')
  @UseGuards(AcceptanceRateGuard)
  async accept(
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @Body() { transferId }: AcceptPaymentDto,
  ) {
    const id = checked(paymentId);
    const state = transferId
      ? await this.acceptances.accept(principal, id, transferId)
      : await this.payments.accept(principal, id);
    return this.presenter.payment(state);
  }

  private shown({ items, pagination }: Page<PaymentSummary>) {
    return new Page(
      items.map((payment) => this.presenter.listItem(payment)),
      pagination,
    );
  }
}

/** Anything but a canonical UUID is not found (specification/conventions.md#identifiers). */
function checked(paymentId: string): string {
  if (!UUID.test(paymentId)) throw paymentNotFound();
  return paymentId;
}
