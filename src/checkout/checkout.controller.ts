import { Body, Controller, Get, Header, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApplicationsService } from '../applications/applications.service.js';
import { PaymentsService } from '../payments/payments.service.js';
import { data, Operation, PathParameters } from '../platform/web/contract/operation.js';
import { Public } from '../platform/web/security/auth.js';
import { CheckoutLinkGuard } from './checkout-link.guard.js';
import { CheckoutStatusTags } from './checkout-status-tags.service.js';
import {
  CheckoutStatusContract,
  ReportedTransactionContract,
  ReportTransactionContract,
} from './checkout.contract.js';
import { InstructionsService } from './instructions.service.js';
import { INSTRUCTIONS_PATH, PaymentInstructionsContract } from './payment-instructions.contract.js';
import { PaymentMethodContract } from './payment-methods.contract.js';
import { PaymentMethodsService } from './payment-methods.service.js';
import { TransactionReports } from './transaction-reports.service.js';

const TAG = 'Public checkout';
const PROVIDER = 'payment/:paymentId/provider';
const INSTRUCTIONS = data(PaymentInstructionsContract, 'The instructions.');
const PAYMENT_ERRORS = ['payment_method_not_found', 'payment_not_payable'] as const;
const SELECTION_ERRORS = [...PAYMENT_ERRORS, 'method_selection_required'] as const;

/** `/api/checkout…`: for the customer, who has no token but a signed link (specification/checkout.md#signed-links). */
@Controller('api/checkout')
@UseGuards(CheckoutLinkGuard)
@PathParameters(INSTRUCTIONS_PATH)
export class CheckoutController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly applications: ApplicationsService,
    private readonly tags: CheckoutStatusTags,
    private readonly methods: PaymentMethodsService,
    private readonly instructions: InstructionsService,
    private readonly reports: TransactionReports,
  ) {}

  /** Polled every 5 s: an unchanged status is a 304 (specification/checkout.md#status). */
  @Get('payment/:paymentId')
  @Public()
  @Operation({
    id: 'getCheckoutStatus',
    tag: TAG,
    summary: 'Get the status of a payment',
    description: 'Poll every 5 seconds with `If-None-Match`.',
    returns: data(CheckoutStatusContract, 'The public part of the payment.'),
    etag: true,
  })
  async getStatus(
    @Param('paymentId') paymentId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CheckoutStatusContract | undefined> {
    const { tag, status } = await this.tags.read(paymentId, request.headers['if-none-match']);
    response.setHeader('ETag', tag);
    response.setHeader('Cache-Control', 'private, no-cache');
    if (status === null) response.status(304);
    return status ?? undefined;
  }

  /** Idempotent by itself: a transaction that is looked for already is not reported twice. */
  @Post('payment/:paymentId/transaction')
  @Public()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'reportTransaction',
    tag: TAG,
    summary: 'Report a transaction that is not shown',
    description:
      'For a customer who has paid and does not see it: the gateway asks the blockchain for the transaction, and records what it finds. Read the result from `reportedTransactions` of the status.',
    returns: data(ReportedTransactionContract, 'The transaction, which is being looked for.'),
  })
  async report(
    @Param('paymentId') paymentId: string,
    @Body() { txHash, provider }: ReportTransactionContract,
  ): Promise<ReportedTransactionContract> {
    return this.reports.report(await this.payments.get(paymentId), {
      txHash,
      provider: provider ?? null,
    });
  }

  @Get(':paymentId/payment-methods')
  @Public()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'listPaymentMethods',
    tag: TAG,
    summary: 'List the payment methods',
    description: 'One entry for each cryptocurrency and blockchain. Estimates lock nothing.',
    returns: data([PaymentMethodContract], 'The payment methods.'),
  })
  async listMethods(@Param('paymentId') paymentId: string): Promise<PaymentMethodContract[]> {
    const state = await this.payments.get(paymentId);
    return this.methods.describeFor(state, await this.applications.getById(state.payment.applicationId));
  }

  /*
   * Each of the following leaves out one or both names of the path. Their order matters: `method` in the place of a
   * provider is a literal segment (specification/checkout.md#instructions-path).
   */

  @Get([PROVIDER, `${PROVIDER}/method`, `${PROVIDER}//method`])
  @Public()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'getSelectedCheckoutInstructions',
    tag: TAG,
    summary: 'Get payment instructions as selected',
    description: 'Without provider and method: for the selected payment method, or for the only one.',
    returns: INSTRUCTIONS,
    errors: SELECTION_ERRORS,
  })
  getSelectedInstructions(@Param('paymentId') paymentId: string): Promise<PaymentInstructionsContract> {
    return this.describe(paymentId, null, null);
  }

  @Get([`${PROVIDER}/method/:method`, `${PROVIDER}//method/:method`])
  @Public()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'getCheckoutInstructionsOfMethod',
    tag: TAG,
    summary: 'Get payment instructions of a cryptocurrency',
    description:
      'Without a provider: on the selected blockchain, on that of the payment, or on the only possible one.',
    returns: INSTRUCTIONS,
    errors: SELECTION_ERRORS,
  })
  getInstructionsOfMethod(
    @Param('paymentId') paymentId: string,
    @Param('method') method: string,
  ): Promise<PaymentInstructionsContract> {
    return this.describe(paymentId, null, method);
  }

  @Get([`${PROVIDER}/:provider`, `${PROVIDER}/:provider/method`])
  @Public()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'getCheckoutInstructionsOfProvider',
    tag: TAG,
    summary: 'Get payment instructions of a blockchain',
    description: 'Without a method: in the selected cryptocurrency, or in the only possible one.',
    returns: INSTRUCTIONS,
    errors: SELECTION_ERRORS,
  })
  getInstructionsOfProvider(
    @Param('paymentId') paymentId: string,
    @Param('provider') provider: string,
  ): Promise<PaymentInstructionsContract> {
    return this.describe(paymentId, provider, null);
  }

  @Get(`${PROVIDER}/:provider/method/:method`)
  @Public()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'getCheckoutInstructions',
    tag: TAG,
    summary: 'Get payment instructions',
    description: 'The address, the exact amount and the locked rate for one payment method.',
    returns: INSTRUCTIONS,
    errors: PAYMENT_ERRORS,
  })
  getInstructions(
    @Param('paymentId') paymentId: string,
    @Param('provider') provider: string,
    @Param('method') method: string,
  ): Promise<PaymentInstructionsContract> {
    return this.describe(paymentId, provider, method);
  }

  private async describe(
    paymentId: string,
    provider: string | null,
    method: string | null,
  ): Promise<PaymentInstructionsContract> {
    return this.instructions.get(await this.payments.get(paymentId), { provider, method });
  }
}
